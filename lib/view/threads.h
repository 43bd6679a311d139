/* threads.h - threads that had ticks, one row for each. */
#ifndef PRF_VIEW_THREADS_H
#define PRF_VIEW_THREADS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/sample.h"
#include "view/count.h"

struct prf_thread {
	pid_t pid, tid;
	char name[PRF_THREAD_NAME_BYTES]; /* "": not known */
	struct prf_count count;
};

/* Of very many threads those with the fewest ticks are folded into one row. */
enum { PRF_THREADS_MAX = 4096 };

/* All zero: none. */
struct prf_threads {
	struct prf_thread *rows; /* the most ticks first, once sorted */
	size_t n, room;
	struct prf_count folded;
	uint64_t n_folded;
};

/* A row without ticks is left out. */
void prf_threads_add(struct prf_threads *threads, const struct prf_thread *row);
void prf_threads_sort(struct prf_threads *threads);
void prf_threads_clear(struct prf_threads *threads);

#endif
