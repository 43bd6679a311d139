/* burn - a fixed amount of work of one kind, in some threads, beside idle ones.
 *
 *	burn KIND UNITS [THREADS [IDLE]]
 *
 * THREADS (1) threads share UNITS of work, of about a millisecond of CPU time
 * each, while IDLE (0) more sleep in a futex.  KIND is
 *
 *	loop		arithmetic in registers
 *	calls		calls of a function that does next to nothing
 *	syscalls	getppid()
 *	faults		pages touched for the first time, and given back
 *	memory		reads that wait for memory, one after another
 *
 * The work does not depend on any clock, so what a run takes more than another is
 * what was done to it.  The threads are all there before the work begins.  Prints
 *
 *	work_seconds S	CPU time of the threads in the work
 *	wall_seconds S	of the work
 *	cpu_seconds S	of the process, all in all */
#include "work.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_BUSY 64
#define STACK_BYTES (64 << 10)

/* Steps of each kind that take about a millisecond. */
#define CALLS_IN_UNIT 800000u
#define SYSCALLS_IN_UNIT 9000u
#define PAGES_IN_UNIT 900u
#define READS_IN_UNIT 10000u

#define PAGE_BYTES 4096u
#define CHAIN_CELLS (UINT64_C(8) << 20) /* 64 MiB, no cache's size */

static void
do_loop(uint64_t units)
{
	spend(units * 1000 * TURNS_PER_US, 1);
}

static APART uint64_t
next_value(uint64_t value)
{
	return value * 5 + 1;
}

static void
do_calls(uint64_t units)
{
	uint64_t value = 1;

	for (uint64_t i = units * CALLS_IN_UNIT; i; i--)
		value = next_value(value);
	__asm__ volatile("" : : "r"(value));
}

static void
do_syscalls(uint64_t units)
{
	for (uint64_t i = units * SYSCALLS_IN_UNIT; i; i--)
		syscall(SYS_getppid);
}

static void
do_faults(uint64_t units)
{
	const size_t size = (size_t)PAGES_IN_UNIT * PAGE_BYTES;

	for (; units; units--) {
		char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (pages == MAP_FAILED)
			die("mmap");
		madvise(pages, size, MADV_NOHUGEPAGE);
		for (size_t at = 0; at < size; at += PAGE_BYTES)
			*(volatile char *)(pages + at) = 1;
		munmap(pages, size);
	}
}

/* Each cell names the next; the walk comes to all of them before it repeats: a
 * linear congruence with a multiplier of 1 modulo 4 and an odd increment. */
static uint32_t *chain;

static void
make_chain(void)
{
	chain = malloc(CHAIN_CELLS * sizeof *chain);
	if (!chain)
		die("malloc");
	for (uint64_t i = 0; i < CHAIN_CELLS; i++)
		chain[i] = (uint32_t)((i * 1664525 + 1013904223) &
				      (CHAIN_CELLS - 1));
}

static void
do_memory(uint64_t units)
{
	uint32_t at = 0;

	for (uint64_t i = units * READS_IN_UNIT; i; i--)
		at = *(volatile uint32_t *)&chain[at];
}

static const struct kind {
	const char *name;
	void (*work)(uint64_t units);
	void (*prepare)(void);
} kinds[] = {
	{"loop", do_loop, NULL},           {"calls", do_calls, NULL},
	{"syscalls", do_syscalls, NULL},   {"faults", do_faults, NULL},
	{"memory", do_memory, make_chain},
};
#define N_KINDS (sizeof kinds / sizeof *kinds)

struct worker {
	pthread_t thread;
	const struct kind *kind;
	pthread_barrier_t *start;
	uint64_t units;
	uint64_t ns; /* CPU time of the work */
};

static void *
run_worker(void *arg)
{
	struct worker *worker = arg;
	uint64_t start;

	pthread_barrier_wait(worker->start);
	start = thread_ns();
	worker->kind->work(worker->units);
	worker->ns = thread_ns() - start;
	return NULL;
}

/* Sleeps for good: nobody lets go of what it asks for. */
static void *
run_idle(void *locked)
{
	pthread_mutex_lock(locked);
	return NULL;
}

static void
make_idle(unsigned n)
{
	static pthread_mutex_t locked = PTHREAD_MUTEX_INITIALIZER;
	pthread_attr_t attr;

	pthread_mutex_lock(&locked);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (; n; n--) {
		pthread_t thread;

		if (pthread_create(&thread, &attr, run_idle, &locked))
			die("pthread_create");
	}
	pthread_attr_destroy(&attr);
}

static const struct kind *
kind_of(const char *name)
{
	for (size_t i = 0; i < N_KINDS; i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

int
main(int argc, char **argv)
{
	const struct kind *kind = kind_of(word(argc, argv, 1, ""));
	uint64_t units = (uint64_t)number(argc, argv, 2, 0);
	unsigned n = (unsigned)number(argc, argv, 3, 1);
	struct worker workers[MOST_BUSY];
	pthread_barrier_t start;
	uint64_t work_ns = 0, wall;

	if (!kind || units == 0 || n < 1 || n > MOST_BUSY)
		usage(argv[0], "KIND UNITS [THREADS<=64 [IDLE]]");
	if (kind->prepare)
		kind->prepare();
	make_idle((unsigned)number(argc, argv, 4, 0));
	pthread_barrier_init(&start, NULL, n + 1);
	for (unsigned i = 0; i < n; i++) {
		/* What does not divide is the first one's. */
		uint64_t share = units / n + (i == 0 ? units % n : 0);

		workers[i] = (struct worker){
			.kind = kind, .start = &start, .units = share};
		if (pthread_create(&workers[i].thread, NULL, run_worker,
				   &workers[i]))
			die("pthread_create");
	}
	wall = wall_ns();
	pthread_barrier_wait(&start);
	for (unsigned i = 0; i < n; i++) {
		pthread_join(workers[i].thread, NULL);
		work_ns += workers[i].ns;
	}
	wall = wall_ns() - wall;
	printf("work_seconds %.6f\n", seconds(work_ns));
	printf("wall_seconds %.6f\n", seconds(wall));
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	return 0;
}
