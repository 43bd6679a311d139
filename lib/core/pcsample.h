/* pcsample.h - where pcsample(2) stores the next pc, and what it returns.
 *
 * This computes positions only: the array is the caller's, and the caller
 * stores the samples, between prf_pcsample_room() and prf_pcsample_stored().
 * There is no memory, errno, clock or lock here: all is async-signal-safe.
 * Threads that share a state must guard it.
 *
 * A state of zeros was never started, as after exec.  A copy of the state, with
 * count and position, is what fork gives to the child. */
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

/* The call itself: starts anew at the beginning of the array with room for
 * N_SAMPLES, or stops if that is 0.  Returns how many samples were stored since
 * the call before, never more than the room it gave; 0 the first time.  -EINVAL
 * if N_SAMPLES is negative, and then nothing has changed. */
int64_t prf_pcsample_call(struct prf_pcsample *state, int64_t n_samples);

/* Whether ticks are counted: the call was made, and the array is not full. */
bool prf_pcsample_is_on(const struct prf_pcsample *state);

/* The elements for TICKS samples, as many as there is room for: one for each
 * tick, all with the same pc if they came together.  n is 0 when profiling is
 * off. */
struct prf_pcsample_room prf_pcsample_room(const struct prf_pcsample *state,
					   uint64_t ticks);

/* The first N of the elements last given were filled; N is not negative, and
 * what exceeds the room is not counted.  When the array is full, profiling is
 * off; its count is kept for the next call. */
void prf_pcsample_stored(struct prf_pcsample *state, int64_t n);

/* The array could not be written: profiling is off, and what was stored stays
 * counted. */
void prf_pcsample_fault(struct prf_pcsample *state);

/* profil or sprofil was called, perhaps only to turn profiling off: profiling
 * by pcsample is off, and the count is forgotten. */
void prf_pcsample_forget(struct prf_pcsample *state);

PRF_END_DECLS

#endif
