#include "live/proc/reach.h"

#include <stddef.h>
#include <unistd.h>

static _Thread_local struct prf_reach *own;
static _Thread_local unsigned own_turn;

void
prf_reach_show(struct prf_reach *reach)
{
	own = reach;
	own_turn = 0;
}

void
prf_reach_begin(void)
{
	if (!own)
		return;
	own_turn++;
	atomic_store_explicit(&own->turn, own_turn, memory_order_release);
}

void
prf_reach_end(void)
{
	unsigned turn = own_turn;

	if (!own)
		return;
	own_turn++;
	if (atomic_compare_exchange_strong(&own->turn, &turn, own_turn))
		return;
	for (;;)
		pause();
}

unsigned
prf_reach_now(const struct prf_reach *reach)
{
	unsigned turn =
		atomic_load_explicit(&reach->turn, memory_order_acquire);

	return turn % 2 ? turn : 0;
}

bool
prf_reach_take_over(struct prf_reach *reach, unsigned turn)
{
	return atomic_compare_exchange_strong(&reach->turn, &turn, turn + 1);
}
