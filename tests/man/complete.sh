#!/bin/sh
# The manual, the headers and the library name the same things, and declare
# them alike.
set -eu
. "$top_srcdir/tests/man/staged.sh"
bad=0

complain() {
	echo "$*" >&2
	bad=1
}

declarations() { awk -f "$top_srcdir/tests/man/declarations.awk" "$@"; }

# What functions and variables a list of declarations is of.
names() {
	sed -n -e '/^#/d' -e '/^\(enum\|struct\) [a-z_0-9]* *{/d' \
		-e '/^extern /{s/struct [a-z_0-9]*//;s/[^a-z_0-9]/\n/g;p;d;}' \
		-e 's/.*[ *]\(prf_[a-z_0-9]*\)(.*/\1/p' |
		grep -Ex 'prf_[a-z_0-9]+' | sort -u
}

declarations "$include_dir"/*.h | grep -v '^#include' | sort -u \
	>"$work/headers"
grep -v '^static inline' "$work/headers" | names >"$work/declared"
for lib in "$lib_dir"/*.so; do
	$NM -D --defined-only "$lib"
done | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u \
	>"$work/exported"

# A program has a copy of a variable that it uses, as large as it was then: what
# is exported are functions.
variables=$(for lib in "$lib_dir"/*.so; do
	$NM -D --defined-only "$lib"
done | awk '$2 ~ /[BDGRSVC]/ { print $3 }')
for name in $variables; do
	complain "$name is exported, and is no function"
done

for name in $(comm -23 "$work/exported" "$work/declared"); do
	complain "$name is exported, and no installed header declares it"
done
for name in $(names <"$work/headers"); do
	grep -qx "$name" "$work/exported" ||
		grep -q "^static inline.*[ *]$name(" "$work/headers" ||
		complain "$name is declared, and the library has it not"
	[ -e "$man_dir/$name.3" ] || complain "$name has no manual page"
done

# A link leads to a page that tells of its name.
for link in $(grep -l '^\.so ' "$man_dir"/*.3); do
	name=$(basename "$link" .3)
	page=$man_dir/../$(sed -n 's/^\.so //p' "$link")
	if [ ! -e "$page" ]; then
		complain "$name.3 leads nowhere"
	elif ! section SYNOPSIS "$page" | grep -qw "$name"; then
		complain "$name leads to $(basename "$page"), whose SYNOPSIS" \
			"does not have it"
	fi
done

# A synopsis declares what the headers declare, to the letter, and is enough
# to compile with.
for page in $(pages); do
	name=$(basename "$page")
	section SYNOPSIS "$page" >"$work/synopsis"
	declarations "$work/synopsis" >"$work/said"
	grep -v '^#include' "$work/said" | sort -u >"$work/said.sorted"
	comm -23 "$work/said.sorted" "$work/headers" >"$work/differ"
	[ ! -s "$work/differ" ] ||
		complain "$name: not as the headers have it: $(cat "$work/differ")"

	{
		grep '^#include' "$work/said"
		grep '[^{]*(.*)$' "$work/said" | grep -v '[{#]' | sed 's/$/;/'
	} >"$work/synopsis.c" || true
	# shellcheck disable=SC2046
	$CC -Wall -Wextra -Werror -Wno-unused-function -fsyntax-only \
		$(prf_pkg_config --cflags) "$work/synopsis.c" ||
		complain "$name: its SYNOPSIS does not compile"

	# (A character is its bytes but for those that go on with one.)
	rendered <"$page" | tr -d '\200-\277' | grep -E '.{81}' >"$work/wide" &&
		complain "$name: too wide for 80 columns: $(cat "$work/wide")"

	# What it refers to is there.
	for other in $(rendered <"$page" | grep -Eo 'prf_[a-z_0-9]+\(3\)'); do
		[ -e "$man_dir/${other%(3)}.3" ] ||
			complain "$name refers to $other"
	done
done
exit "$bad"
