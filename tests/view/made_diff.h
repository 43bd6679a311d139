/* made_diff.h - profiles that are made up, and compared. */
#ifndef PRF_TESTS_VIEW_MADE_DIFF_H
#define PRF_TESTS_VIEW_MADE_DIFF_H

#include <stddef.h>
#include <stdint.h>

#include "view/table/diff.h"

struct made_row {
	const char *name, *binary;
	uint64_t old_ticks, new_ticks;
	uint64_t old_total, new_total;
};

/* Two runs, "old.trace" and "new.trace" of "./prog", at 1000 Hz; freed with
 * prf_diff_clear(). */
struct prf_diff made_diff(const struct made_row *rows, size_t n);
/* The same as prf_diff_make() makes it. */
struct prf_diff made_difference(const struct made_row *rows, size_t n);

#endif
