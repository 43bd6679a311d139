#!/bin/sh
# Samples that the kernel takes: where they are refused, profrun says so; where
# they are allowed, ticks are CPU time at any rate and of any thread, the program
# gets no signal, and what it maps, calls and starts has its name.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# Refused: one line, and the program is not run.
what='profrun --trigger=ring, refused'
status=0
"$abs_top_builddir/tests/support/refusing" perf_event_open \
	"$PROFRUN" --trigger=ring touch ran >out 2>err || status=$?
[ "$status" != 77 ] || exit 77
ends_with 125
[ ! -e ran ] || complain 'has run the program'
[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
grep -q '^profrun: trigger ring: .*seccomp' err || complain "says: $(cat err)"

# Not asked for: the timer does it, -v says why, and one line that the rate is
# not what was asked for; of the usual rate no word is said.
without_ring() {
	what="profrun $*, refused"
	status=0
	"$abs_top_builddir/tests/support/refusing" perf_event_open \
		"$PROFRUN" "$@" >out 2>err || status=$?
	ends_with 0
}
if "$abs_top_builddir/tests/support/refusing" perf_event_open "$PROFRUN" -q \
	-o null true 2>err; then
	without_ring -v -F 10000 "$workloads/shares" 0.5
	grep -q "warning: 10000 Hz asked for, .* kernel's tick is .*; ring: .*seccomp" \
		err || complain "says of the rate: $(cat err)"
	grep -q 'without trigger ring: .*seccomp' err || complain "says: $(cat err)"
	[ "$(ticks)" -gt 0 ] || complain 'has no ticks'
	without_ring "$workloads/shares" 1.5
	! grep -q 'Hz asked for' err || complain "warns: $(cat err)"
fi

silent_triggers | grep -qx ring || exit "$bad"

is_close() {
	awk -v a="$1" -v b="$2" -v part="$3" \
		'BEGIN { exit !(a < b * (1 + part) && a > b * (1 - part)) }'
}
# ticks_are_cpu_time HZ WORKLOAD ARGUMENT...
ticks_are_cpu_time() {
	hz=$1 workload=$2
	shift 2
	profile --trigger=ring -F "$hz" "$workloads/$workload" "$@"
	ends_with 0
	per_second=$(sum ticks "$(ticks)" |
		quotient "$(sum cpu_seconds "$(value cpu_seconds)")")
	echo "$what: $per_second ticks a second"
	is_close "$per_second" "$hz" 0.04
}
once_more ticks_are_cpu_time 1000 shares 1
once_more ticks_are_cpu_time 10000 shares 1
once_more ticks_are_cpu_time 1000 syscalls 1

# Threads of half a millisecond have their part.
short_threads_count() {
	profile --trigger=ring -F 1000 "$workloads/churn" 1 0.5
	ends_with 0
	is_close "$(sum ticks "$(ticks)")" \
		"$(sum expected "$(product 1000 "$(value cpu_seconds)")")" 0.12
}
once_more short_threads_count

# A thread that blocks all signals, by the system call, and waits for any.
masked_thread_counts() {
	profile --trigger=ring -F 1000 "$workloads/masked" 1 raw
	ends_with 0
	[ "$(value received)" = 0 ] || complain "signals: $(cat out)"
	is_close "$(sum ticks "$(ticks)")" \
		"$(sum expected "$(product 1000 "$(value cpu_seconds)")")" 0.04
}
once_more masked_thread_counts

# In step with the kernel's tick, and so with a sample at each tick, at every
# other one, or two at each: both halves are seen as they are.  (Where processors
# are waited for, nothing is in step.)
first=
chrt -f 10 true 2>/dev/null && first='chrt -f 10'
is_seen_as_it_is() {
	# shellcheck disable=SC2086
	profile --trigger=ring -F "$1" $first "$workloads/periodic" 2 "$2"
	ends_with 0
	found=$(awk -v a="$(share first_half)" -v b="$(share second_half)" \
		'BEGIN { print (a + b > 0 ? 100 * a / (a + b) : 0) }')
	echo "$1 Hz, offset $2: found $found, true $(value first_half)"
	is_near first_half "$found" "$(value first_half)" "$(ticks)"
}
for hz in 125 250 500; do
	once_more is_seen_as_it_is $hz 0
	once_more is_seen_as_it_is $hz 0.25
done

# A system call has its name; user time alone has none.
profile --trigger=ring -F 1000 "$workloads/syscalls" 1
for name in read getdents64; do
	awk -v name="$(share $name '[kernel]')" 'BEGIN { exit !(name > 0) }' ||
		complain "does not name $name: $(cat err)"
done
! grep -qF some_system_call err || complain "does not name calls: $(cat err)"
profile --trigger=ring --clock=user -F 1000 "$workloads/syscalls" 1
! grep -qF '[kernel]' err || complain "has the kernel: $(cat err)"

# So has a page fault, and what computes has none.
profile --trigger=ring -F 1000 "$workloads/faults" 1
is_between 20 100 "$(share page_fault '[kernel]')" ||
	complain "does not name page faults: $(cat err)"
faults_are_system_time() {
	profile --trigger=ring -F 1000 "$workloads/faults" 1
	found=$(share page_fault '[kernel]')
	calls=$(awk '$3 == ".." && $7 == "[kernel]" && $6 != "page_fault" { sum += $1 }
		END { print sum + 0 }' err)
	seconds=$(sum seconds "$(awk -v part="$found" -v calls="$calls" \
		-v cpu="$(value cpu_seconds)" \
		'BEGIN { print (part + calls) / 100 * cpu }')")
	true=$(sum true "$(value system_seconds)")
	echo "page faults: $found %, calls: $calls %, $seconds s of $true s"
	is_close "$seconds" "$true" 0.25
}
once_more faults_are_system_time
# (To begin takes some, and they are dear on some virtual machines.)
profile -D 300 --trigger=ring -F 1000 "$workloads/shares" 1.3
is_between 0 0.5 "$(share page_fault '[kernel]')" ||
	complain "has page faults: $(cat err)"

# Processes that end before their samples are read, and what they map.
profile -v --trigger=ring -F 4000 sh -c \
	'i=0; while [ $i -lt 40 ]; do sh -c :; i=$((i + 1)); done'
ends_with 0
unknown=$(awk '$3 == ".." && /\[unknown\]/ { sum += $1 } END { print sum + 0 }' err)
awk -v part="$unknown" 'BEGIN { exit !(part < 5) }' ||
	complain "$unknown % are unknown: $(cat err)"

# Stacks, as deep as the kernel copies them: 31 KiB, and 63 of a thread some of whose
# stacks were cut.  Deeper ones are cut, and it is said how many are.
cat >deep.c <<'EOF'
#include <stdlib.h>
#include <string.h>
#include <time.h>

volatile unsigned long turns;
static double seconds;

__attribute__((noinline, noclone)) void
leaf(void)
{
	while (clock() < CLOCKS_PER_SEC * seconds)
		for (int i = 0; i < 100000; i++)
			turns++;
	turns++;
}

__attribute__((noinline, noclone)) void
frames(int n)
{
	volatile char room[4096];

	memset((char *)room, n, sizeof room);
	if (n)
		frames(n - 1);
	else
		leaf();
	turns += (unsigned long)room[n];
}

int
main(int argc, char **argv)
{
	seconds = argc > 2 ? atof(argv[2]) : 0.3;
	frames(argc > 1 ? atoi(argv[1]) : 0);
	return 0;
}
EOF
$CC -O2 -g -o deep deep.c
# stacks OF: percent of all that are so.
stacks() {
	sed -n 's/^  stacks  *//p' err | tr ',' '\n' |
		awk -v of="$1" '$0 ~ of { found = $1 } END { print found + 0 }'
}
profile -g -F 1000 ./deep 3
ends_with 0
is_between 90 100 "$(stacks complete)" || complain "cuts: $(cat err)"
# The first ones are cut, until it is known that they are; no tick is lost for that,
# but on a machine that is too slow for so many bytes, and then it is said.
deep_stacks_are_whole() {
	profile -g -F 250 ./deep 10 4
	ends_with 0
	echo "$what: $(stacks complete) % are complete, $(ticks) ticks, $(lost) lost"
	known=$(sum known "$(($(ticks) + $(lost)))")
	due=$(sum due "$(product 250 "$(cpu)")")
	whole=$(sum complete "$(stacks complete)") all=$(sum all 100)
	is_close "$known" "$due" 0.1 && is_close "$whole" "$all" 0.2
}
once_more deep_stacks_are_whole
profile -g -F 1000 ./deep 20
ends_with 0
is_between 90 100 "$(stacks cut)" || complain "does not say: $(cat err)"
tr '\n' ' ' <err | grep -q 'that are cut *have more' || complain "does not say: $(cat err)"

# A process that is attached to.
"$workloads/shares" 10000 >attached &
pid=$!
what="profrun -p $pid"
status=0 ended=0
"$PROFRUN" --trigger=ring -F 1000 -d 1 -p "$pid" 2>err || status=$?
kill "$pid" 2>/dev/null || complain 'the program has not lived on'
wait "$pid" || ended=$?
[ "$ended" = 143 ] || complain "the program ends with $ended: $(cat attached)"
if ! grep -q 'ptrace is refused' err; then
	ends_with 0
	[ "$(ticks)" -gt 0 ] || complain "has no ticks: $(cat err)"
fi

# Threads that had run before profrun came, in the order of a tick each, and hardly
# run under it; and a thread that is not the first and executes a program, whose files
# in /proc are then those of the first.
cat >past.c <<'EOF'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static pthread_barrier_t all;
static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}
static void spend(double s)
{
	for (double end = cpu_s() + s; cpu_s() < end;)
		for (volatile int i = 0; i < 200; i++)
			;
}
static void *run_again(void *arg)
{
	spend(0.0007);
	pthread_barrier_wait(&all);
	spend(0.0001);
	pthread_barrier_wait(&all);
	return arg;
}
static void *execute(void *arg)
{
	spend(0.4);
	execlp(arg, arg, NULL);
	return NULL;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	pthread_t thread;

	pthread_barrier_init(&all, NULL, n + 1);
	if (!n) {
		pthread_create(&thread, NULL, execute, "true");
		pause();
	}
	for (int i = 0; i < n; i++)
		pthread_create(&thread, NULL, run_again, NULL);
	usleep(300000);
	puts("ready");
	fflush(stdout);
	getchar();
	pthread_barrier_wait(&all);
	pthread_barrier_wait(&all);
	usleep(100000);
}
EOF
$CC -O2 -pthread -o past past.c
mkfifo go
./past 150 <go >attached &
pid=$!
exec 5>go
what='profrun -p, of threads with a past'
await grep -q ready attached
"$PROFRUN" -v --trigger=ring -F 1000 -p "$pid" 2>err &
profrun=$!
await grep -q '^TracerPid:[^0-9]*[1-9]' "/proc/$pid/task/$pid/status" || :
echo >&5
exec 5>&-
wait "$profrun" || :
if ! grep -q 'ptrace is refused' err; then
	is_between 0 90 "$(ticks)" || complain "counts their past: $(cat err)"
fi
rm go
executes() {
	profile --trigger=ring -F 1000 ./past
	ends_with 0
	is_close "$(sum coverage "$(awk '$1 == "coverage" { print $2 }' err)")" \
		"$(sum all 100)" 0.1
}
once_more executes

# In a time namespace its times are those of the run.  (What has made one can begin no
# thread on older kernels, 6.1 among them; a child of it can.)
if unshare -f -T --monotonic 100000 true 2>/dev/null; then
	what='a time namespace'
	unshare -f -T --monotonic 100000 "$PROFRUN" -q --trigger=ring -F 1000 -f pcsample \
		-o elsewhen "$workloads/shares" 0.3 >out 2>err || complain "fails: $(cat err)"
	"$PROFRUN" export -f text elsewhen >text
	awk '$1 < 0 || $1 > 600' text >outside
	[ -s text ] && [ ! -s outside ] || complain "has: $(head -3 outside)"
fi

# By itself it is the first; attached to, a process is not asked for anything.
profile -v -F 100 "$workloads/shares" 0.3
! grep -q '^  trigger' err || complain "has another: $(cat err)"
if strace -o none.strace true 2>/dev/null; then
	what='a process that is attached to'
	"$workloads/shares" 10000 >attached &
	pid=$!
	strace -f -e trace=ptrace,tgkill,kill -o calls.strace \
		"$PROFRUN" -q -F 1000 -d 0.5 -p "$pid" 2>err || :
	kill "$pid"
	if ! grep -q 'ptrace is refused' err; then
		grep -q "PTRACE_SEIZE, $pid" calls.strace ||
			complain "is not attached to: $(cat calls.strace err)"
		! grep -v PTRACE_SEIZE calls.strace | grep "[(]$pid, " ||
			complain 'is stopped, or sent something'
	fi
fi
exit "$bad"
