/* standing.h - how a thread stands, asked again and again: whether it runs,
 * where, and for how long it has.  Its files of /proc stay open, since to open
 * one takes longer than to read it; where so many cannot be open, they are
 * opened each time. */
#ifndef PRF_LIVE_STANDING_H
#define PRF_LIVE_STANDING_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/attr.h"
#include "live/schedstat.h"

struct prf_standing;

/* NULL: out of memory. */
struct prf_standing *prf_standing_new(pid_t pid, pid_t tid);
void prf_standing_free(struct prf_standing *standing); /* takes NULL */

/* Does it run, or could it if it had a processor? */
bool prf_standing_runs(const struct prf_standing *standing);
/* Where it runs or ran last; -ESRCH and the like: it is gone. */
int prf_standing_processor(const struct prf_standing *standing,
			   int *cpu) PRF_MUST_CHECK;
int prf_standing_times(const struct prf_standing *standing,
		       struct prf_thread_times *times) PRF_MUST_CHECK;

#endif
