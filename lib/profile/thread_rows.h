/* thread_rows.h - threads that had ticks, one row for each. */
#ifndef PRF_PROFILE_THREAD_ROWS_H
#define PRF_PROFILE_THREAD_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/sample.h"
#include "profile/count.h"

struct prf_thread_row {
	pid_t pid, tid;
	char name[PRF_THREAD_NAME_BYTES]; /* "": not known */
	struct prf_count count;
};

/* Of very many threads those with the fewest ticks are folded into one row. */
enum { PRF_THREAD_ROWS_MAX = 4096 };

/* All zero: none. */
struct prf_thread_rows {
	struct prf_thread_row *rows; /* the most ticks first, once sorted */
	size_t n, room;
	struct prf_count folded;
	uint64_t n_folded;
};

/* A row without ticks is left out.  -ENOMEM: it was folded. */
int prf_thread_rows_add(struct prf_thread_rows *threads,
			const struct prf_thread_row *row);
void prf_thread_rows_sort(struct prf_thread_rows *threads);
void prf_thread_rows_clear(struct prf_thread_rows *threads);

#endif
