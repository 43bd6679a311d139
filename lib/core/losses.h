/* losses.h - events that a sink was given and refused. */
#ifndef PRF_CORE_LOSSES_H
#define PRF_CORE_LOSSES_H

#include <stdint.h>

#include "attr.h"

PRF_BEGIN_DECLS

struct prf_losses {
	uint64_t ticks, samples;
	uint64_t others;   /* events that are no samples */
	int code;          /* the first reason, a negative errno value; or 0 */
	uint64_t later[2]; /* all 0 */
};

/* A sink has answered an event with CODE: a sample of TICKS, or an event of
 * another kind (0).  Returns CODE. */
static __inline__ int
prf_losses_count(struct prf_losses *losses, uint32_t ticks, int code)
{
	if (!code)
		return 0;
	if (!losses->code)
		losses->code = code;
	losses->ticks += ticks;
	losses->samples += ticks > 0;
	losses->others += ticks == 0;
	return code;
}

PRF_END_DECLS

#endif
