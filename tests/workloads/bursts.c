/* bursts - threads that work for a moment and sleep, again and again.
 *
 *	bursts [SECONDS [WORK_MS [SLEEP_MS [THREADS [clocked]]]]]
 *
 * THREADS (1, at most 64) threads take SECONDS (1) of CPU time, together.  Each
 * burst of work takes about WORK_MS (2) of it, the first 60 % in head(), the rest
 * in tail(), by count of the work; then the thread sleeps for SLEEP_MS (3).
 * Prints the parts of head() and tail() in the CPU time of both, in percent; how
 * long threads waited for a processor, in percent of their CPU time; and the CPU
 * time of the process:
 *
 *	head 60
 *	tail 40
 *	bursts N
 *	waited P
 *	cpu_seconds S
 *
 * clocked: it also prints how much of their CPU time threads took to go to sleep
 * and to wake, by their own clocks, which are read around each sleep:
 *
 *	asleep P */
#include "work.h"
#include "task.h"

#include <pthread.h>

enum { MOST = 64, HEAD_PERCENT = 60 };

/* What all do. */
static struct {
	uint64_t quota_ns; /* of each thread */
	uint64_t turns;    /* of a burst */
	struct timespec sleep;
	bool clocked;
} plan;

struct worker {
	pthread_t thread;
	uint64_t n_bursts, cpu_ns, waited_ns, asleep_ns;
};

static APART void
head(uint64_t turns)
{
	spend(turns, 1);
}

static APART void
tail(uint64_t turns)
{
	spend(turns, 2);
}

static void
fall_asleep(struct worker *worker)
{
	uint64_t begin_ns = plan.clocked ? thread_ns() : 0;

	nanosleep(&plan.sleep, NULL);
	if (plan.clocked)
		worker->asleep_ns += thread_ns() - begin_ns;
}

/* What the kernel says of the calling thread. */
static void
read_times(struct worker *worker)
{
	unsigned long long cpu_ns = 0, waited_ns = 0;
	char text[512];

	task_read(syscall(SYS_gettid), "schedstat", text, sizeof text);
	sscanf(text, "%llu %llu", &cpu_ns, &waited_ns);
	worker->cpu_ns = cpu_ns;
	worker->waited_ns = waited_ns;
}

static void *
run_worker(void *arg)
{
	struct worker *worker = arg;
	struct budget time = budget(plan.quota_ns);

	for (; is_left(&time); worker->n_bursts++) {
		head(plan.turns * HEAD_PERCENT / 100);
		tail(plan.turns * (100 - HEAD_PERCENT) / 100);
		fall_asleep(worker);
	}
	read_times(worker);
	return NULL;
}

/* How many turns take TIME_NS on this machine. */
static uint64_t
turns_in(uint64_t time_ns)
{
	const uint64_t turns = 10000 * TURNS_PER_US;
	uint64_t begin_ns = thread_ns();

	spend(turns, 3);
	return (uint64_t)((double)turns * (double)time_ns /
			  (double)(thread_ns() - begin_ns));
}

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 1, 1.0);
	uint64_t work_ns = (uint64_t)(number(argc, argv, 2, 2) * 1e6);
	uint64_t sleep_ns = (uint64_t)(number(argc, argv, 3, 3) * 1e6);
	unsigned n = (unsigned)number(argc, argv, 4, 1);
	struct worker workers[MOST] = {0};
	struct worker all = {0};

	if (n < 1 || n > MOST || !work_ns)
		usage(argv[0], "[SECONDS [WORK_MS>0 [SLEEP_MS [THREADS<=64 "
			       "[clocked]]]]]");
	plan.quota_ns = quota_ns / n;
	plan.turns = turns_in(work_ns);
	plan.clocked = !strcmp(word(argc, argv, 5, ""), "clocked");
	plan.sleep.tv_sec = (time_t)(sleep_ns / NS_PER_S);
	plan.sleep.tv_nsec = (long)(sleep_ns % NS_PER_S);
	for (unsigned i = 0; i < n; i++)
		if (pthread_create(&workers[i].thread, NULL, run_worker,
				   &workers[i]))
			die("pthread_create");
	for (unsigned i = 0; i < n; i++) {
		pthread_join(workers[i].thread, NULL);
		all.n_bursts += workers[i].n_bursts;
		all.cpu_ns += workers[i].cpu_ns;
		all.waited_ns += workers[i].waited_ns;
		all.asleep_ns += workers[i].asleep_ns;
	}
	printf("head %d\ntail %d\n", HEAD_PERCENT, 100 - HEAD_PERCENT);
	printf("bursts %llu\n", (unsigned long long)all.n_bursts);
	printf("waited %.2f\n", percent(all.waited_ns, all.cpu_ns));
	if (plan.clocked)
		printf("asleep %.2f\n", percent(all.asleep_ns, all.cpu_ns));
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	return 0;
}
