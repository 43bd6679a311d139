/* threads - threads with known CPU times, in a shared function and their own.
 *
 *	threads [N [SECONDS [ranked|equal]]]
 *
 * N (4, at most 16) threads take SECONDS (1) of CPU time together: thread I has
 * I parts of it (ranked), or all have the same (equal).  Thread I spends half of
 * its time in together(), which is everybody's, and half in own_I().  Prints CPU
 * times in seconds, and thread ids:
 *
 *	tid_I ID
 *	thread_I S
 *	own_I S
 *	together S
 *	cpu_seconds S */
#include "work.h"

#include <pthread.h>
#include <string.h>

#define MOST 16

static APART void
together(uint64_t turns)
{
	spend(turns, 99);
}

#define OWN(n)                                                                 \
	static APART void own_##n(uint64_t turns)                              \
	{                                                                      \
		spend(turns, n);                                               \
	}
OWN(1)
OWN(2)
OWN(3)
OWN(4)
OWN(5)
OWN(6)
OWN(7)
OWN(8)
OWN(9)
OWN(10)
OWN(11)
OWN(12)
OWN(13)
OWN(14)
OWN(15)
OWN(16)

static void (*const own[MOST])(uint64_t turns) = {
	own_1, own_2,  own_3,  own_4,  own_5,  own_6,  own_7,  own_8,
	own_9, own_10, own_11, own_12, own_13, own_14, own_15, own_16,
};

struct worker {
	pthread_t thread;
	unsigned index; /* from 0 */
	uint64_t quota_ns;
	long tid;
	uint64_t all_ns; /* CPU time used, half of it in either function */
};

static void *
run_worker(void *arg)
{
	struct worker *worker = arg;
	uint64_t random = 88172645463 + worker->index;
	struct budget time = budget(worker->quota_ns);

	worker->tid = syscall(SYS_gettid);
	do {
		uint64_t turns = draw_slice(&random);

		together(turns);
		own[worker->index](turns);
	} while (is_left(&time));
	worker->all_ns = thread_ns();
	return NULL;
}

int
main(int argc, char **argv)
{
	struct worker workers[MOST] = {0};
	unsigned n = (unsigned)number(argc, argv, 1, 4);
	uint64_t quota_ns = number_ns(argc, argv, 2, 1.0), all_ns = 0;
	int equal = !strcmp(word(argc, argv, 3, "ranked"), "equal");

	if (n < 1 || n > MOST)
		usage(argv[0], "[N<=16 [SECONDS [ranked|equal]]]");
	for (unsigned i = 0; i < n; i++) {
		workers[i].index = i;
		workers[i].quota_ns =
			equal ? quota_ns / n
			      : quota_ns * (i + 1) * 2 / n / (n + 1);
		if (pthread_create(&workers[i].thread, NULL, run_worker,
				   &workers[i]))
			die("pthread_create");
	}
	for (unsigned i = 0; i < n; i++) {
		pthread_join(workers[i].thread, NULL);
		all_ns += workers[i].all_ns;
		printf("tid_%u %ld\n", i + 1, workers[i].tid);
		printf("thread_%u %.6f\n", i + 1, seconds(workers[i].all_ns));
		printf("own_%u %.6f\n", i + 1, seconds(workers[i].all_ns) / 2);
	}
	printf("together %.6f\n", seconds(all_ns) / 2);
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	return 0;
}
