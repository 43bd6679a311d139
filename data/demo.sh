#!/bin/sh
# demo.sh - a first profile: perl, as the distribution built it, at work.
#
# "make demo" runs it.  Nobody built that perl for this: it is stripped and knows
# nothing of -pg.  It counts and sorts made-up words, twice: once for one
# gmon.out of the whole process, once for classic files, one for each binary.
set -eu
profrun=${PROFRUN:-profrun}
program=$(command -v perl)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >words.pl <<'PERL'
my ($seed, %count, @words) = (1);
for (1 .. 1_200_000) {
	$seed = ($seed * 1103515245 + 12345) & 0x7fffffff;
	my $word = join '', map { chr(97 + ($seed >> $_) % 26) } 3, 7, 11, 15;
	$count{$word}++ if $word =~ /^[a-m].*[aeiou]/;
	push @words, lc "$word-$seed";
}
@words = sort { substr($a, 2) cmp substr($b, 2) } @words;
printf "%d words, %d kinds\n", scalar @words, scalar keys %count;
PERL

say() { printf '\n==== %s\n' "$*"; }
# The table's head is enough.
first_lines() { sed -n '1,17p'; }

say "profrun perl words.pl"
"$profrun" "$program" words.pl

say "gprof reads the whole process: the program, its libraries, system calls"
gprof -b -p -S gmon.syms "$program" gmon.out | first_lines

say "profrun --split perl words.pl: a classic file for each binary"
"$profrun" -q --split "$program" words.pl
ls gmon.out.*

name=gmon.out.${program##*/}
say "gprof reads the program alone"
gprof -b -p -S "$name.syms" "$program" "$name" | first_lines
