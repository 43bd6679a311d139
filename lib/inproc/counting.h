/* counting.h - what becomes of a tick: what is counted now, of which there is
 * one.
 *
 * All functions are to be called with the lock, unless they say otherwise. */
#ifndef PRF_INPROC_COUNTING_H
#define PRF_INPROC_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/dialect.h"
#include "core/pcsample.h"
#include "core/region.h"
#include "core/table.h"
#include "inproc/profil_state.h"
#include "inproc/ticker.h"

/* A compiled list, which is freed where that is allowed. */
struct prf_counting_list {
	struct prf_table *table;
	struct prf_counting_list *next; /* among those no longer used */
};

struct prf_counting {
	enum prf_profil_kind kind;
	unsigned width_bytes;
	struct prf_dialect dialect;
	struct prf_region region;       /* profil */
	struct prf_counting_list *list; /* sprofil */
	uintptr_t *samples;             /* pcsample */
	struct prf_pcsample positions;
};

/* Replaces what is counted, and turns profiling on, or off unless IS_ON.  0, or
 * the error of prf_ticker_start(), after which nothing has changed. */
int prf_counting_set(const struct prf_counting *counting, bool is_on);

/* What is counted, or was. */
const struct prf_counting *prf_counting_now(void);
void prf_counting_state(struct prf_profil_state *state);

/* Takes the lists that were replaced; they are the caller's to free. */
struct prf_counting_list *prf_counting_retired(void);

#endif
