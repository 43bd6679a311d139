/* ratios - up to ten functions that share the CPU time in known ratios.
 *
 *	ratios [SECONDS [UNIT_US [WEIGHT...]]]
 *
 * Takes SECONDS (1) of CPU time in rounds; in each, part_N has about WEIGHT N
 * (1 to 10) times UNIT_US (20), in an order and with lengths that are drawn
 * anew.  With a large UNIT_US a profiler that looks at even distances does better
 * than chance; with a small one it cannot.  Prints, in percent of the CPU time of
 * the process, and in seconds:
 *
 *	part_N P
 *	cpu_seconds S */
#include "functions.h"

struct round {
	uint64_t unit; /* in turns */
	unsigned weight[N_FUNCTIONS];
	size_t n;
	uint64_t ns[N_FUNCTIONS]; /* CPU time, so far */
};

static void
shuffle(size_t *order, size_t n, uint64_t *random)
{
	for (size_t left = n; left > 1; left--) {
		size_t chosen = draw(random) % left, last = order[left - 1];

		order[left - 1] = order[chosen];
		order[chosen] = last;
	}
}

/* From half to one and a half times the length. */
static uint64_t
stretch(uint64_t turns, uint64_t *random)
{
	return turns / 2 + draw(random) % (turns + 1);
}

static void
run_round(struct round *round, uint64_t *random)
{
	size_t order[N_FUNCTIONS];
	uint64_t then = thread_ns();

	for (size_t i = 0; i < round->n; i++)
		order[i] = i;
	shuffle(order, round->n, random);
	for (size_t i = 0; i < round->n; i++) {
		size_t part = order[i];
		uint64_t now;

		if (!round->weight[part])
			continue;
		parts[part](stretch(round->unit * round->weight[part], random));
		now = thread_ns();
		round->ns[part] += now - then;
		then = now;
	}
}

int
main(int argc, char **argv)
{
	uint64_t end_ns = number_ns(argc, argv, 1, 1.0), random = 88172645463;
	struct round round = {.n = N_FUNCTIONS};

	round.unit = (uint64_t)(number(argc, argv, 2, 20) * TURNS_PER_US);
	if (argc > 3)
		round.n = (size_t)argc - 3;
	if (round.n > N_FUNCTIONS)
		usage(argv[0], "[SECONDS [UNIT_US [WEIGHT...]]]");
	for (size_t i = 0; i < round.n; i++)
		round.weight[i] =
			(unsigned)number(argc, argv, (int)i + 3, (double)i + 1);
	random += wall_ns(); /* no two runs alike */
	while (thread_ns() < end_ns)
		run_round(&round, &random);
	print_parts(round.ns, round.n);
	return 0;
}
