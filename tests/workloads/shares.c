/* shares - four functions with 1, 2, 3 and 4 tenths of the CPU time.
 *
 *	shares [SECONDS]
 *
 * Takes SECONDS (1) of CPU time in short slices of random length and order, so
 * that no regular clock is in step with it.  Prints the share of each function
 * in the CPU time of the process, in percent, and that time:
 *
 *	one, two, three, four P
 *	cpu_seconds S
 *	user_seconds S	as timers on user time count it: in whole ticks of the
 *			kernel that find the process in user mode, which on a
 *			busy machine can be more than there are */
#include "work.h"

/* What <time.h> has no name for: this process's user time, not scaled. */
#define USER_CLOCK ((clockid_t)-7)

static APART void
one(uint64_t turns)
{
	spend(turns, 1);
}

static APART void
two(uint64_t turns)
{
	spend(turns, 2);
}

static APART void
three(uint64_t turns)
{
	spend(turns, 3);
}

static APART void
four(uint64_t turns)
{
	spend(turns, 4);
}

struct part {
	const char *name;
	void (*work)(uint64_t turns);
	unsigned weight;
	uint64_t turns; /* so far */
};

static void
shuffle(struct part *parts[4], uint64_t *random)
{
	for (size_t left = 4; left > 1; left--) {
		size_t chosen = draw(random) % left;
		struct part *last = parts[left - 1];

		parts[left - 1] = parts[chosen];
		parts[chosen] = last;
	}
}

/* Each part once, in any order; how many turns that took. */
static uint64_t
run_round(struct part *parts[4], uint64_t *random)
{
	uint64_t turns = draw_slice(random), all = 0;

	shuffle(parts, random);
	for (size_t i = 0; i < 4; i++) {
		uint64_t own = turns * parts[i]->weight;

		parts[i]->work(own);
		parts[i]->turns += own;
		all += own;
	}
	return all;
}

int
main(int argc, char **argv)
{
	struct part parts[] = {
		{"one", one, 1, 0},
		{"two", two, 2, 0},
		{"three", three, 3, 0},
		{"four", four, 4, 0},
	};
	struct part *order[] = {&parts[0], &parts[1], &parts[2], &parts[3]};
	uint64_t random = 88172645463, turns = 0, start_ns = thread_ns();
	struct budget time = budget(number_ns(argc, argv, 1, 1.0));

	while (is_left(&time))
		turns += run_round(order, &random);
	uint64_t work_ns = thread_ns() - start_ns, all_ns = process_ns();
	for (size_t i = 0; i < 4; i++)
		printf("%s %.3f\n", parts[i].name,
		       percent(parts[i].turns, turns) * (double)work_ns /
			       (double)all_ns);
	printf("cpu_seconds %.6f\n", seconds(all_ns));
	printf("user_seconds %.6f\n", seconds(clock_ns(USER_CLOCK)));
	return 0;
}
