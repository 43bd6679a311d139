#include "core/hist/hist_waiting.h"

enum { BATCH = PRF_HIST_WAITING_BATCH };

static void
add_ticks(struct prf_hist_waiting_tick *ticks, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (ticks[i].bin)
			prf_hist_counters_add(ticks[i].counters, ticks[i].bin,
					      ticks[i].ticks);
		ticks[i].bin = NULL;
	}
}

/* The memory of a whole batch is requested at once: a processor stops at a page
 * whose address it does not know, and translates several together in the time
 * of one. */
void
prf_hist_waiting_ask(struct prf_hist_waiting *waiting, unsigned batch)
{
	for (unsigned i = 0; i < BATCH; i++)
		__builtin_prefetch(waiting->ticks[batch * BATCH + i].bin, 1);
	add_ticks(&waiting->ticks[!batch * BATCH], BATCH);
}

void
prf_hist_waiting_end(struct prf_hist_waiting *waiting)
{
	if (waiting->n_come)
		add_ticks(waiting->ticks, 2 * BATCH);
	waiting->n_come = 0;
}
