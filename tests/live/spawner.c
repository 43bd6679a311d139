/* spawner - a busy thread that makes others all the time.
 *
 *	spawner [SECONDS]
 *
 * Takes SECONDS (0.5) of CPU time of its first thread, and makes a thread that
 * does nothing, and waits for it, every 20 us or so. */
#include "workloads/work.h"

#include <pthread.h>

static void *
run_nothing(void *arg)
{
	return arg;
}

int
main(int argc, char **argv)
{
	struct budget time = budget(number_ns(argc, argv, 1, 0.5));
	pthread_t thread;

	while (is_left(&time)) {
		spend(20 * TURNS_PER_US, 1);
		if (pthread_create(&thread, NULL, run_nothing, NULL))
			die("pthread_create");
		pthread_join(thread, NULL);
	}
	return 0;
}
