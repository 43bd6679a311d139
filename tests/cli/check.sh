#!/bin/sh
# profrun check tells what works here and what does not, and its exit status
# says whether a program can be profiled.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
refusing=$abs_top_builddir/tests/support/refusing

# check COMMAND...: what it prints in out, its status in $status.
check() {
	what=$*
	status=0
	"$@" >out 2>err || status=$?
}
# says SUBJECT VERDICT
says() {
	[ "$(awk -v subject="$1" '$1 == subject { print $2 }' out)" = "$2" ] ||
		complain "no line '$1 $2': $(grep "^$1" out)"
}

check "$PROFRUN" check
[ ! -s err ] || complain "complains: $(cat err)"
for subject in ptrace Yama seccomp timer ring kernel tick mappings debuginfod \
	capabilities processes; do
	[ "$(grep -c "^$subject " out)" = 1 ] || complain "no one line of $subject"
done
# It says of this machine what a run finds.
profile -q -o null --trigger=timer true
[ "$status" != 0 ] || {
	check "$PROFRUN" check
	ends_with 0
	says ptrace yes
}
if silent_triggers | grep -qx ring; then
	says ring yes
	if grep -q '^0*[1-9a-f][0-9a-f]* [tT] ' /proc/kallsyms 2>err; then
		says kernel yes
	else
		says kernel no
	fi
else
	says ring no
	says kernel no
fi
[ ! -e gmon.out ] || complain 'leaves gmon.out'

if "$refusing" ptrace true; then
	check "$refusing" ptrace "$PROFRUN" check
	ends_with 1
	says ptrace no
	grep -q 'cannot be profiled' out || complain "says: $(tail -n 1 out)"
	check "$refusing" perf_event_open "$PROFRUN" check
	[ "$status" = 1 ] || says ring no
	check "$refusing" timer_create "$PROFRUN" check
	[ "$status" = 1 ] || says timer no
fi

# It takes nothing, and what it says must get through.
check "$PROFRUN" check something
ends_with 125
[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
if [ -e /dev/full ]; then
	status=0
	"$PROFRUN" check >/dev/full 2>err || status=$?
	ends_with 125
fi

# A program of that name is reached by -- or a slash.
printf '#!/bin/sh\nexit 3\n' >check
chmod +x check
PATH=$PWD:$PATH
for words in './check' '-- check' '-q -- check'; do
	# shellcheck disable=SC2086
	check "$PROFRUN" $words
	[ "$status" = 125 ] || ends_with 3
done
"$PROFRUN" --help | grep -q '^  check ' || complain 'not in --help'
exit "$bad"
