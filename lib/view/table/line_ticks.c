#include "view/table/line_ticks.h"

#include "core/hist.h"

struct walk {
	const struct prf_binary *binary;
	struct prf_lines *lines;
	double weight; /* of a tick, in the mean of the binary */
	int (*visit)(void *arg, const struct prf_line_ticks *ticks);
	void *arg;
};

/* A counter has two bytes, in which two instructions can begin: the one that
 * begins in the second, where there is one, as where functions are counted. */
static int
visit_counter(const struct walk *walk, uint64_t vaddr, uint64_t n)
{
	const struct prf_line *line = NULL;
	uint64_t at = vaddr + PRF_HIST_BIN_BYTES - 1;
	struct prf_line_ticks ticks = {
		.binary = walk->binary,
		.function = prf_binary_lines_function(walk->binary, at),
		.vaddr = vaddr,
		.count = {.ticks = n, .squares = (double)n * walk->weight},
	};

	if (walk->lines)
		ticks.n_lines = prf_lines_at(walk->lines, at, &line);
	if (ticks.n_lines > 0)
		ticks.line = line;
	return walk->visit(walk->arg, &ticks);
}

static int
visit_run(void *arg, const struct prf_tick_range *run)
{
	const struct walk *walk = arg;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < run->n; i++) {
		uint64_t n = prf_tick_range_at(run, i);

		if (n > 0)
			rc = visit_counter(
				walk, run->vaddr + i * PRF_HIST_BIN_BYTES, n);
	}
	return rc;
}

static int
visit_names(const struct walk *walk)
{
	const struct prf_named_counts *names = &walk->binary->names;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < names->n; i++) {
		const struct prf_line_ticks ticks = {
			.binary = walk->binary,
			.function = names->all[i].text,
			.count = names->all[i].count,
		};

		if (ticks.count.ticks)
			rc = walk->visit(walk->arg, &ticks);
	}
	return rc;
}

int
prf_line_ticks_walk(const struct prf_profile *profile,
		    struct prf_binary_lines *lines,
		    int (*visit)(void *arg, const struct prf_line_ticks *ticks),
		    void *arg)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < profile->n_binaries; i++) {
		const struct prf_binary *binary = profile->binaries[i];
		const struct prf_count *total = &binary->total;
		struct walk walk = {binary, NULL, 1, visit, arg};

		if (!total->ticks)
			continue;
		if (binary->form == PRF_BINARY_BY_NAME) {
			rc = visit_names(&walk);
			continue;
		}
		walk.lines = prf_binary_lines_of(lines, binary);
		walk.weight = total->squares / (double)total->ticks;
		rc = prf_binary_walk(binary, visit_run, &walk);
	}
	return rc;
}
