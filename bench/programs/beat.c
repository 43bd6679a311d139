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

/* Both return how many steps they took. */
static APART uint64_t
hot(uint64_t until_ns)
{
	uint64_t n = 0;

	for (; wall_ns() < until_ns; n++)
		spend(STEP, 1);
	return n;
}

static APART uint64_t
cold(uint64_t until_ns)
{
	uint64_t n = 0;

	for (; wall_ns() < until_ns; n++)
		spend(STEP, 2);
	return n;
}

int
main(int argc, char **argv)
{
	uint64_t beat_ns = wall_ns();
	uint64_t end_ns = beat_ns + number_ns(argc, argv, 1, 1.0);
	uint64_t period_ns = (uint64_t)(number(argc, argv, 2, 10000) * 1e3);
	double share = number(argc, argv, 3, 10) / 100;
	int unsteady = !strcmp(word(argc, argv, 4, "steady"), "unsteady");
	uint64_t n_hot = 0, n_cold = 0, n = 0, random = beat_ns | 1;

	if (period_ns < 100000 || share > 1)
		usage(argv[0], "[SECONDS [PERIOD_US>=100 [HOT<=100 "
			       "[steady|unsteady]]]]");
	for (; beat_ns < end_ns; n++) {
		uint64_t length_ns = period_ns;

		if (unsteady)
			length_ns = period_ns / 2 + draw(&random) % period_ns;
		n_hot += hot(beat_ns + (uint64_t)((double)length_ns * share));
		beat_ns += length_ns;
		n_cold += cold(beat_ns);
	}
	printf("hot %.4f\n", percent(n_hot, n_hot + n_cold));
	printf("cold %.4f\n", percent(n_cold, n_hot + n_cold));
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	printf("beats %llu\n", (unsigned long long)n);
	return 0;
}
