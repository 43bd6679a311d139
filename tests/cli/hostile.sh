#!/bin/sh
# Whatever the files are, each command that reads one says one line about it, in
# bounded time and memory, and leaves nothing; or uses what is good of it.
# shellcheck disable=SC2034
set -eu
# One that watches all runs: to start a second process for each is what would
# take the time.
[ "${1-}" = watched ] || exec timeout 600 sh "$0" watched
. "$abs_top_srcdir/tests/cli/measure.sh"
what=hostile.sh
trap 'complain "does not end"; exit 1' TERM
from_text=$abs_top_builddir/tests/core/gmon_from_text

# A sanitizer needs more room than anybody has.
limit=4000000
# shellcheck disable=SC3045
(ulimit -v $limit && "$PROFRUN" --version >/dev/null 2>&1) || limit=unlimited

# run ARGUMENT...: its output in out and err, its status in $status.
run() {
	what="profrun $*"
	status=0
	# shellcheck disable=SC3045
	(
		ulimit -v $limit
		exec "$PROFRUN" "$@"
	) >out 2>err || status=$?
}
# Nothing is started where nothing is to be done.
clear_left() {
	for left in left*; do
		[ ! -e "$left" ] || rm -f "$left"
	done
}
# says_one_line: err is one.
says_one_line() {
	{ IFS= read -r line && ! read -r more; } <err && [ ! "$more" ]
}
# reads FILE: by each command in turn, for check
commands='report:export -q -o left:export -f raw -q -o left:export -f text:
export -f samples:merge -q -o left'
each() {
	check=$1 file=$2
	old_ifs=$IFS
	IFS=:
	for command in $commands; do
		IFS=$old_ifs
		# shellcheck disable=SC2086
		run $command "$file"
		$check "$file"
		clear_left
	done
	IFS=$old_ifs
}
leaves_nothing() {
	for left in left* .profrun.*; do
		[ ! -e "$left" ] || complain "leaves $left"
	done
}
is_refused() {
	ends_with 1
	says_one_line || complain "says: $(cat err)"
	case $line in
	*"profrun: $1"*) ;;
	*) complain "says: $line" ;;
	esac
	leaves_nothing
}
# Damage is a warning, or a reason to refuse; what is left can have more ticks
# than a gmon.out holds.
is_survived() {
	[ "$status" -le 1 ] ||
		grep -q 'gprof adds in 32 bits\|no room for it above' err ||
		complain "status $status: $(cat err)"
	[ "$status" = 0 ] || [ "$(grep -vc warning err)" = 1 ] ||
		complain "says: $(cat err)"
	[ ! -s err ] || [ "$(wc -l <err)" -le 5 ] ||
		complain "says much: $(cat err)"
}

# --- What is no profile.
"$abs_top_builddir/tests/core/write_trace" any 300 trace trace.txt
"$abs_top_builddir/tests/core/write_trace" run 300 sound sound.txt
printf 'ticks 1000 40000\nticks 5000 3\narc 1000 5008 9\n' >ticks
"$from_text" 100 8 little <ticks >gmon.out
printf '# gmon.syms 1\n# object 1000 9000 0 - /bin/app\n%s\n%s\n' \
	'0000000000001000 T first' '0000000000009000 T [end]' >gmon.syms
run report gmon.out
ends_with 0

# --- Output that cannot be written.
for command in "report gmon.out" "report --csv gmon.out" "report sound" \
	"export -f text sound" "check" "--help" "merge --help"; do
	what="$command, with its output closed"
	for shut in '>&-' '>/dev/full'; do
		status=0
		eval "\"\$PROFRUN\" $command $shut" 2>err || status=$?
		ends_with 125
		[ "$(grep -vc warning err)" = 1 ] ||
			complain "$shut: says: $(cat err)"
	done
done

: >empty
mkfifo fifo
mkdir directory
ln -s loop loop
head -c 4096 /dev/urandom | tr 'g\211' 'xx' >noise
truncate -s 10G sparse
{ printf '\211pctrace\177'; tail -c +10 trace; } >version
{ printf 'gmon\377\000\000\000'; tail -c +9 gmon.out; } >gmon_version
head -c 7 trace >short
head -c 19 gmon.out >gmon_short
head -c 40 trace | tail -c +9 >fragment
# (A program stands for its gmon.out, if one is here.)
mv gmon.out good
for file in empty fifo directory loop nosuch /dev/zero /dev/null noise sparse \
	version gmon_version short gmon_short fragment /bin/sh "$0"; do
	each is_refused "$file"
done
mv good gmon.out

# --- A trace whose end is a hole of 10 GB.
cp trace hole
truncate -s 10G hole
run report hole
is_survived
run merge -q -o left hole
is_survived
rm -f left* hole

# --- Memory is in proportion to a gmon.out: eight times its size, and what the
# program itself takes.
if [ $limit != unlimited ]; then
	before=$limit
	own=60000
	"$from_text" 100 8 little <ticks >holes
	truncate -s 256M holes
	limit=$((own + 2 * 256 * 1024))
	run merge -q -o left holes
	is_refused 'holes: offset'
	awk 'BEGIN { for (i = 1; i <= 500000; i++)
		printf "arc %x %x 1\n", i * 16, i * 32 }' |
		"$from_text" 100 8 little >arcs
	limit=$((own + 8 * $(wc -c <arcs) / 1024))
	run merge -q -o left arcs
	ends_with 0
	rm -f left* holes arcs

	# A trace is read a piece at a time, however large it is; what it takes
	# is told in profrun-internals(7).
	cp sound huge
	truncate -s 8G huge
	limit=$((own + 240 * 1024))
	for command in report 'export -f folded -q -o left' \
		'export -f pprof -q -o left' 'export -f gmon -q -o left'; do
		# shellcheck disable=SC2086
		run $command huge
		ends_with 0
		[ "$command" != report ] ||
			grep -q 'huge: damaged in 1 place' err ||
			complain "says: $(cat err)"
		rm -f left*
	done
	# A pprof file may unpack to 200 times its size and 4 MB, and takes eight
	# times what it has; not what it claims to have.
	{
		printf '\032\377\377\377\377\007'
		head -c 4000000 /dev/zero | tr '\0' 'x'
	} >claims
	head -c 400000000 /dev/zero | gzip >bomb
	for file in claims bomb; do
		case $file in
		claims) limit=$((own + 9 * 4096)) ;;
		bomb) limit=$((own + 4096 + 200 * $(wc -c <bomb) / 1024)) ;;
		esac
		for command in report 'export -f folded -q -o left' \
			'export -f gmon -q -o left'; do
			# shellcheck disable=SC2086
			run $command $file
			is_refused $file
		done
	done
	rm -f left* huge claims bomb
	limit=$before
fi

# --- Damage, at every kind of place.
size=$(wc -c <trace)
at=3
while [ $at -lt "$size" ]; do
	{
		head -c $at trace
		printf '\377'
		tail -c +$((at + 2)) trace
	} >damaged
	for command in 'report' 'merge -q -o left'; do
		# shellcheck disable=SC2086
		run $command damaged
		is_survived
		clear_left
	done
	head -c $at trace >part
	run report part
	is_survived
	at=$((at + size / 8))
done
size=$(wc -c <gmon.out)
for at in 0 4 21 28 40 "$((size / 3))" "$((size - 1))"; do
	{
		head -c "$at" gmon.out
		printf '\377'
		tail -c +$((at + 2)) gmon.out
	} >damaged
	cp gmon.syms damaged.syms
	for command in 'report' 'merge -q -o left'; do
		# shellcheck disable=SC2086
		run $command damaged
		is_survived
		clear_left
	done
	head -c "$at" gmon.out >part
	cp gmon.syms part.syms
	for command in 'report' 'merge -q -o left'; do
		# shellcheck disable=SC2086
		run $command part
		is_refused part
		clear_left
	done
done

# --- Another machine's gmon.out is read as what it is.
"$from_text" 100 4 big <ticks >big
cp gmon.syms big.syms
run report --csv big
ends_with 0
grep -q '^40003,.*"first"' out || complain "reads $(cat out)"
run merge -q -o left gmon.out big
is_refused 'big: 4-byte big-endian'

# --- Lists of symbols.
cp gmon.out listed
refuses_list() {
	for command in "report -S $1 listed" 'merge -q -o left listed'; do
		# shellcheck disable=SC2086
		run $command
		ends_with 1
		says_one_line && grep -q "$2" err ||
			complain "says: $(cat err)"
		leaves_nothing
	done
}
for list in empty noise directory fifo /dev/zero sparse gmon.out trace; do
	rm -f listed.syms
	ln -s "$list" listed.syms
	refuses_list listed.syms listed
done
rm listed.syms
sed '$d' gmon.syms >listed.syms
refuses_list listed.syms 'line '
run report -S nosuch listed
is_refused nosuch

# --- Traces and gmon.outs of different programs, of which one has no list.
profile -q -f gmon,pcsample -o own "$workloads/shares" 0.1
profile -q -f gmon,pcsample -o other sh -c \
	'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
for pair in 'own other' 'own.trace other' 'own other.trace' \
	'own.trace other.trace'; do
	# shellcheck disable=SC2086
	run merge -q -o left $pair
	ends_with 0
	[ ! -s err ] || complain "says: $(cat err)"
	clear_left
done
rm other.syms
for first in own own.trace; do
	run merge -q -o left $first other
	is_refused other
	run merge -q -o left other $first
	is_refused $first
done
exit "$bad"
