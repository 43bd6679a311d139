/* functions.h - ten functions to spend time in, each with a symbol of its own. */
#ifndef PRF_BENCH_FUNCTIONS_H
#define PRF_BENCH_FUNCTIONS_H

#include "work.h"

#define N_FUNCTIONS 10

#define PRF_FUNCTION(n)                                                        \
	static APART void part_##n(uint64_t turns)                             \
	{                                                                      \
		spend(turns, n);                                               \
	}
PRF_FUNCTION(1)
PRF_FUNCTION(2)
PRF_FUNCTION(3)
PRF_FUNCTION(4)
PRF_FUNCTION(5)
PRF_FUNCTION(6)
PRF_FUNCTION(7)
PRF_FUNCTION(8)
PRF_FUNCTION(9)
PRF_FUNCTION(10)

static void (*const parts[N_FUNCTIONS])(uint64_t turns) = {
	part_1, part_2, part_3, part_4, part_5,
	part_6, part_7, part_8, part_9, part_10,
};

/* Prints "part_N PERCENT" for the first N of the parts, which took NS[] of the
 * CPU time of this process, and that time. */
static inline void
print_parts(const uint64_t *ns, size_t n)
{
	uint64_t all_ns = process_ns();

	for (size_t i = 0; i < n; i++)
		printf("part_%zu %.4f\n", i + 1, percent(ns[i], all_ns));
	printf("cpu_seconds %.6f\n", seconds(all_ns));
}

#endif
