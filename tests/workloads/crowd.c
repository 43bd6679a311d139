/* crowd - many threads that live at the same time, or many processes in a row.
 *
 *	crowd N [WAY [SECONDS]]
 *
 * threads	N threads, all alive before the first of them ends, and asleep; the
 *		first thread takes SECONDS (0.2) of CPU time in alone() while they
 *		are, and again when they have ended
 * execs	the program is replaced by itself N times, by another thread every
 *		second time, and then takes SECONDS in alone()
 * forks	N children, each of them the last one's child, and the last takes
 *		SECONDS in alone()
 * vfork	a child by vfork() sleeps for SECONDS before it ends, while a thread of
 *		the parent works all the time; N times
 *
 * leader	the first thread ends, and another one does as for threads
 *
 * Prints at the end
 *
 *	timers N	that the kernel holds for this process; 0
 *	cpu_seconds S	of the process (of the last child) */
#include "task.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>

struct order {
	char **argv;
	unsigned n;
	uint64_t quota_ns;
};

static APART void
alone(uint64_t quota_ns)
{
	struct budget time = budget(quota_ns);

	while (is_left(&time))
		spend(50 * TURNS_PER_US, 1);
}

static void
report(void)
{
	printf("timers %d\ncpu_seconds %.6f\n", task_count_timers(),
	       seconds(process_ns()));
	fflush(stdout);
}

static atomic_uint n_alive;
static sem_t to_end;

static void *
sleep_in_crowd(void *arg)
{
	n_alive++;
	while (sem_wait(&to_end))
		continue;
	return arg;
}

static void
as_threads(const struct order *order)
{
	pthread_t *threads = calloc(order->n, sizeof *threads);
	pthread_attr_t small;

	if (!threads || sem_init(&to_end, 0, 0) || pthread_attr_init(&small))
		die("as_threads");
	pthread_attr_setstacksize(&small, 65536);
	for (unsigned i = 0; i < order->n; i++) {
		if (pthread_create(&threads[i], &small, sleep_in_crowd, NULL)) {
			perror("pthread_create");
			exit(77);
		}
	}
	while (n_alive < order->n)
		sched_yield();
	alone(order->quota_ns);
	for (unsigned i = 0; i < order->n; i++)
		sem_post(&to_end);
	for (unsigned i = 0; i < order->n; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	alone(order->quota_ns);
}

static void *
lead_on(void *order)
{
	as_threads(order);
	report();
	exit(0);
}

static void
as_leader(const struct order *order)
{
	static struct order kept;
	pthread_t thread;

	kept = *order;
	if (pthread_create(&thread, NULL, lead_on, &kept))
		die("pthread_create");
	pthread_exit(NULL);
}

static void *
exec_again(void *arg)
{
	const struct order *order = arg;
	char n[16];

	snprintf(n, sizeof n, "%u", order->n - 1);
	order->argv[1] = n;
	execv("/proc/self/exe", order->argv);
	die("execv");
}

static void
as_execs(const struct order *order)
{
	pthread_t thread;

	if (order->n == 0) {
		alone(order->quota_ns);
		return;
	}
	if (order->n % 2)
		exec_again((void *)order);
	if (pthread_create(&thread, NULL, exec_again, (void *)order))
		die("pthread_create");
	for (;;)
		spend(TURNS_PER_US, 1);
}

static void
as_forks(const struct order *order)
{
	int status;

	for (unsigned i = 0; i < order->n; i++) {
		pid_t child = fork();

		if (child < 0)
			die("fork");
		if (child == 0)
			continue;
		if (waitpid(child, &status, 0) != child)
			die("waitpid");
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : 99);
	}
	alone(order->quota_ns);
}

static atomic_int over;

static void *
work_on(void *arg)
{
	while (!over)
		spend(50 * TURNS_PER_US, 2);
	return arg;
}

static void
as_vfork(const struct order *order)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work_on, NULL))
		die("pthread_create");
	for (unsigned i = 0; i < order->n; i++) {
		struct timespec nap = {
			(time_t)(order->quota_ns / NS_PER_S),
			(long)(order->quota_ns % NS_PER_S),
		};
		int status;
		pid_t child = vfork();

		if (child == 0) {
			nanosleep(&nap, NULL);
			_exit(0);
		}
		if (child < 0 || waitpid(child, &status, 0) != child || status)
			die("vfork");
	}
	over = 1;
	pthread_join(thread, NULL);
}

static const struct {
	const char *name;
	void (*live)(const struct order *order);
} ways[] = {
	{"threads", as_threads}, {"leader", as_leader}, {"execs", as_execs},
	{"forks", as_forks},     {"vfork", as_vfork},
};

int
main(int argc, char **argv)
{
	struct order order = {
		.argv = argv,
		.n = (unsigned)number(argc, argv, 1, 1),
		.quota_ns = number_ns(argc, argv, 3, 0.2),
	};
	const char *name = word(argc, argv, 2, "threads");

	for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++) {
		if (strcmp(ways[i].name, name))
			continue;
		ways[i].live(&order);
		report();
		return 0;
	}
	usage(argv[0], "N [threads|leader|execs|forks|vfork [SECONDS]]");
}
