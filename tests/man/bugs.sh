#!/bin/sh
# --help and the manual as it is installed say where configure was told that
# bugs are reported.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

complain() {
	echo "$*" >&2
	bad=1
}

# page_of VARIABLE...: the page as "make install" leaves it
page_of() {
	rm -rf "$work/stage"
	# The options of the make that runs the tests are not for this one.
	env -u MAKEFLAGS -u MFLAGS -u BUGURL "$MAKE" -C "$abs_top_builddir" \
		DESTDIR="$work/stage" "$@" install-man-bugs >"$work/log" 2>&1 ||
		cat "$work/log" >&2
	find "$work/stage" -name profrun.1
}

last=$("$PROFRUN" --help | tail -n 1)
[ "$last" = "Report bugs to $BUGURL." ] || complain "--help ends with: $last"

grep -qxF ".ds BUGS $BUGURL" "$(page_of)" ||
	complain "profrun.1 does not say $BUGURL"

other='https://bugs.example/?a=1&b=2'
grep -qxF ".ds BUGS $other" "$(page_of BUGURL="$other")" ||
	complain "profrun.1 does not say $other"
exit "$bad"
