#!/bin/sh
# groff has nothing to say against the manual pages, and profrun(1) is that of
# this version.
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
done
if ! grep -q "^\.TH .*\"profrun $version\"" "$abs_top_srcdir/man/profrun.1"; then
	echo "profrun.1 is not of profrun $version" >&2
	bad=1
fi
exit "$bad"
