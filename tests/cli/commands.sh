#!/bin/sh
# Each command has its own help; "record" is what there is without a command; a
# program that cannot be found is told from one that cannot run.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
unset ARGP_HELP_FMT || :

# says STATUS TEXT COMMAND...: one line on stderr, nothing on stdout
says() {
	what="${*}"
	expected=$1
	text=$2
	shift 2
	status=0
	"$@" >out 2>err || status=$?
	ends_with "$expected"
	[ "$(cat err)" = "profrun: $text" ] || complain "says: $(cat err)"
	[ ! -s out ] || complain "prints: $(cat out)"
}

# --- -h

for command in '' annotate record check diff dump export merge report top; do
	for option in -h --help; do
		what="$command $option"
		status=0
		# shellcheck disable=SC2086
		"$PROFRUN" $command $option >out 2>err || status=$?
		ends_with 0
		[ ! -s err ] || complain "complains: $(cat err)"
		grep -q '^  -h, --help' out || complain "is no help: $(head -n 3 out)"
		awk 'length > 79' out | grep . >&2 && complain 'has long lines'
	done
done
for heading in Sampling 'Target and time' Output Information; do
	what=--help
	"$PROFRUN" --help | grep -qx " $heading:" || complain "no $heading"
done
for command in record check diff export merge report; do
	what=--help
	"$PROFRUN" --help | grep -q "^  $command " || complain "no $command"
done

# --- record

profile record -o a.out -F 50 sh -c 'exit 3'
ends_with 3
[ -s a.out ] || complain 'leaves no a.out'
grep -q ' 50 Hz' err || complain "not at 50 Hz: $(cat err)"
profile -q record -- sh -c 'exit 4'
ends_with 4
printf '#!/bin/sh\nexit 5\n' >record
chmod +x record
PATH=$PWD:$PATH
profile -q ./record
ends_with 5
profile -q -- record
ends_with 5
profile -q record record
ends_with 5
says 125 'no program to run; use profrun [OPTION...] PROGRAM [ARG...], or --help' \
	"$PROFRUN" record

# --- What is not there

says 127 'no-such-program: not found in PATH' "$PROFRUN" no-such-program
says 127 './no-such-program: no such file' "$PROFRUN" ./no-such-program
says 127 ': not found in PATH' "$PROFRUN" ''
printf '#!/no/such/interpreter\n' >orphan
chmod +x orphan
for program in ./orphan orphan; do
	says 127 "$program: the interpreter or dynamic loader that it names is not there" \
		"$PROFRUN" "$program"
done
says 125 'merge: -o OUT is missing; use profrun merge -o OUT FILE...' \
	"$PROFRUN" merge x

# --- Times with a unit, and without

profile -d 200ms -D 10ms -o null sleep 1
ends_with 0
profile -d 0.2 -D 10 -o null sleep 1
ends_with 0
exit "$bad"
