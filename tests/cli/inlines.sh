#!/bin/sh
# report --inlines and -f pprof: functions that are inlined are told apart, in a
# program of which it is known what is, and all ticks are still there.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

mkdir made
cat >made/hot.c <<'EOC'
static volatile unsigned sink;
static inline void __attribute__((always_inline)) innermost(unsigned n)
{
	/* compilers do not agree of which line a loop is, if it has several */
	for (unsigned i = 0; i < n; i++) sink += i; /* line 5 */
}
static inline void __attribute__((always_inline)) middle(unsigned n)
{
	innermost(n);
}
static void __attribute__((noinline)) outer(unsigned n)
{
	middle(n);
	sink++;
}
int main(void)
{
	for (int i = 0; i < 3; i++)
		outer(100000000);
	return 0;
}
EOC
# shellcheck disable=SC2086 # CC may have words
(cd made && ${CC:-cc} -g -O1 -Wl,--build-id -o ../hot hot.c) || {
	echo 'no compiler'
	exit 77
}
profile -q -g -f gmon,pcsample,pprof -o run ./hot
ends_with 0
[ -e run.trace ] || complain "no files: $(ls)"

# report ARG...: as CSV
reported() {
	what="profrun report $*"
	"$PROFRUN" report --csv "$@" >csv 2>err || complain "fails: $(cat err)"
	[ ! -s err ] || complain "says: $(cat err)"
}
# share OF-COLUMN FUNCTION INLINED: the sum of it in csv, in percent of all ticks
share() {
	awk -F, -v column="$1" -v name="\"$2\"" -v inlined="$3" '
		NR > 1 { all += $1 }
		$6 == name && $NF == inlined { n += $column }
		END { printf "%.0f\n", all ? 100 * n / all : 0 }' csv
}
all_ticks() {
	awk -F, 'NR > 1 { n += $1 } END { print n + 0 }' csv
}

# A gmon.out has no stacks, but the addresses; a trace and a pprof file have both.
for file in run run.trace run.pb.gz; do
	reported "$file"
	without=$(all_ticks)
	reported --inlines "$file"
	[ "$(all_ticks)" = "$without" ] ||
		complain "has $(all_ticks) ticks, and without --inlines $without"
	[ "$(share 1 innermost 1)" -ge 80 ] || complain "prints: $(cat csv)"
	[ "$(share 1 outer 1)" = 0 ] || complain "prints: $(cat csv)"
done
if command -v python3 >/dev/null; then
	what='the pprof file of a run'
	python3 "$abs_top_srcdir/tests/cli/pprof_sums.py" run.pb.gz >found
	grep -q '^line innermost .*made/hot.c:5$' found || complain "has: $(cat found)"
fi
for file in run.trace run.pb.gz; do
	reported --inlines --children "$file"
	[ "$(share 8 outer 0)" -ge 80 ] || complain "prints: $(cat csv)"
	[ "$(share 8 middle 1)" -ge 80 ] || complain "prints: $(cat csv)"
done

what='profrun report --inlines --tree'
"$PROFRUN" report --inlines --tree run.trace >tree
awk '/ outer/ { at = 1 } / middle \(inlined\)/ { at += at == 1 }
	/ innermost \(inlined\)/ { at += at == 2 }
	END { exit at != 3 }' tree || complain "prints: $(cat tree)"
"$PROFRUN" report --inlines --callers=innermost run.trace >tree
awk '/ innermost \(inlined\)/ { at = 1 } / middle \(inlined\)/ { at += at == 1 }
	/ outer/ { at += at == 2 } END { exit at != 3 }' tree ||
	complain "callers: $(cat tree)"

status=0
"$PROFRUN" report --inlines -s line run.trace >out 2>err || status=$?
what='profrun report --inlines -s line'
ends_with 125
[ "$(wc -l <err)" = 1 ] || complain "says: $(cat err)"

# --- As a pprof file

"$PROFRUN" export -q -f pprof -o lines.pb.gz run.trace
if command -v python3 >/dev/null; then
	what='an independent reader'
	python3 "$abs_top_srcdir/tests/cli/pprof_sums.py" lines.pb.gz >found ||
		complain "cannot read it"
	grep -q '^line innermost .*made/hot.c:5$' found || complain "finds: $(cat found)"
	grep -q '^line middle .*made/hot.c:9$' found || complain "finds: $(cat found)"
	grep -q '^label program hot$' found || complain "finds: $(cat found)"
	grep -q '^label thread hot$' found || complain "finds: $(cat found)"
	[ "$(grep -c '^label [pt]id [1-9]' found)" = 2 ] || complain "finds: $(cat found)"
fi
if HOME=$work PPROF_TMPDIR=$work go tool pprof -list '^innermost$' lines.pb.gz \
	>listed 2>pprof.err; then
	what='go tool pprof -list'
	grep -q 'line 5' listed || complain "prints: $(cat listed)"
fi

# The labels tell of the program and its thread.
for key in program thread; do
	reported -s "$key" lines.pb.gz
	awk -F, 'NR == 2 { exit !($2 == 100 && $6 ~ /hot"$/) }' csv ||
		complain "prints: $(cat csv)"
done
what='profrun report -s process lines.pb.gz'
status=0
"$PROFRUN" report -s process lines.pb.gz >out 2>err || status=$?
ends_with 1
[ "$(wc -l <err)" = 1 ] || complain "says: $(cat err)"

# What is written is read with the same sums, and its labels are kept.  (That a
# tick was late, which makes an interval wider, is known of the trace alone.)
reported run.trace
cut -d, -f1,2,5-9 csv | sort >before
reported lines.pb.gz
cut -d, -f1,2,5-9 csv | sort | cmp -s - before ||
	complain "differ: $(cut -d, -f1,2,5-9 csv | sort | diff before -)"
"$PROFRUN" export -q -f pprof -o again.pb.gz lines.pb.gz
if command -v python3 >/dev/null; then
	what='a file that was read and written again'
	python3 "$abs_top_srcdir/tests/cli/pprof_sums.py" again.pb.gz >again
	for kind in label line sums; do
		grep "^$kind" found | sort >before
		grep "^$kind" again | sort | cmp -s - before || complain "differ: $(cat again)"
	done
fi
exit "$bad"
