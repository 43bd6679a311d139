# every_reader.sh - whether all formats have the same figures: sourced behind
# measure.sh by tests of that.
# shellcheck shell=sh
# "what" is for complain; "PROFRUN" and "work" are of measure.sh.
# shellcheck disable=SC2034,SC2154
if ! command -v python3 >/dev/null; then
	echo 'there is no python3' >&2
	exit 77
fi
# The tools' own settings are not the tester's.
export HOME="$work" PPROF_TMPDIR="$work"
for name in gprof callgrind_annotate; do
	command -v $name >/dev/null || echo "without $name that is not asked" >&2
done
can_browse=
command -v node >/dev/null && for name in chromium chromium-browser google-chrome; do
	[ -n "$can_browse" ] || can_browse=$(command -v $name) || :
done
[ -n "$can_browse" ] || echo 'without Chromium and node the page is only read' >&2
go tool pprof -h >/dev/null 2>pprof.err || [ "$(wc -l <pprof.err)" -gt 10 ] ||
	echo 'without go tool pprof that is not asked' >&2

compare() { # TOOL FILE
	python3 "$abs_top_srcdir/tests/cli/format_sums.py" report.csv "$1" "$2" >differs 2>&1 ||
		complain "$1 differs: $(cat differs)"
}
# all_of FILE: each format of the trace or profile that FILE is.
all_of() {
	"$PROFRUN" report --children --csv --full-names "$1" >report.csv 2>err ||
		complain "$(cat err)"
	for format in folded flame speedscope firefox json perf-script callgrind pprof; do
		"$PROFRUN" export -q --full-names -f $format -o "f.$format" "$1" ||
			complain "no $format"
	done
	for format in folded flame speedscope firefox json perf-script; do
		compare $format f.$format
	done
	if [ -n "$can_browse" ]; then
		printf '%s\n' 'press [data-sort="total"]' 'save #rows rows.total' \
			'press [data-sort="self"]' 'save #rows rows.self' >steps
		cp f.flame f.html
		rm -f rows.*
		timeout -s KILL 120 node "$abs_top_srcdir/tests/cli/page_driver.js" \
			"$can_browse" "$work/f.html" steps >browsed 2>&1 || :
		if [ -f rows.self ]; then
			{ cat rows.total; echo; cat rows.self; } >rows
			compare table rows
		else
			echo "no browser: $(cat browsed)" >&2
		fi
	fi
	if command -v callgrind_annotate >/dev/null; then
		for inclusive in no yes; do
			callgrind_annotate --auto=no --threshold=100 --inclusive=$inclusive \
				f.callgrind 2>err || complain "callgrind_annotate: $(cat err)"
			[ ! -s err ] || complain "callgrind_annotate says: $(cat err)"
			printf '\f'
		done >annotated
		compare callgrind_annotate annotated
	fi
	case $1 in
	*.trace)
		if command -v gprof >/dev/null; then
			"$PROFRUN" export -q "$1" || complain 'no gmon.out'
			compare gprof gmon.out
		fi
		;;
	esac
	if go tool pprof -noinlines -symbolize=none -unit=ms -nodefraction=0 -top f.pprof >top 2>pprof.err; then
		compare 'go tool pprof' top
	fi
}
