#!/bin/sh
# The fuzz targets run on the files that fuzzing begins with, and on each of
# them cut in the middle and with its ends exchanged.
set -eu
: "${abs_top_srcdir:?}" "${abs_top_builddir:?}" "${CC:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
top=$abs_top_builddir "$abs_top_srcdir/tests/fuzz/seeds.sh" "$work"
for target in cfi elf gmon lines maps pctrace perfmap pprof profile ring stacks syms written; do
	for seed in "$work/$target"/*; do
		half=$(($(wc -c <"$seed") / 2))
		head -c $half "$seed" >"$seed.head"
		{ tail -c $half "$seed" && cat "$seed.head"; } >"$seed.turned"
	done
	"$abs_top_builddir/tests/fuzz/fuzz_$target" "$work/$target"/*
done
