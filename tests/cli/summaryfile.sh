#!/bin/sh
# --summary-file: what profrun has to say is there, and the program's stderr is its
# own; errors are on stderr all the same.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

profile --summary-file=summary sh -c 'echo mine >&2'
ends_with 0
[ "$(cat err)" = mine ] || complain "on stderr: $(cat err)"
grep -q '^  command   sh -c' summary || complain "$(cat summary)"
# Also where profrun dies as its program did.
rm summary
profile --summary-file=summary sh -c 'kill -9 $$' 2>/dev/null
grep -q 'signal 9' summary || complain "$(cat summary)"
# An older one is replaced; a device is written to.
profile --summary-file=summary true
grep -q 'signal 9' summary && complain "$(cat summary)"
# What never ran has none.
cp summary before
profile --summary-file=summary ./nosuch
ends_with 127
cmp -s before summary || complain "replaces the older one: $(cat summary)"
profile --summary-file=/dev/stdout true
grep -q '^  command   true' out || complain "$(cat out)"
# Warnings are there, too.
profile --summary-file=summary -i 3ms true
[ ! -s err ] || complain "on stderr: $(cat err)"

# What cannot be written is told before the program runs.
mkdir directory
for file in directory none/summary ''; do
	profile --summary-file="$file" touch ran
	ends_with 125
	[ "$(wc -l <err)" = 1 ] || complain "says: $(cat err)"
	[ ! -e ran ] || complain 'runs the program'
done
# It takes no name that a file of the profile has, or may come to have.
beside() {
	rm -f ran
	profile "$@" touch ran
	ends_with 125
	grep -q "is the name of a file of the profile" err ||
		complain "says: $(cat err)"
	[ ! -e ran ] || complain 'runs the program'
}
beside -o a --summary-file=a
beside -o a --summary-file=./a.syms
beside -o gmon.out --summary-file="../$(basename "$work")/gmon.out"
beside -f pcsample -o a --summary-file=a
beside -f pcsample,gmon -o a --summary-file=a.trace
beside -f raw -o a --summary-file=a.maps
beside -g --summary-file=profrun.pb.gz
beside -o 'a.%n' --summary-file=a.touch
profile -o a --summary-file=directory/a true
ends_with 0
profile -o null --summary-file=null true
ends_with 0
profile --summary-file=full true
ends_with 125
grep -q '^profrun: .*No space left' err || complain "$(cat err)"
profile -q --summary-file=summary true
ends_with 125
[ -z "$(find . -name '.profrun.*')" ] || complain 'leaves a file'

# Of a process that runs already: whom it watches is said at once.
"$workloads/shares" 2 &
pid=$!
status=0
"$PROFRUN" --summary-file=summary -p "$pid" -d 0.2 2>err || status=$?
wait "$pid" || :
[ "$status" = 0 ] || {
	grep -Eq 'yama|ptrace is refused' err && exit "$bad"
	complain "ends with $status: $(cat err)"
}
[ "$(wc -l <err)" = 1 ] && grep -q '^profrun: watching ' err ||
	complain "on stderr: $(cat err)"
grep -q "^  attached  to $pid" summary || complain "$(cat summary)"
exit "$bad"
