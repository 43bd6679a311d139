#include "profile/thread_rows.h"

#include <errno.h>
#include <stdlib.h>

static int
by_ticks(const void *a, const void *b)
{
	const struct prf_thread_row *left = a, *right = b;

	if (left->count.ticks != right->count.ticks)
		return left->count.ticks > right->count.ticks ? -1 : 1;
	if (left->pid != right->pid)
		return left->pid < right->pid ? -1 : 1;
	return (left->tid > right->tid) - (left->tid < right->tid);
}

void
prf_thread_rows_sort(struct prf_thread_rows *threads)
{
	/* qsort() wants an array, even to sort nothing. */
	if (threads->n > 0)
		qsort(threads->rows, threads->n, sizeof *threads->rows,
		      by_ticks);
}

static void
fold(struct prf_thread_rows *threads, const struct prf_thread_row *row)
{
	prf_count_merge(&threads->folded, &row->count);
	threads->n_folded++;
}

static void
fold_half(struct prf_thread_rows *threads)
{
	prf_thread_rows_sort(threads);
	while (threads->n > PRF_THREAD_ROWS_MAX / 2)
		fold(threads, &threads->rows[--threads->n]);
}

int
prf_thread_rows_add(struct prf_thread_rows *threads,
		    const struct prf_thread_row *row)
{
	if (!row->count.ticks)
		return 0;
	if (threads->n == threads->room) {
		size_t room = threads->room * 2 + 16;
		struct prf_thread_row *grown =
			reallocarray(threads->rows, room, sizeof *grown);
		if (!grown) {
			fold(threads, row);
			return -ENOMEM;
		}
		threads->rows = grown;
		threads->room = room;
	}
	threads->rows[threads->n++] = *row;
	if (threads->n > PRF_THREAD_ROWS_MAX)
		fold_half(threads);
	return 0;
}

void
prf_thread_rows_clear(struct prf_thread_rows *threads)
{
	free(threads->rows);
	*threads = (struct prf_thread_rows){0};
}
