/* restless - threads that sleep for moments, in turn on two ways.
 *
 *	restless SECONDS [THREADS]
 *
 * One way is left_outer, left_inner; the other right_outer, right_middle,
 * right_inner: no stack ever has functions of both. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOMENT_NS = 20000, MOST_THREADS = 64 };

static double seconds;

static void __attribute__((noinline)) doze(volatile char *room)
{
	const struct timespec moment = {.tv_nsec = MOMENT_NS};

	*room = 1;
	nanosleep(&moment, NULL);
	*room = 2;
}

/* Each has some room of its own on the stack, so that a frame of one way never
 * lies where one of the other does.  None begins in the middle of a counter, which
 * would have the end of the one before it, too. */
#define STEP(name_, bytes_, next_)                                             \
	static void __attribute__((noinline, aligned(16)))                     \
	name_(volatile char *outer)                                            \
	{                                                                      \
		volatile char room[bytes_];                                    \
                                                                               \
		next_(room);                                                   \
		*outer = room[0];                                              \
	}

STEP(left_inner, 200, doze)
STEP(left_outer, 600, left_inner)
STEP(right_inner, 1000, doze)
STEP(right_middle, 300, right_inner)
STEP(right_outer, 400, right_middle)

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *
run(void *arg)
{
	volatile char room[8];
	double end = now() + seconds;

	while (now() < end) {
		left_outer(room);
		right_outer(room);
	}
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t threads[MOST_THREADS];
	int n = argc > 2 ? atoi(argv[2]) : 10;

	seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
	if (n > MOST_THREADS)
		n = MOST_THREADS;
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, run, NULL) != 0)
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
