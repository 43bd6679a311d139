#include "view/threads.h"

#include <stdlib.h>

static int
by_ticks(const void *a, const void *b)
{
	const struct prf_thread *left = a, *right = b;

	if (left->count.ticks != right->count.ticks)
		return left->count.ticks > right->count.ticks ? -1 : 1;
	if (left->pid != right->pid)
		return left->pid < right->pid ? -1 : 1;
	return (left->tid > right->tid) - (left->tid < right->tid);
}

void
prf_threads_sort(struct prf_threads *threads)
{
	/* qsort() wants an array, even to sort nothing. */
	if (threads->n > 0)
		qsort(threads->rows, threads->n, sizeof *threads->rows,
		      by_ticks);
}

static void
fold(struct prf_threads *threads, const struct prf_thread *row)
{
	prf_count_merge(&threads->folded, &row->count);
	threads->n_folded++;
}

static void
fold_half(struct prf_threads *threads)
{
	prf_threads_sort(threads);
	while (threads->n > PRF_THREADS_MAX / 2)
		fold(threads, &threads->rows[--threads->n]);
}

void
prf_threads_add(struct prf_threads *threads, const struct prf_thread *row)
{
	if (!row->count.ticks)
		return;
	if (threads->n == threads->room) {
		size_t room = threads->room * 2 + 16;
		struct prf_thread *grown =
			reallocarray(threads->rows, room, sizeof *grown);
		if (!grown) {
			fold(threads, row);
			return;
		}
		threads->rows = grown;
		threads->room = room;
	}
	threads->rows[threads->n++] = *row;
	if (threads->n > PRF_THREADS_MAX)
		fold_half(threads);
}

void
prf_threads_clear(struct prf_threads *threads)
{
	free(threads->rows);
	*threads = (struct prf_threads){0};
}
