#!/bin/sh
# report of a trace with stacks: totals, the tree of calls, callers and callees,
# against stacks that are known.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

report() {
	what="profrun report $*"
	status=0
	"$PROFRUN" report "$@" trace >out 2>err || status=$?
}
# shows: the names of the tree, and what is drawn before them, are stdin.
shows() {
	ends_with 0
	sed '1,/^$/d' out | awk '
		NR == 1 { at = index($0, "function"); next }
		{ print /^ *[0-9]+[.]/ ? substr($0, at) : $0 }' >shown
	diff - shown >difference || complain "differs: $(cat difference)"
}
fails_with() {
	ends_with 1
	[ ! -s out ] || complain "prints: $(cat out)"
	[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
	grep -qF -e "$1" err || complain "says: $(cat err)"
}
refuses() {
	report "$@"
	ends_with 125
	[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
}

"$abs_top_builddir/tests/support/stacked" trace <<'END'
complete outer alpha beta 40
complete outer alpha beta gamma_ray 60
complete outer alpha space::first 20 kernel read
complete outer space::first 30
complete outer alpha alpha alpha beta 10
complete outer beta alpha 25
no-cfi ?gamma_ray ?beta 3
cut beta 2
none alpha 1
END

# --- Tables

report --csv --children
ends_with 0
cut -d, -f1,6,8 out >shown
diff - shown >difference <<'END' || complain "differs: $(cat difference)"
ticks,function,total_ticks
0,"outer",185
26,"alpha",156
55,"beta",140
60,"gamma_ray",63
30,"void space::first<int>(char)",50
20,"read",20
END
report
[ "$(sed '1,/^$/d' out | awk '$NF == "stacked" { print $(NF - 1); exit }')" = gamma_ray ] ||
	complain "is not sorted by self: $(cat out)"
report --csv -s binary
[ "$(sed -n 1p out)" = ticks,percent,low,high,seconds,binary ] ||
	complain "has other columns: $(cat out)"
report --csv --children --percent-limit=33
[ "$(wc -l <out)" = 4 ] || complain "has other lines: $(cat out)"
report --children --focus=beta
[ "$(sed '1,/^$/d' out | wc -l)" = 2 ] || complain "has other lines: $(cat out)"

# --- Trees

report --tree
shows <<'END'
outer [stacked]
|- alpha (recursive)
|  |- beta
|  |  gamma_ray
|  `- space::first
|     read [kernel]
|- space::first
`- beta
   alpha

gamma_ray ? [stacked]
beta

beta [stacked]
  1 more line below 1 % of this tree
  ? was found without unwind information, and may not belong there
END
report --tree --percent-limit 30 --full-names --ignore gamma
shows <<'END'
outer [stacked]
alpha (recursive)
beta
  7 more lines below 30 % of this tree
END
report --tree --focus 'space::first<int>' --full-names
shows <<'END'
outer [stacked]
|- void space::first<int>(char)
`- alpha
   void space::first<int>(char)
   read [kernel]
END
report --tree -n 2
shows <<'END'
outer [stacked]
|- alpha (recursive)
  11 more lines
END
report --callers beta
shows <<'END'
beta [stacked]
|- alpha (recursive)
|  outer
|- outer
`- gamma_ray ?
  ? was found without unwind information, and may not belong there
END
report --callees alpha
shows <<'END'
alpha (recursive) [stacked]
|- beta
|  gamma_ray
`- space::first
   read [kernel]
END
# A name with what a regular expression would take for something else.
for name in space::first 'void space::first<int>(char)' _ZN5space5firstIiEEvc 'first.*char'; do
	report --callees "$name"
	shows <<-'END'
		space::first [stacked]
		read [kernel]
	END
done
report --callees '^al|_ray'
shows <<'END'
alpha (recursive) [stacked]
|- beta
|  gamma_ray
`- space::first
   read [kernel]

gamma_ray ? [stacked]
beta
  ? was found without unwind information, and may not belong there
END

# --- Trees for programs

# tree_is: the CSV, without intervals and seconds, is stdin.  The tree is whole.
tree_is() {
	ends_with 0
	awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++)
			if ($i ~ /low|high|seconds|percent/) left_out[i] = 1 }
		{ line = ""
		  for (i = 1; i <= NF; i++)
			if (!(i in left_out)) line = line (i > 1 ? "," : "") $i
		  print line }' out >shown
	diff - shown >difference || complain "differs: $(cat difference)"
}
report --csv --callees alpha
tree_is <<'END'
id,parent,ticks,function,binary,total_ticks,inlined,recursive,guessed
1,0,26,"alpha","stacked",156,0,1,0
2,1,50,"beta","stacked",110,0,0,0
3,2,60,"gamma_ray","stacked",60,0,0,0
4,1,0,"void space::first<int>(char)","stacked",20,0,0,0
5,4,20,"read","[kernel]",20,0,0,0
END
report --csv --callers beta
tree_is <<'END'
id,parent,function,binary,total_ticks,inlined,recursive,guessed
1,0,"beta","stacked",140,0,0,0
2,1,"alpha","stacked",110,0,1,0
3,2,"outer","stacked",110,0,0,0
4,1,"outer","stacked",25,0,0,0
5,1,"gamma_ray","stacked",3,0,0,1
END
report --csv --tree
[ "$(awk -F, 'NR > 1 { n += $3 } END { print n }' out)" = 191 ] ||
	complain "is not whole: $(cat out)"
report --csv --tree --percent-limit 30 -n 2
[ "$(wc -l <out)" = 3 ] || complain "has other lines: $(cat out)"

# --- JSON

for form in '' --children --tree --callers=beta --callees=alpha '-s binary' \
	'-s thread' '-s line' --inlines '--tree -n 2'; do
	# shellcheck disable=SC2086 # it has words
	report --json $form
	ends_with 0
	is_valid report
done
if command -v python3 >/dev/null; then
	# The tree is what the CSV has; what is left out is told.
	report --csv --tree
	mv out tree.csv
	report --json --tree
	python3 - <<-'END' || complain "is not the CSV: $(cat out)"
		import csv, json
		tree = json.load(open("out"))
		rows = list(csv.DictReader(open("tree.csv")))
		assert tree["form"] == "tree" and tree["more"] == 0
		assert tree["run"]["ticks"] == 191
		seen = {0}
		for row, found in zip(rows, tree["rows"], strict=True):
		    assert found["parent"] in seen
		    seen.add(found["id"])
		    assert found["name"] == row["function"]
		    assert found["binary"] == row["binary"]
		    for key, prefix in ("self", ""), ("total", "total_"):
		        for column in "ticks", "percent", "low", "high":
		            assert found[key][column] == float(row[prefix + column])
	END
	report --json -n 2
	python3 - <<-'END' || complain "prints: $(cat out)"
		import json
		found = json.load(open("out"))
		assert len(found["rows"]) == 2 and found["more"] == 4
		assert [row["self"]["ticks"] for row in found["rows"]] == [60, 55]
		assert found["rows"][0]["total"]["ticks"] == 63
	END
fi

# --- What there is nothing of

report --callees nothing
fails_with "is 'nothing'"
report --tree --focus nothing
fails_with '--focus'
refuses --callees '('
refuses --tree -s binary
for percent in -1 101 x '' 1x nan; do
	refuses --percent-limit="$percent"
done
printf 'none alpha 5\n' | "$abs_top_builddir/tests/support/stacked" trace
for option in --children --tree --callers=alpha --callees=alpha; do
	report "$option"
	fails_with 'has no stacks'
	fails_with 'with %p or %t in it only -f gmon,pprof leaves one'
done
report --csv
[ "$(sed -n 1p out)" = ticks,percent,low,high,seconds,function,binary ] ||
	complain "has totals: $(cat out)"

# The example of the manual, with tools that not everybody has.
cat >program.c <<'END'
#include <stdlib.h>
#include <time.h>
int main(void)
{
	while (clock() < CLOCKS_PER_SEC)
		for (int i = 0; i < 10000; i++)
			free(malloc((size_t)(i % 1000)));
}
END
# shellcheck disable=SC2086 # CC may have words
${CC:-cc} -O0 -fno-builtin -o program program.c || exit "$bad"
for tool in jq flamegraph.pl; do
	command -v $tool >/dev/null && continue
	printf '#!/bin/sh\nexec cat\n' >$tool
	chmod +x $tool
done
rm -f trace
runs_example report
grep -q ' malloc ' out || complain "prints: $(cat out)"
[ -s profrun.svg ] || complain 'writes no picture'
exit "$bad"
