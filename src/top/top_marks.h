/* top_marks.h - what was counted up to some moments before, so that "profrun top"
 * can show what came since. */
#ifndef PRF_SRC_TOP_TOP_MARKS_H
#define PRF_SRC_TOP_TOP_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/profile.h"

/* "Of late" is so long, and up to twice as long. */
#define PRF_TOP_RECENT_NS UINT64_C(5000000000)

/* All that was counted up to a moment. */
struct prf_top_mark {
	struct prf_profile *profile; /* NULL: nothing */
	uint64_t at_ns;
};

/* All zero: nothing was counted before. */
struct prf_top_marks {
	struct prf_top_mark reset, older, newer;
	bool is_to_reset; /* at the next move */
};

/* The marks follow, for SO_FAR is what was counted up to NOW_NS.  RESETS: that is
 * to be forgotten. */
void prf_top_marks_move(struct prf_top_marks *marks,
			const struct prf_profile *so_far, uint64_t now_ns,
			bool resets);
/* Takes out of SO_FAR, of the last move, what is not of late, or, for ALL, only
 * what is to be forgotten; *SINCE_NS: since when that is, unchanged if it is the
 * begin.  -ERANGE: what was counted before is no part of SO_FAR any more, for JIT
 * code has got other names, or calls were pruned; the marks begin anew.  -ENOMEM.
 * SO_FAR is then good for nothing, and the next one will do. */
int prf_top_marks_take(struct prf_top_marks *marks, struct prf_profile *so_far,
		       bool all, uint64_t *since_ns) PRF_MUST_CHECK;
void prf_top_marks_clear(struct prf_top_marks *marks);

#endif
