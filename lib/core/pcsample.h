/* pcsample.h - where pcsample(2) stores the next pc, and what it returns.
 *
 * Positions only: the array is the caller's, and so is the storing, which is
 * done between prf_pcsample_room() and prf_pcsample_stored().  No memory, no
 * errno, no clock, no lock: async-signal-safe.  Threads that share a state
 * must guard it.
 *
 * A state of zeros is one that was never started; so it is after exec.  A
 * copy is what fork gives to the child, count and position included. */
#ifndef PRF_CORE_PCSAMPLE_H
#define PRF_CORE_PCSAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "attr.h"

PRF_BEGIN_DECLS

struct prf_pcsample {
	int64_t n_samples; /* room in the array, 0 when stopped */
	int64_t n_stored;  /* <= n_samples since the last start; on while < */
};

/* Where samples go: array[first] and so on, N of them. */
struct prf_pcsample_room {
	int64_t first, n;
};

/* The call itself: starts over at the array's begin with room for N_SAMPLES,
 * or stops if that is 0.  Returns how many samples were stored since the call
 * before, never more than the room it gave; 0 the first time.  -EINVAL if
 * N_SAMPLES is negative, and then nothing has changed. */
int64_t prf_pcsample_call(struct prf_pcsample *state, int64_t n_samples);

/* Ticks are counted: started, not full, not ended. */
bool prf_pcsample_is_on(const struct prf_pcsample *state);

/* The places for TICKS samples, as many as there is room for: one for each
 * tick, all with the same pc if they were owed together.  n is 0 when off. */
struct prf_pcsample_room prf_pcsample_room(const struct prf_pcsample *state,
					   uint64_t ticks);

/* The first N of the places last given were filled; N is not negative, and
 * what is more than the room is not counted.  A full array is off; its count
 * is kept for the next call. */
void prf_pcsample_stored(struct prf_pcsample *state, int64_t n);

/* The array could not be written: off, what was stored stays counted. */
void prf_pcsample_fault(struct prf_pcsample *state);

/* profil or sprofil took its place, be it only to turn it off: off, and the
 * count is forgotten. */
void prf_pcsample_forget(struct prf_pcsample *state);

PRF_END_DECLS

#endif
