/* origin.h - which run a profile is of, for people: nothing is reckoned with
 * it. */
#ifndef PRF_PROFILE_ORIGIN_H
#define PRF_PROFILE_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/attr.h"

/* All zero: nothing was told yet. */
struct prf_origin {
	char *command;     /* its own; NULL: not known, or of several */
	const char *clock; /* "cpu", "user", "wall", static; NULL: the same */
	uint64_t begun_s;  /* since 1970; 0: the same */
	bool is_told;      /* also if nothing was known */
};

/* WORD where it is one of these, and NULL where it is NULL or another. */
const char *prf_origin_clock(const char *word);

/* COMMAND, CLOCK and BEGUN_S as above, of ORIGIN, which is all zero; a CLOCK
 * that is none of these is not known.  -ENOMEM. */
int prf_origin_tell(struct prf_origin *origin, const char *command,
		    const char *clock, uint64_t begun_s) PRF_MUST_CHECK;
/* ORIGIN becomes that of both: what they do not agree in is not known.  One that
 * was not told changes nothing.  -ENOMEM. */
int prf_origin_join(struct prf_origin *origin,
		    const struct prf_origin *other) PRF_MUST_CHECK;
void prf_origin_clear(struct prf_origin *origin);

#endif
