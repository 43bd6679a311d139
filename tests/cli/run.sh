#!/bin/sh
# The program's end is profrun's end, and its output is there before.
set -eu
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0

complain() {
	echo "$what: $*" >&2
	bad=1
}

# run WORDS...: profrun with them; its status in $status
run() {
	what="profrun $*"
	rm -f gmon.out gmon.syms
	status=0
	"$PROFRUN" "$@" >out 2>err || status=$?
}

ends_with() {
	[ "$status" = "$1" ] || complain "status $status, not $1: $(cat err)"
	for file in .profrun*; do
		[ ! -e "$file" ] || complain "leaves $file"
	done
}

written() {
	for file; do [ -s "$file" ] || complain "$file is not written"; done
}

not_written() {
	for file; do [ ! -e "$file" ] || complain "$file is written"; done
}

one_line() {
	[ "$(grep -c '' err)" = 1 ] || complain "says not one line: $(cat err)"
	grep -q '^profrun: ' err || complain "says without our name: $(cat err)"
}

# May this place trace at all?
run true
if [ "$status" = 125 ] && grep -q 'ptrace is refused' err; then
	cat err >&2
	exit 77
fi
ends_with 0
written gmon.out gmon.syms

for code in 0 1 42 124 255; do
	run sh -c "exit $code"
	ends_with "$code"
	written gmon.out gmon.syms
done

# Death by a signal: $? is as if the shell had run it alone.
for death in TERM:15 KILL:9 SEGV:11 ABRT:6 ALRM:14 USR1:10 PIPE:13; do
	run sh -c "kill -${death%:*} \$\$"
	ends_with $((128 + ${death#*:}))
	written gmon.out gmon.syms
done
for core in core*; do [ ! -e "$core" ] || complain "leaves a core file"; done

# What cannot be run.
run ./none
ends_with 127
one_line
not_written gmon.out gmon.syms
run no-such-program-anywhere
ends_with 127
one_line
run ''
ends_with 127
mkdir directory
run ./directory
ends_with 126
one_line
echo 'no program' >plain
chmod 644 plain
run ./plain
ends_with 126
one_line
not_written gmon.out gmon.syms

# The program has our standard files, arguments and directory.
what='standard files'
printf 'one\ntwo\n' | "$PROFRUN" -q sh -c 'cat; pwd; echo "$2" >&2' x a 'b  c' \
	>out 2>err
[ "$(cat out)" = "one
two
$(pwd -P)" ] || complain "output is $(cat out)"
[ "$(cat err)" = 'b  c' ] || complain "stderr is $(cat err)"
ls /proc/self/fd >bare
run -q ls /proc/self/fd
cmp -s bare out || complain "the program has open: $(tr '\n' ' ' <out)"
what='closed standard files'
status=0
"$PROFRUN" -q sh -c 'test ! -e /proc/self/fd/0' <&- || status=$?
[ "$status" = 0 ] || complain "are open in the program"

# -q: not a word.
run -q true
ends_with 0
[ ! -s err ] || complain "says $(cat err)"
run true
[ -s err ] || complain 'prints no summary'

# Names of files.
run -q -o 'x.%n.out' true
written x.true.out x.true.syms
not_written gmon.out gmon.syms
run -q -o 'y.%p' sh -c 'echo $$ >pid'
written "y.$(cat pid)" "y.$(cat pid).syms"
mkdir there
run -q -o there/gmon.out sh -c 'cd / && exit 3'
ends_with 3
written there/gmon.out there/gmon.syms
ln -s /dev/null null
run -q -o null true
ends_with 0

# What cannot be written is our failure, whatever the program's end was.
ln -s /dev/full full
for end in 'exit 0' 'exit 3' 'kill -TERM $$'; do
	run -q -o full sh -c "$end"
	ends_with 125
	one_line
	grep -q 'full: .*No space left on device' err || complain "says $(cat err)"
done
echo old >kept.out
run -q -o kept.out sh -c 'ulimit -c 0; exit 0'
ends_with 0
written kept.out
what='ulimit -f 0'
echo old >kept.out
status=0
(
	ulimit -f 0
	exec "$PROFRUN" -q -o kept.out true 2>/dev/full
) || status=$?
ends_with 125
[ "$(cat kept.out)" = old ] || complain 'has spoilt the old file'

# A signal sent to profrun reaches the program, and the profile is written.
what='a signal to profrun'
rm -f gmon.out gmon.syms
mkfifo ready
"$PROFRUN" -q sh -c 'trap "exit 7" TERM; echo >ready
	while :; do :; done' &
read -r line <ready
[ -z "$line" ] || complain "says $line"
kill -TERM $!
status=0
wait $! || status=$?
ends_with 7
written gmon.out gmon.syms
exit "$bad"
