#!/bin/sh
# groff has nothing to say against the manual pages, those written in man(7)
# are of this version, and what a reader copies from an example is plain ASCII.
# profrun(1) is short.
set -eu
command -v groff >/dev/null || exit 77
bad=0
version=$("$PROFRUN" --version | sed -n '1s/^profrun //p')
for page in "$abs_top_srcdir"/man/*.[1-8]; do
	warnings=$(groff -ww -b -z -mandoc -Kutf8 -Tutf8 "$page" 2>&1)
	if [ -n "$warnings" ]; then
		echo "$warnings" >&2
		bad=1
	fi
	if grep -q '^\.TH ' "$page" &&
		! grep -q "^\.TH .*\"profrun $version\"" "$page"; then
		echo "$page is not of profrun $version" >&2
		bad=1
	fi
	# Where groff is free to choose it makes typographic signs of these.
	if sed -n '/^\.EX/,/^\.EE/p' "$page" | grep -n "\(^\|[^\\]\)[-'^~\`]"; then
		echo "$page: write \\-, \\(aq, \\(ha, \\(ti, \\(ga in examples" >&2
		bad=1
	fi
done

# Pages are for users: what is behind them has its place in profrun-internals(7).
# is_short PAGE LINES
is_short() {
	n=$(groff -mandoc -Kutf8 -Tutf8 -P-cbou -rcR=1 -rLL=78n "$1" | wc -l)
	[ "$n" -le "$2" ] || {
		echo "$1 has $n lines of 80 columns, more than $2" >&2
		bad=1
	}
}
is_short "$abs_top_srcdir/man/profrun.1" 400
for page in "$abs_top_srcdir"/man/profrun-*.1; do
	is_short "$page" 150
done
exit "$bad"
