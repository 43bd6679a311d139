#!/bin/sh
# report -s line: where the time went, by line of the source; against a program
# of which the hot lines are known.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

cat >hot.c <<'EOF'
static volatile unsigned sink;
static inline void __attribute__((always_inline)) spin(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i; /* line 5 */
}
int main(void)
{
	spin(300000000);
	return 0;
}
EOF
mkdir -p source/of/a/program/with/a/rather/long/name
mv hot.c source/of/a/program/with/a/rather/long/name
hot=$work/source/of/a/program/with/a/rather/long/name/hot.c
# shellcheck disable=SC2086 # CC may have words
${CC:-cc} -g -O1 -Wl,--build-id -o hot "$hot" || {
	echo 'no compiler'
	exit 77
}
profile -q -f gmon,pcsample -o run ./hot
ends_with 0
[ -e run.trace ] || complain "no files: $(ls)"

# The loop is in lines 4 and 5; a file of each kind tells it.  (Some compilers name
# the file from their directory on.)
for file in run run.trace; do
	what="profrun report $file"
	"$PROFRUN" report -s line --csv "$file" >csv 2>err || complain "$(cat err)"
	[ "$(head -n 1 csv)" = 'ticks,percent,low,high,seconds,line,binary' ] ||
		complain "heading: $(head -n 1 csv)"
	share=$(awk -F, -v file="${hot#"$work/"}" '
		index($6, file ":4\"") || index($6, file ":5\"") { sum += $2 }
		END { print int(sum) }' csv)
	[ "$share" -ge 70 ] || complain "$share % in the loop: $(cat csv)"
	"$PROFRUN" report --csv -s binary "$file" 2>err |
		awk -F, 'NR > 1 { sum += $1 } END { print sum }' >all
	awk -F, 'NR > 1 { sum += $1 } END { print sum }' csv >of_lines
	cmp -s all of_lines || complain "$(cat of_lines) ticks of $(cat all)"
	[ ! -s err ] || complain "said: $(cat err)"
done

# On a terminal the end of a path is what is seen.
if command -v script >/dev/null; then
	script -qc "stty cols 80; '$PROFRUN' report -s line run" typescript \
		>/dev/null
	grep -q '\.\.\..*/name/hot\.c:[45] ' typescript ||
		complain "on a terminal: $(cat typescript)"
fi

# Without debug information there are functions.
what='profrun report of a stripped program'
strip -g -o hot.plain hot
mv hot.plain hot
for file in run run.trace; do
	"$PROFRUN" report -s line "$file" >table 2>err || complain "$(cat err)"
	grep -q ' main \[no line\] ' table || complain "$(cat table)"
	[ ! -s err ] || complain "said: $(cat err)"
done

# What is another program by now has no lines, and that is said.
what='profrun report of another program'
# shellcheck disable=SC2086
${CC:-cc} -g -O0 -Wl,--build-id -o hot "$hot"
"$PROFRUN" report -s line run >table 2>err || complain "$(cat err)"
grep -q ' main \[no line\] ' table || complain "$(cat table)"
grep -qx 'profrun: warning: .*/hot: is another file by now; its source lines are not known' \
	err || complain "said: $(cat err)"
[ "$(wc -l <err)" = 1 ] || complain "said more: $(cat err)"
exit "$bad"
