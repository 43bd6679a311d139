#include "core/pcsample.h"

#include <errno.h>

int64_t
prf_pcsample_call(struct prf_pcsample *state, int64_t n_samples)
{
	if (n_samples < 0)
		return -EINVAL;

	int64_t n_before = state->n_stored;
	*state = (struct prf_pcsample){.n_samples = n_samples};
	return n_before;
}

bool
prf_pcsample_is_on(const struct prf_pcsample *state)
{
	return state->n_stored < state->n_samples;
}

struct prf_pcsample_room
prf_pcsample_room(const struct prf_pcsample *state, uint64_t ticks)
{
	struct prf_pcsample_room room = {.first = state->n_stored};

	if (!prf_pcsample_is_on(state))
		return room;
	room.n = state->n_samples - state->n_stored;
	if (ticks < (uint64_t)room.n)
		room.n = (int64_t)ticks;
	return room;
}

void
prf_pcsample_stored(struct prf_pcsample *state, int64_t n)
{
	int64_t room = state->n_samples - state->n_stored;

	state->n_stored += n < room ? n : room;
}

void
prf_pcsample_fault(struct prf_pcsample *state)
{
	state->n_samples = state->n_stored;
}

void
prf_pcsample_forget(struct prf_pcsample *state)
{
	*state = (struct prf_pcsample){0};
}
