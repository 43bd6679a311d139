#!/bin/sh
# --help, --usage and --version work, and the manual has the options that --help
# has: no more, no fewer.
set -eu
unset ARGP_HELP_FMT || :
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0

complain() {
	echo "$*" >&2
	bad=1
}

for option in --help --usage --version -V; do
	status=0
	"$PROFRUN" "$option" >out 2>err || status=$?
	[ "$status" = 0 ] || complain "$option: status $status"
	[ -s out ] || complain "$option: prints nothing"
	[ ! -s err ] || complain "$option: complains: $(cat err)"
	status=0
	"$PROFRUN" "$option" >/dev/full 2>err || status=$?
	[ "$status" = 125 ] || complain "$option >/dev/full: status $status"
	[ "$(wc -l <err)" = 1 ] || complain "$option >/dev/full: $(cat err)"
done
"$PROFRUN" --version | grep -Eqx 'profrun [0-9]+\.[0-9]+.*' ||
	complain "--version says not profrun and a number"

# The options in --help, as "-F" and "--frequency", sorted, a line each.
# options_of WORD...: those of --help behind WORD, to the file options
options_of() {
	"$PROFRUN" "$@" --help >help
	awk 'length > 79' help | grep . >&2 && complain "$* --help: lines too long"
	sed -n 's/^ *\(-[A-Za-z]\), \(--[a-z-]*\).*/\1\n\2/p
		s/^  *\(--[a-z-]*\).*/\1/p' help | sort >options
	[ "$(wc -l <options)" -gt 5 ] || complain "$* --help is not understood"
}

# same FILE: what the sed script on stdin finds in FILE are those, too
same() {
	sed -n -f - "$1" | sort -u >found
	diff options found >difference ||
		complain "$1 differs from --help: $(grep '^[<>]' difference)"
}

# manual PAGE: the entries of its OPTIONS are those
manual() {
	sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' "$abs_top_srcdir/man/$1" |
		sed 's/\\-/-/g' >"$1"
	same "$1" <<'END'
/^\.BR* -/ {
	s/"[^"]*"/ /g
	s/^\.BR* //
	s/^\(-[A-Za-z]\)  *\(--[a-z-]*\).*/\1\n\2/p
	s/^\(--[a-z-]*\).*/\1/p
}
END
}

options_of
manual profrun.1
options_of report
manual profrun-report.1
options_of annotate
manual profrun-annotate.1
options_of export
manual profrun-export.1
options_of diff
manual profrun-diff.1
options_of dump
manual profrun-dump.1
options_of merge
manual profrun-merge.1

exit "$bad"
