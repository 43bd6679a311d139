/* tee.h - a sink that hands every event to several sinks. */
#ifndef PRF_CORE_TEE_H
#define PRF_CORE_TEE_H

#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "losses.h"
#include "sample.h"

PRF_BEGIN_DECLS

/* A tee before the N_SINKS (>= 1) in SINKS, which become its own.  Each is
 * given every event, in this order, whatever the others answer.  The tee's
 * answer is that of the first sink; what the others refuse is counted.
 * finish() finishes all, and fails as the first that fails.  -ENOMEM: nothing
 * was made, and the sinks are still the caller's. */
int prf_tee_sink_new(struct prf_sink *const *sinks, size_t n_sinks,
		     struct prf_sink **out,
		     struct prf_error *err) PRF_MUST_CHECK;

/* What sink number INDEX has refused so far. */
struct prf_losses prf_tee_sink_losses(const struct prf_sink *sink,
				      size_t index);

PRF_END_DECLS

#endif
