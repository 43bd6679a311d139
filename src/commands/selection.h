/* selection.h - a sink that passes on some samples, and all else. */
#ifndef PRF_SRC_COMMANDS_SELECTION_H
#define PRF_SRC_COMMANDS_SELECTION_H

#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"

struct prf_selection {
	uint64_t from_ns, to_ns; /* [from, to), of prf_sample.time_ns */
	pid_t pid, tid;          /* 0: any */
};

/* A sink before INNER, which becomes its own.  -ENOMEM. */
int prf_selection_sink_new(const struct prf_selection *selection,
			   struct prf_sink *inner, struct prf_sink **out,
			   struct prf_error *err) PRF_MUST_CHECK;
/* How many samples it has passed on. */
uint64_t prf_selection_sink_passed(const struct prf_sink *sink);

#endif
