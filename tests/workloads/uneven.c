/* uneven - two threads whose work is three to one, however long it takes.
 *
 *	uneven [TURNS]
 *
 * One thread takes three quarters of TURNS (1000) million turns in heavy(), the
 * other one quarter in light(), at the same time.  Nothing depends on a clock, so
 * that a tracer can make it slower, but not change what it does.  Prints percent
 * and CPU seconds:
 *
 *	heavy 75
 *	light 25
 *	cpu_seconds S */
#include "work.h"

#include <pthread.h>

static APART void
heavy(uint64_t turns)
{
	spend(turns, 3);
}

static APART void
light(uint64_t turns)
{
	spend(turns, 1);
}

static void *
run_heavy(void *arg)
{
	heavy(*(const uint64_t *)arg / 4 * 3);
	return NULL;
}

static void *
run_light(void *arg)
{
	light(*(const uint64_t *)arg / 4);
	return NULL;
}

int
main(int argc, char **argv)
{
	uint64_t turns = (uint64_t)(number(argc, argv, 1, 1000) * 1e6);
	pthread_t threads[2];

	if (pthread_create(&threads[0], NULL, run_heavy, &turns) ||
	    pthread_create(&threads[1], NULL, run_light, &turns))
		die("pthread_create");
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	printf("heavy 75\nlight 25\ncpu_seconds %.6f\n", seconds(process_ns()));
	return 0;
}
