#!/bin/sh
# A bad command line: one line on stderr, nothing on stdout, status 125, and
# no program is run.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0

complain() {
	echo "profrun $line: $1" >&2
	bad=1
}

# check WORDS... : each alone must be refused, before the program is started
check() {
	line="$*"
	rm -f ran
	status=0
	"$PROFRUN" "$@" touch ran >out 2>err || status=$?
	[ "$status" = 125 ] || complain "status $status"
	[ ! -s out ] || complain "says on stdout: $(cat out)"
	[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
	grep -q '^profrun: ' err || complain "says without our name: $(cat err)"
	[ ! -e ran ] || complain "has run the program"
	# Nothing may be left behind, either.
	for file in .profrun* gmon*; do
		[ ! -e "$file" ] || complain "leaves $file"
	done
}

for rate in 0 -1 abc 1000000000 1e5 1.5 '' 10001 99999999999999999999; do
	check -F "$rate"
	check "--frequency=$rate"
done
for time in 10 0 0s -1ms abc 1e3us 99us 2s '' 5m 99999999999999999999s; do
	check -i "$time"
	check "--interval=$time"
done
for clock in real '' CPU cpu,user; do
	check "--clock=$clock"
done
for trigger in Perf '' none; do
	check "--trigger=$trigger"
done
for pattern in '' dir/ % %t/x %x '%q{' '%q{}' '%q' '%p/x'; do
	check -o "$pattern"
done
check -o '%q{PRF_NO_SUCH_VARIABLE}'
check --inherit-counts -o gmon.%t.out
check --nonsense
check -g report
check -o x export
check -F 1000 -f gmon merge
check --nonsense=1
check -Z
check -p 1
for pids in 0 -1 '' '1,' ',1' 1,,2 x 1x 99999999999; do
	check -p "$pids"
done
for which in '' some ALL all,exec; do
	check "--follow=$which"
done
for time in 0 '' x -1 1h 1e3 . 86401 0s s 86401s; do
	check -d "$time"
done
for time in '' x -1 1h ms 86401s; do
	check -D "$time"
done
for signal in '' KILL STOP INT CHLD 0 65 -1 33 NONE SIG; do
	check "--toggle-signal=$signal"
done
check -vZ
check --split=1
check --ver

# What cannot be written is told before the program runs.
check -o none/gmon.out
check -o /proc/self/gmon.out
mkdir d
check -o d
check -o .
ln -s d link
check -o link
touch file
check -o file/gmon.out
ln -s /dev/null null
check --split -o null
mkdir x.syms
check -o x.out
if [ "$(id -u)" != 0 ]; then
	mkdir -m 555 closed
	check -o closed/gmon.out
	: >kept
	chmod 444 kept
	check -o kept
fi

# Without a program there is nothing that could be tried.
for words in '' -v -- '-F 100'; do
	status=0
	# shellcheck disable=SC2086
	"$PROFRUN" $words >out 2>err || status=$?
	line=$words
	[ "$status" = 125 ] || complain "status $status"
	[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
done
for word in -F -o --output --clock; do
	line=$word
	status=0
	"$PROFRUN" "$word" >out 2>err || status=$?
	[ "$status" = 125 ] || complain "status $status"
	grep -q 'requires an argument' err || complain "says: $(cat err)"
done
exit "$bad"
