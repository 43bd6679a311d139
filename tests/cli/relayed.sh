#!/bin/sh
# What is sent to profrun is for the program: every signal, with what comes along,
# in its order, from before the program's first instruction to its end.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# all_heard: the program has got what was sent to its parent.
all_heard() {
	[ "$(value types)" -ge 55 ] || complain "sends $(value types) kinds"
	for name in lost changed extra disordered; do
		[ "$(value $name)" = 0 ] || complain "$(grep "^$name" out)"
	done
}

# While profrun waits for stops alone, and while it waits for more.
for way in --clock=cpu --clock=wall --trigger=interrupt; do
	# shellcheck disable=SC2016
	profile -q $way sh -c 'exec "$0" $PPID' "$workloads/heard"
	ends_with 0
	all_heard
	[ -s gmon.out ] || complain 'writes no profile'
done
# When it has let the program go.
# shellcheck disable=SC2016
profile -q -d 0.1 sh -c 'until [ -s gmon.out ] && [ -s gmon.syms ]
	do sleep 0.05; done; exec "$0" $PPID' "$workloads/heard"
ends_with 0
all_heard

# One that ends the program ends profrun like it, but for a core.
mkfifo begun
for number in 1 3 4 5 6 7 8 10 11 12 13 14 15 16 24 25 26 27 29 30 31 34 64; do
	what="signal $number to profrun"
	rm -f gmon.*
	env --default-signal="$number" prlimit --core=0 "$PROFRUN" -q \
		sh -c 'echo >begun; exec sleep 60' 2>err &
	profrun=$!
	read -r _ <begun
	kill -"$number" "$profrun"
	status=0
	wait "$profrun" 2>/dev/null || status=$?
	ends_with $((128 + number))
	[ -s gmon.out ] && [ -s gmon.syms ] || complain 'writes no profile'
done

# The program's own death is as it would be, also by what the C library keeps for
# itself, unless whoever runs this has it ignored, as posix_spawn does.
for number in 32 33 34 64; do
	what="death by $number"
	bare=0
	# shellcheck disable=SC2016
	sh -c 'kill -"$0" $$' $number 2>/dev/null || bare=$?
	[ "$bare" != 0 ] || continue
	profile -q sh -c 'kill -"$0" $$' $number 2>/dev/null
	ends_with "$bare"
done
# An alarm that was set before profrun was run is the program's.
if command -v perl >/dev/null; then
	what='an alarm'
	rm -f gmon.*
	perl -e 'alarm 4; exec @ARGV' "$PROFRUN" -q sh -c \
		'trap "exit 9" ALRM; while :; do sleep 0.05; done' 2>err &
	profrun=$!
	status=0
	wait "$profrun" || status=$?
	ends_with 9
	[ -s gmon.out ] || complain 'writes no profile'
fi

# What is blocked or ignored is so in the program.  (Of what the C library keeps,
# posix_spawn has ignored some here, and threads in profrun not any more.)
treated() { sed -n 's/^\(SigBlk\):/\1/p; s/^\(SigIgn\):.*\(........\)$/\1 \2/p'; }
what='blocked and ignored'
for ways in '' --block-signal=USR1 --ignore-signal=ALRM '--block-signal --ignore-signal=HUP'; do
	# shellcheck disable=SC2086
	env $ways cat /proc/self/status | treated >bare
	# shellcheck disable=SC2086
	env $ways "$PROFRUN" -q cat /proc/self/status | treated >out
	cmp -s bare out || complain "with $ways: $(diff bare out)"
done
exit "$bad"
