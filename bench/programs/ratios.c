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
	uint64_t turns[N_FUNCTIONS]; /* so far */
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

	for (size_t i = 0; i < round->n; i++)
		order[i] = i;
	shuffle(order, round->n, random);
	for (size_t i = 0; i < round->n; i++) {
		size_t part = order[i];
		uint64_t turns =
			stretch(round->unit * round->weight[part], random);

		if (!round->weight[part])
			continue;
		parts[part](turns);
		round->turns[part] += turns;
	}
}

/* All turns take the same time. */
static void
share_out(const struct round *round, uint64_t all_ns, uint64_t *ns)
{
	uint64_t all = 0;

	for (size_t i = 0; i < round->n; i++)
		all += round->turns[i];
	for (size_t i = 0; i < round->n; i++)
		ns[i] = all ? (uint64_t)((double)all_ns *
					 (double)round->turns[i] / (double)all)
			    : 0;
}

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 1, 1.0), random = 88172645463;
	uint64_t ns[N_FUNCTIONS], start_ns;
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
	start_ns = thread_ns();
	struct budget time = budget(quota_ns);
	while (is_left(&time))
		run_round(&round, &random);
	share_out(&round, thread_ns() - start_ns, ns);
	print_parts(ns, round.n);
	return 0;
}
