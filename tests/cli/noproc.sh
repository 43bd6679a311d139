#!/bin/sh
# Where /proc is not mounted, all that needs it says so in one line.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
# A sanitizer needs /proc itself.
[ -z "$SAN_CFLAGS" ] || exit 77
[ "$(id -u)" = 0 ] && command -v unshare >/dev/null || exit 77
unshare -m sh -c 'mount -t tmpfs none /proc' 2>/dev/null || exit 77

# without COMMAND...: with an empty /proc.  (libtool's wrapper may need it.)
without() {
	what="$* without /proc"
	status=0
	unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' - "$@" \
		>out 2>err || status=$?
	ends_with 125
	[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
	grep -q '^profrun: /proc is not mounted' err || complain "says: $(cat err)"
	[ ! -s out ] || complain "prints: $(cat out)"
	[ ! -e gmon.out ] || complain 'leaves gmon.out'
}

"$PROFRUN" -q -o null true || exit 77
without "$PROFRUN" true
without "$PROFRUN" -p $$
without "$PROFRUN" check

# Another PID namespace has other numbers.
unshare -p --fork true 2>/dev/null || exit "$bad"
what='with the /proc of another PID namespace'
status=0
unshare -p --fork "$PROFRUN" true >out 2>err || status=$?
ends_with 125
grep -q '^profrun: /proc is of another PID namespace' err ||
	complain "says: $(cat err)"
exit "$bad"
