#!/bin/sh
# Stacks of whole programs, taken with -g: of nested functions, in threads, in a
# signal's handler with a stack of its own, while it waits, of 32 bits; where others
# have theirs, too, and in code that was loaded later; and of a program whose stack
# never comes.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0

fail() {
	echo "$*" >&2
	bad=1
}

# Such a program would be waited for for ever.
# shellcheck disable=SC2154
unanswered=$abs_top_builddir/tests/workloads/unanswered
status=0
"$unanswered" 0 || status=$?
if [ "$status" = 0 ]; then
	for options in "--trigger=timer" "--trigger=interrupt" "-w"; do
		status=0
		timeout -s KILL 60 "$PROFRUN" -q -g $options "$unanswered" 0.5 ||
			status=$?
		[ "$status" = 0 ] || fail "unanswered, $options: exit status $status"
	done
	"$unanswered" 60 &
	pid=$!
	timeout -s KILL 60 "$PROFRUN" -q -g -p "$pid" -d 0.3 ||
		fail "unanswered, -p: exit status $?"
	kill -0 "$pid" || fail "unanswered: it did not live on"
	kill "$pid"
fi

"$PROFRUN" export --help | grep -q folded || {
	echo "no format shows stacks"
	[ "$bad" = 0 ] && exit 77
	exit 1
}

cat >nested.c <<'EOF'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
volatile unsigned long turns;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

APART void
leaf(double until)
{
	while (now() < until)
		for (int i = 0; i < 100000; i++)
			turns++;
}

APART void
b(double until)
{
	leaf(until);
	turns++;
}

APART void
a(double until)
{
	b(until);
	turns++;
}

APART void *
in_thread(void *arg)
{
	a(0.4);
	return arg;
}

APART void
in_handler(int signal)
{
	a(0.8);
	turns += (unsigned long)signal;
}

APART void
asleep(void)
{
	usleep(400000);
	turns++;
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	static char other_stack[1 << 16];
	char above[1 << 16];
	stack_t other = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
	struct sigaction action = {
		.sa_handler = in_handler,
		.sa_flags = SA_ONSTACK,
	};
	pthread_t thread;

	if (!strcmp(how, "thread")) {
		pthread_create(&thread, NULL, in_thread, NULL);
		pthread_join(thread, NULL);
	} else if (!strcmp(how, "handler") || !strcmp(how, "above")) {
		struct itimerval at = {.it_value.tv_usec = 50000};

		if (!strcmp(how, "above"))
			other.ss_sp = above;
		/* By CPU time: some samples have been taken by then. */
		sigaltstack(&other, NULL);
		sigaction(SIGPROF, &action, NULL);
		setitimer(ITIMER_PROF, &at, NULL);
		a(0.2);
	} else if (!strcmp(how, "handlers")) {
		other.ss_sp = malloc(sizeof other_stack);
		sigaltstack(&other, NULL);
		sigaction(SIGUSR1, &action, NULL);
		raise(SIGUSR1);
	} else if (!strcmp(how, "sleep")) {
		asleep();
	} else {
		a(0.4);
	}
	return 0;
}
EOF
# try NAME HOW OPTIONS FRAMES: most ticks of NAME HOW have FRAMES, one called by the
# other.  One sample of a busy machine can have many ticks: a miss is judged by all
# of three runs.
try() {
	rm -f "$1.folded"
	for run in 1 2 3; do
		# shellcheck disable=SC2086
		timeout -s KILL 60 "$PROFRUN" -q -g $3 -f pcsample -o "$1.trace" \
			"./$1" $2 || fail "$1 $2 $3: exit status $?"
		"$PROFRUN" export -q -f folded -o "$1.run" "$1.trace"
		cat "$1.run" >>"$1.folded"
		has_frames "$4" "$1.folded" && return
		echo "$1 $2 $3: run $run is a miss" >&2
	done
	fail "$1 $2 $3: not most stacks have $4"
	cat "$1.folded" >&2
}
# has_frames FRAMES FILE: FRAMES is a regular expression.
has_frames() {
	awk -v frames="$1" '{
		n = $NF
		sub(/ [0-9]+$/, "")
		if (/waiting for a processor/)
			next
		all += n
		good += ($0 ";") ~ (frames ";") ? n : 0
	}
	END { exit !(all > 10 && good >= 0.8 * all) }' "$2"
}

try_all() {
	try "$1" '' '' 'main;a;b;leaf'
	try "$1" '' --trigger=interrupt 'main;a;b;leaf'
	try "$1" '' --clock=user 'main;a;b;leaf'
	try "$1" thread '' 'in_thread;a;b;leaf'
	try "$1" sleep -w 'main;asleep'
}

$CC -O2 -g -pthread -o nested nested.c
try_all nested
# Of a thread that is not stopped nobody knows the frame pointer.
$CC -O2 -g -fno-omit-frame-pointer -pthread -o framed nested.c
try framed sleep -w 'main;asleep'
# The kernel copies the stack of the handler alone.
try nested handler --trigger=timer 'main;a;b;leaf;.*in_handler;a;b;leaf'
# Its stack is a part of the usual one, above what the signal interrupts.
try nested above --trigger=timer 'main;a;b;leaf;.*in_handler;a;b;leaf'
# One that is always in a handler, from its first sample on.
try nested handlers --trigger=timer 'main;.*in_handler;a;b;leaf'
# A deep stack, behind which the mapping goes on, as that of many coroutines does.
cat >shared.c <<'EOF'
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define APART __attribute__((noinline, noclone))
volatile unsigned long turns;

APART int
deep(int n)
{
	volatile char room[4096];
	clock_t end = clock() + CLOCKS_PER_SEC;

	room[n] = 1;
	if (n > 0)
		return deep(n - 1) + room[n];
	while (clock() < end)
		for (int i = 0; i < 100000; i++)
			turns++;
	return room[0];
}

APART void *
in_thread(void *arg)
{
	turns += (unsigned long)deep(40);
	return arg;
}

int
main(void)
{
	enum { STACK = 1 << 20, ALL = 16 << 20 };
	char *memory = mmap(NULL, ALL, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attr;
	pthread_t thread;

	memset(memory, 1, ALL);
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, memory, STACK);
	pthread_create(&thread, &attr, in_thread, NULL);
	pthread_join(thread, NULL);
	return 0;
}
EOF
$CC -O2 -g -pthread -o shared shared.c
try shared '' '-F 250 --trigger=timer' 'in_thread;deep'
# Code that is mapped as the program runs calls back.
cat >plugin.c <<'EOF'
void
run(void (*call)(void))
{
	call();
	__asm__ volatile("");
}
EOF
cat >plugins.c <<'EOF'
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

volatile unsigned long turns;

__attribute__((noinline)) void
callback(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 25;

	while (clock() < end)
		for (int i = 0; i < 100000; i++)
			turns++;
}

int
main(void)
{
	for (int i = 0; i < 10; i++) {
		char name[20];

		snprintf(name, sizeof name, "./plugin%d.so", i);
		void (*run)(void (*)(void)) =
			(void (*)(void (*)(void)))dlsym(dlopen(name, RTLD_NOW),
							"run");
		run(callback);
	}
	return 0;
}
EOF
i=0
while [ $i -lt 10 ]; do
	$CC -O2 -fPIC -shared -o plugin$i.so plugin.c
	i=$((i + 1))
done
$CC -O2 -g -o plugins plugins.c -ldl
try plugins '' --trigger=timer 'main;run;callback'
if $CC -m32 -O2 -g -pthread -o nested32 nested.c 2>/dev/null && ./nested32 sleep; then
	try_all nested32
else
	echo "no program of 32 bits can be made"
fi
# How many stacks are whole is the same in a table and on the page, also of a run in
# which the kernel switches, and ends processes, all the time.
# (A shell has a "true" of its own.)
"$PROFRUN" -q -g -F 1000 -f pcsample -o short.trace sh -c '
	i=0
	while [ $i -lt 40 ]; do env true; i=$((i + 1)); done' ||
	fail "short: exit status $?"
"$PROFRUN" export -q -f flame -o short.html short.trace
whole=$("$PROFRUN" report short.trace | sed -n 's/^  stacks *\([0-9.]*\) % complete.*/\1/p')
grep -q "; $whole % of the stacks are complete" short.html ||
	fail "short: $whole % are complete, not $(grep -o '[0-9.]* % of the stacks' short.html)"
exit "$bad"
