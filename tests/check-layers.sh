#!/bin/sh
# Each archive uses only prf_ names of its own folder and those it may include, and
# no file in it one that uses it.
set -eu
cd "$abs_top_builddir"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# libtool keeps what libprofrun.so is made of in a directory of its own.
archive() { ls "lib/$1/libprf$1.a" "lib/$1/.libs/libprf$1.a" 2>/dev/null; }
defined() { $NM -g --defined-only "$(archive "$1")" 2>/dev/null |
	awk 'NF == 3 && $3 ~ /^prf_/ { print $3 }' | sort -u; }
wanted() { $NM -g --undefined-only "$(archive "$1")" 2>/dev/null |
	awk '$NF ~ /^prf_/ { print $NF }' | sort -u; }

for folder in core inproc image space unwind live profile view; do
	[ -n "$(archive "$folder")" ] || {
		echo "the archive of lib/$folder is missing" >&2
		exit 99
	}
	defined "$folder" >"$work/$folder"
done
bad=0
check() {
	folder=$1
	shift
	: >"$work/allowed"
	for lower; do cat "$work/$lower" >>"$work/allowed"; done
	sort -u -o "$work/allowed" "$work/allowed"
	wanted "$folder" >"$work/wanted"
	for name in $(comm -23 "$work/wanted" "$work/allowed"); do
		echo "lib/$folder uses $name, which is of no folder it may use" >&2
		bad=1
	done
}
check core core
check inproc core inproc
check image core image
check space core image space
check unwind core image space unwind
check live core image space unwind live
check profile core image space profile
check view core image space unwind profile view

# calls ARCHIVE: which of its files uses a name of which other.
calls() {
	$NM -A -g "$1" 2>/dev/null | awk '
	$NF !~ /^prf_/ { next }
	{
		split($1, part, ":")
		file = part[2]
		if ($(NF - 1) == "U")
			wanted[file, $NF]
		else
			owner[$NF] = file
	}
	END {
		for (pair in wanted) {
			split(pair, part, SUBSEP)
			if (part[2] in owner && owner[part[2]] != part[1])
				print part[1], owner[part[2]]
		}
	}'
}
# No file calls one that calls it, directly or through others.
for file in $(for folder in core inproc image space unwind live profile view; do
	archive "$folder" || :
done) src/libprfcli.a; do
	calls "$file" | tsort >/dev/null || {
		echo "files of $file call each other in a circle" >&2
		bad=1
	}
done

# The installed library exports prf_ names and nothing else.
$NM -D --defined-only lib/core/.libs/libprofrun.so |
	awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | grep -v '^prf_' >&2 && bad=1
exit "$bad"
