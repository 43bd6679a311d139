#!/bin/sh
# dump: what the threads of a process do, of one whose threads are known; and that
# it does not notice.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

cat >circle.c <<'EOF2'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static void __attribute__((noinline))
lock_both(pthread_mutex_t *one, pthread_mutex_t *other)
{
	pthread_mutex_lock(one);
	pthread_barrier_wait(&barrier);
	pthread_mutex_lock(other);
	puts("never");
}
static void *forwards(void *arg) { lock_both(&first, &second); return arg; }
static void *backwards(void *arg) { lock_both(&second, &first); return arg; }
static void *reader(void *arg)
{
	char byte;
	if (read(0, &byte, 1) != 1)
		perror("read");
	return arg;
}
static volatile unsigned turns;
static void *spinner(void *arg) { for (;;) turns++; return arg; }
int main(void)
{
	pthread_t threads[6];
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&threads[0], NULL, reader, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	pthread_create(&threads[2], NULL, spinner, NULL);
	pthread_create(&threads[3], NULL, forwards, NULL);
	pthread_create(&threads[4], NULL, backwards, NULL);
	pthread_join(threads[4], NULL);
	return 0;
}
EOF2
# shellcheck disable=SC2086 # CC may have words
${CC:-cc} -g -O1 -pthread -o circle circle.c || {
	echo 'no compiler'
	exit 77
}
mkfifo held
sleep 600 >held &
sleeper=$!
./circle <held 2>circle.err &
pid=$!
trap 'kill -KILL $pid $sleeper 2>/dev/null || true' EXIT

# dumped STATUS ARG...: the dump in out
dumped() {
	expected=$1
	shift
	what="profrun dump $*"
	status=0
	"$PROFRUN" dump "$@" >out 2>err || status=$?
	if grep -q 'sysctl kernel.yama' err; then
		cat err
		exit 77
	fi
	ends_with "$expected"
}
# Where the C library keeps frame pointers the caller of what waits is a guess.
guess='( \(guessed\))?'
has() {
	grep -Eq "$1" out || complain "no $1: $(cat out)"
}

# Until all of its threads are where they stay.
tries=0
until dumped 0 "$pid" && grep -q 'held by' out &&
	grep -q 'for the end of' out && grep -q '^2 threads, each waits in read' out; do
	tries=$((tries + 1))
	[ "$tries" -lt 500 ] || {
		complain "is not where it should be: $(cat out)"
		exit 1
	}
done
[ ! -s err ] || complain "said: $(cat err)"
has "^process $pid, 6 threads$"
has '^thread [0-9]+ circle runs$'
has '^  #0 +spinner in circle$'
has "^  #[0-9]+ +lock_both$guess in circle\$"
has '^  #[0-9]+ +main in circle$'
[ "$(grep -c 'for a mutex, which is held by thread' out)" = 2 ] ||
	complain "no circle: $(cat out)"
# They wait for each other.
awk '/for a mutex, which is held by/ { holds[$2] = $(NF - 1) }
	END { for (t in holds) if (holds[holds[t]] != t) exit 1 }' out ||
	complain "no circle: $(cat out)"
awk 'length > 200' out | grep . >&2 && complain 'has long lines'

dumped 0 --each "$pid"
[ "$(grep -c '^thread [0-9]* circle waits in read(fd 0 (.*), 1 byte)$' out)" = 2 ] ||
	complain "no readers: $(cat out)"

dumped 0 --lines "$pid"
has "^  #[0-9]+ +lock_both$guess at circle.c:12 in circle\$"
has "^  #[0-9]+ +reader$guess at circle.c:20 in circle\$"

# What waits was not even woken; what runs, runs on.
switches() {
	awk '/^voluntary_ctxt/ { print $2 }' "/proc/$pid/task/$1/status"
}
before=$(switches "$pid")
for _ in 1 2 3 4 5; do
	dumped 0 "$pid"
done
[ "$(switches "$pid")" = "$before" ] || complain 'has woken a thread'
[ ! -s circle.err ] || complain "a call has failed: $(cat circle.err)"
grep -q '^TracerPid:	0$' "/proc/$pid/status" || complain 'it is still traced'

# It was stopped, and stays so.
kill -STOP "$pid"
while grep -q '^State:	[^T]' "/proc/$pid"/task/*/status; do
	:
done
dumped 0 "$pid"
has 'kill -CONT'
has '^thread [0-9]+ circle is stopped$'
has '^  #0 +spinner in circle$'
grep -q '^State:	T' "/proc/$pid/status" || complain 'it runs'

# For programs, with lines: both tell all.
dumped 0 --lines --json "$pid" "$sleeper"
is_valid dump
mv out dump.json
dumped 0 --lines --csv "$pid" "$sleeper"
has "^$pid,$pid,\"circle\",T,blocked,,.*,\"main\",[0-9]+,\".*/circle\",\".*circle.c\",35,0,[01],"
has ',0,1,"./circle"$'
if command -v python3 >/dev/null; then
	python3 "$abs_top_srcdir/tests/cli/dump_csv.py" out dump.json ||
		complain 'its CSV is not as its JSON is'
fi
kill -CONT "$pid"

# JSON, of two processes at once; one that is not there leaves the others.
dumped 1 --json "$pid" 4194304 "$sleeper"
grep -qx 'profrun: process 4194304: there is no such process' err ||
	complain "says: $(cat err)"
is_valid dump
if command -v python3 >/dev/null; then
	python3 "$abs_top_srcdir/tests/cli/dump_json.py" out "$pid" "$sleeper" ||
		complain 'its JSON is not as it should be'
fi

# Several threads that wait for one mutex: who has it is said once.
cat >queue.c <<'END'
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *in_queue(void *arg)
{
	pthread_mutex_lock(&mutex);
	return arg;
}
int main(void)
{
	pthread_t threads[3];
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, in_queue, NULL);
	pause();
}
END
${CC:-cc} -O1 -pthread -o queue queue.c
./queue &
sleeper="$sleeper $!"
queue=$!
tries=0
until dumped 0 "$queue" && grep -q '^3 threads, each waits in futex' out; do
	tries=$((tries + 1))
	[ "$tries" -lt 500 ] || {
		complain "is not where it should be: $(cat out)"
		exit 1
	}
done
has "^  each waits for a mutex, which is held by thread $queue queue$"
[ "$(grep -c 'held by' out)" = 1 ] || complain "says it again: $(cat out)"

# Threads at two lines of one function: with lines their stacks are two.
cat >lines.c <<'END'
#include <pthread.h>
#include <unistd.h>
static void *either(void *arg)
{
	if (arg)
		pause();
	else
		pause();
	return arg;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, either, NULL);
	pthread_create(&thread, NULL, either, &thread);
	pthread_join(thread, NULL);
}
END
# shellcheck disable=SC2086 # CC may have words
${CC:-cc} -g -O0 -pthread -o lines lines.c
./lines &
sleeper="$sleeper $!"
lines=$!
tries=0
until dumped 0 "$lines" && grep -q '^2 threads, each waits in ' out; do
	tries=$((tries + 1))
	[ "$tries" -lt 500 ] || {
		complain "is not where it should be: $(cat out)"
		exit 1
	}
done
dumped 0 --lines "$lines"
has "^  #[0-9]+ +either$guess at lines.c:6 in lines\$"
has "^  #[0-9]+ +either$guess at lines.c:8 in lines\$"

# What cannot be.
fails() {
	text=$1
	shift
	dumped "$@"
	grep -Eqx "profrun: $text" err || complain "says: $(cat err)"
	[ "$(wc -l <err)" = 1 ] || complain "says more: $(cat err)"
	[ ! -s out ] || complain "prints: $(cat out)"
}
fails 'dump: of which process\? Give its id' 125
fails 'dump: x: is no process id' 125 x
fails 'process 4194304: there is no such process' 1 4194304

# Code without a name in memory without a file: one pair of brackets.
if [ "$(uname -m)" = x86_64 ]; then
	cat >nameless.c <<'EOF2'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
int main(void)
{
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED)
		return 1;
	memcpy(code, "\xeb\xfe", 2); /* jmp to itself */
	puts("ready");
	fflush(stdout);
	((void (*)(void))code)();
	return 0;
}
EOF2
	# shellcheck disable=SC2086 # CC may have words
	${CC:-cc} -O1 -o nameless nameless.c
	mkfifo ready
	./nameless >ready &
	nameless=$!
	if [ "$(head -n 1 ready)" = ready ]; then
		tries=0
		until { dumped 0 $nameless && grep -q '#0 .*+0x' out; } ||
			[ $tries = 50 ]; do
			tries=$((tries + 1))
		done
		has '#0    \[(jit|unknown)\]\+0x[0-9a-f]+$'
	fi
	kill -KILL $nameless 2>/dev/null || true
fi

# The example of the manual.
# (A program that has just begun does not sleep yet.)
: >out
tries=0
until grep -q nanosleep out || [ $tries = 20 ]; do
	tries=$((tries + 1))
	runs_example dump
done
has 'nanosleep'
[ -s dump.json ] || complain 'its example writes nothing'
exit "$bad"
