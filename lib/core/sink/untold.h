/* untold.h - the processes of which not all has been told: where their samples were
 * cannot be said.  Not installed. */
#ifndef PRF_CORE_SINK_UNTOLD_H
#define PRF_CORE_SINK_UNTOLD_H

#include <stdbool.h>

#include "event.h"

/* All zero: there are none. */
struct prf_untold {
	unsigned char *bits; /* one for each, by its id; or NULL */
	bool is_all;         /* there was no memory for that */
};

void prf_untold_clear(struct prf_untold *untold);

/* Is the event WHAT of KIND to be passed on?  A sample is, if it can be said where
 * it was; what says so for later ones, if it HAS_ROOM and is not in vain; a figure
 * in any case.  What is not passed on counts as lost: its process is untold until
 * it runs another program, and so are those that it forks. */
bool prf_untold_admits(struct prf_untold *untold, enum prf_event_kind kind,
		       const void *what, bool has_room);

#endif
