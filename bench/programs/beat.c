/* beat - a program with a beat of its own, for a profiler to be in step with.
 *
 *	beat [SECONDS [PERIOD_US [HOT [steady|unsteady]]]]
 *
 * For SECONDS (1) of wall time: at each beat, PERIOD_US (10000) apart by the wall
 * clock, HOT (10) percent of the period in hot(), and the rest, up to the next
 * beat, in cold().  unsteady: each period has a length of its own, from half to
 * one and a half times that.  Prints the parts of hot() and cold() in the CPU
 * time of both, in percent; the time of the process; and the beats:
 *
 *	hot, cold P
 *	cpu_seconds S
 *	beats N */
#include "work.h"

#include <string.h>

#define STEP (2 * TURNS_PER_US)

static APART void
hot(uint64_t until_ns)
{
	while (wall_ns() < until_ns)
		spend(STEP, 1);
}

static APART void
cold(uint64_t until_ns)
{
	while (wall_ns() < until_ns)
		spend(STEP, 2);
}

int
main(int argc, char **argv)
{
	uint64_t beat_ns = wall_ns();
	uint64_t end_ns = beat_ns + number_ns(argc, argv, 1, 1.0);
	uint64_t period_ns = (uint64_t)(number(argc, argv, 2, 10000) * 1e3);
	double share = number(argc, argv, 3, 10) / 100;
	int unsteady = !strcmp(word(argc, argv, 4, "steady"), "unsteady");
	uint64_t hot_ns = 0, cold_ns = 0, n = 0, random = beat_ns | 1;

	if (period_ns < 100000 || share > 1)
		usage(argv[0], "[SECONDS [PERIOD_US>=100 [HOT<=100 "
			       "[steady|unsteady]]]]");
	for (; beat_ns < end_ns; n++) {
		uint64_t length_ns = period_ns, then = thread_ns(), now;

		if (unsteady)
			length_ns = period_ns / 2 + draw(&random) % period_ns;
		hot(beat_ns + (uint64_t)((double)length_ns * share));
		now = thread_ns();
		hot_ns += now - then;
		beat_ns += length_ns;
		cold(beat_ns);
		cold_ns += thread_ns() - now;
	}
	printf("hot %.4f\n", percent(hot_ns, hot_ns + cold_ns));
	printf("cold %.4f\n", percent(cold_ns, hot_ns + cold_ns));
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	printf("beats %llu\n", (unsigned long long)n);
	return 0;
}
