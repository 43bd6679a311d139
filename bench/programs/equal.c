/* equal - many threads with the same CPU time, all the time or now and then.
 *
 *	equal [THREADS [SECONDS [SLEEP_US]]]
 *
 * THREADS (10) take SECONDS (1) of CPU time together, each the same, thread I in
 * part_N, with N from 1 to 10 in turn.  With SLEEP_US each works for some 200 us
 * and sleeps for about SLEEP_US, again and again.  Prints, in percent of the CPU
 * time of the process, and in seconds:
 *
 *	part_N P
 *	cpu_seconds S */
#include "functions.h"

#include <pthread.h>

#define MOST 1000
#define STACK_BYTES (64 << 10)

struct worker {
	pthread_t thread;
	size_t part;
	uint64_t seed;
	uint64_t quota_ns, sleep_ns;
	uint64_t ns; /* CPU time in its part */
};

static void
sleep_about(uint64_t ns, uint64_t *random)
{
	uint64_t drawn = ns / 2 + draw(random) % (ns + 1);
	struct timespec time = {
		.tv_sec = (time_t)(drawn / NS_PER_S),
		.tv_nsec = (long)(drawn % NS_PER_S),
	};

	nanosleep(&time, NULL);
}

static void *
run_worker(void *arg)
{
	struct worker *worker = arg;
	struct budget time = budget(worker->quota_ns);
	uint64_t random = worker->seed;

	while (is_left(&time)) {
		uint64_t start_ns = thread_ns();

		do
			parts[worker->part](4 * draw_slice(&random));
		while (!worker->sleep_ns && is_left(&time));
		worker->ns += thread_ns() - start_ns;
		if (worker->sleep_ns)
			sleep_about(worker->sleep_ns, &random);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	static struct worker workers[MOST];
	size_t n = (size_t)number(argc, argv, 1, 10);
	uint64_t quota_ns = number_ns(argc, argv, 2, 1.0);
	uint64_t ns[N_FUNCTIONS] = {0}, seed = wall_ns();
	pthread_attr_t attr;

	if (n < 1 || n > MOST)
		usage(argv[0], "[THREADS<=1000 [SECONDS [SLEEP_US]]]");
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (size_t i = 0; i < n; i++) {
		workers[i] = (struct worker){
			.part = i % N_FUNCTIONS,
			.seed = draw(&seed),
			.quota_ns = quota_ns / n,
			.sleep_ns = (uint64_t)(number(argc, argv, 3, 0) * 1e3),
		};
		if (pthread_create(&workers[i].thread, &attr, run_worker,
				   &workers[i]))
			die("pthread_create");
	}
	pthread_attr_destroy(&attr);
	for (size_t i = 0; i < n; i++) {
		pthread_join(workers[i].thread, NULL);
		ns[workers[i].part] += workers[i].ns;
	}
	print_parts(ns, n < N_FUNCTIONS ? n : N_FUNCTIONS);
	return 0;
}
