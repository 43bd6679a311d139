#!/bin/sh
# CPU profiles of gperftools are read as pprof files are; their names come from the
# binaries.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
command -v python3 >/dev/null || exit 77
command -v "${NM-nm}" >/dev/null || exit 77
binary=$workloads/shares
[ ! -x "$workloads/.libs/shares" ] || binary=$workloads/.libs/shares

make_profile() {
	"${NM-nm}" "$binary" | python3 "$abs_top_srcdir/tests/cli/cpuprofile.py" \
		"$binary" "$@"
}
run() {
	what="profrun $*"
	status=0
	"$PROFRUN" "$@" >out 2>err || status=$?
}
figures() {
	awk -F'"' 'NR > 1 {
		split($1, before, ",")
		split($5, behind, ",")
		print before[1], behind[2], $2
	}' out | sort
}

cat >expected <<'END'
0 40 main
2 2 [unknown]
31 40 one
9 9 two
END
for words in '8 little' '8 big'; do
	# shellcheck disable=SC2086
	make_profile $words >prof
	run report --csv --children prof
	ends_with 0
	figures | cmp -s - expected || complain "$words: $(cat out err)"
done
# Those of 32 bits are read, too; where the addresses lie that is another matter.
make_profile 4 little >prof.32
run report --csv prof.32
ends_with 0

make_profile 8 little >prof
run report prof
grep -q 'ticks  *42 at 100 Hz' out || complain "says $(cat out)"
run export -f folded -o - prof
grep -q 'main;one;two 9$' out || complain "says $(cat out)"
run export -f pprof -o prof.pb.gz prof
ends_with 0
run diff prof prof.pb.gz
ends_with 0
run annotate two prof
[ "$status" != 125 ] || complain "$(cat err)"

# What is cut or broken is one line.
size=$(wc -c <prof)
for n in 39 40 60 200 $((size - 20)); do
	head -c "$n" prof >cut.prof
	run report cut.prof
	[ "$status" = 1 ] || [ "$status" = 2 ] || complain "$n bytes: ends with $status"
	[ "$(wc -l <err)" = 1 ] || complain "$n bytes: $(cat err)"
done
# As many stacks as nobody can have.
{
	head -c 40 prof
	printf '\001\0\0\0\0\0\0\0\377\377\377\377\377\377\377\177'
	tail -c +41 prof
} >many
run report many
grep -q 'more than the file has' err || complain "says $(cat err)"
{
	head -c 40 prof
	printf '\377\377\377\377\377\377\377\377\001\0\0\0\0\0\0\0\001\0\0\0\0\0\0\0'
	tail -c +41 prof
} >many
run report many
grep -q 'more than any program has' err || complain "says $(cat err)"
exit $bad
