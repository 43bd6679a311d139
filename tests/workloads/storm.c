/* storm - many signals a second, and all of them count.
 *
 *	storm [SECONDS [PER_SECOND [THREADS]]]
 *
 * For SECONDS (1) of wall time a child queues PER_SECOND (10000) signals, of all
 * real-time numbers, to THREADS (2) threads that work and, now and then, block
 * all signals for a while.  Each has a value: whom it is for, and its place among
 * those of its number to this thread.  Each must come once, in the order of
 * sending, to its thread, with its value, its code and its sender.  Prints
 *
 *	sent N
 *	lost N		did not come; 0
 *	changed N	came with something else than was sent; 0
 *	misplaced N	came to another thread, too often or out of order; 0
 *	cpu_seconds S */
#include "work.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { MOST_THREADS = 16, LOWEST = 36, HIGHEST = 64, N_NUMBERS = 65 };
#define PATIENCE_NS (20 * NS_PER_S)
#define PLACE_BITS 24

/* In memory that both processes share. */
struct storm {
	pid_t receiver, sender;
	unsigned n_threads;
	atomic_int over;
	atomic_uint sent, came, changed, misplaced;
	struct {
		atomic_long tid;
		unsigned sent[N_NUMBERS]; /* by the sender */
		unsigned came[N_NUMBERS]; /* by the thread's handler */
	} threads[MOST_THREADS];
};

static struct storm *storm;
static __thread unsigned own;

static void
on_signal(int number, siginfo_t *info, void *context)
{
	unsigned value = (unsigned)info->si_value.sival_int;

	(void)context;
	storm->came++;
	if (info->si_code != SI_QUEUE || info->si_pid != storm->sender)
		storm->changed++;
	else if (value >> PLACE_BITS != own ||
		 (value & ((1u << PLACE_BITS) - 1)) !=
			 storm->threads[own].came[number])
		storm->misplaced++;
	storm->threads[own].came[number]++;
}

static void *
receive(void *index)
{
	uint64_t random = 88172645463 + (uintptr_t)index;
	sigset_t all, none;

	own = (unsigned)(uintptr_t)index;
	sigfillset(&all);
	sigemptyset(&none);
	storm->threads[own].tid = syscall(SYS_gettid);
	while (!storm->over) {
		int blocks = draw(&random) % 8 == 0;

		if (blocks)
			pthread_sigmask(SIG_SETMASK, &all, NULL);
		spend(draw_slice(&random), 1);
		if (blocks)
			pthread_sigmask(SIG_SETMASK, &none, NULL);
	}
	return NULL;
}

static void
send_one(uint64_t random)
{
	unsigned to = (unsigned)(random >> 8) % storm->n_threads;
	int number = LOWEST + (int)((random >> 16) % (HIGHEST - LOWEST + 1));
	unsigned *place = &storm->threads[to].sent[number];
	siginfo_t info;

	memset(&info, 0, sizeof info);
	info.si_code = SI_QUEUE;
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value.sival_int = (int)(to << PLACE_BITS | *place);
	/* The queue may be full: there is a limit for a user. */
	while (syscall(SYS_rt_tgsigqueueinfo, storm->receiver,
		       storm->threads[to].tid, number, &info)) {
		if (errno != EAGAIN)
			_exit(99);
		sched_yield();
	}
	++*place;
	storm->sent++;
}

/* A few each ms, as many as are behind. */
static void
send_all(uint64_t quota_ns, double per_s)
{
	const struct timespec pause = {0, 1000000};
	uint64_t start = wall_ns(), now, random = 362436069;

	while ((now = wall_ns() - start) < quota_ns) {
		while (storm->sent < seconds(now) * per_s)
			send_one(draw(&random));
		nanosleep(&pause, NULL);
	}
}

static void
await_the_last(void)
{
	uint64_t limit = wall_ns() + PATIENCE_NS;

	while (storm->came < storm->sent && wall_ns() < limit)
		sched_yield();
}

static void
catch_all(void)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};

	sigfillset(&action.sa_mask);
	action.sa_sigaction = on_signal;
	for (int number = LOWEST; number <= HIGHEST; number++)
		sigaction(number, &action, NULL);
}

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 1, 1.0);
	double per_s = number(argc, argv, 2, 10000);
	unsigned n = (unsigned)number(argc, argv, 3, 2);
	pthread_t threads[MOST_THREADS];
	int status;

	if (n < 1 || n > MOST_THREADS)
		usage(argv[0], "[SECONDS [PER_SECOND [THREADS<=16]]]");
	storm = mmap(NULL, sizeof *storm, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (storm == MAP_FAILED)
		die("mmap");
	storm->receiver = getpid();
	storm->n_threads = n;
	catch_all();
	for (uintptr_t i = 0; i < n; i++) {
		if (pthread_create(&threads[i], NULL, receive, (void *)i))
			die("pthread_create");
		while (!storm->threads[i].tid)
			sched_yield();
	}
	pid_t pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		storm->sender = getpid();
		send_all(quota_ns, per_s);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		die("the sender");
	await_the_last();
	storm->over = 1;
	for (unsigned i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("sent %u\nlost %d\nchanged %u\nmisplaced %u\n", storm->sent,
	       (int)(storm->sent - storm->came), storm->changed,
	       storm->misplaced);
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	return 0;
}
