/* pprof_unit.h - which of a pprof file's values are its ticks, and how long one
 * is. */
#ifndef PRF_VIEW_PPROF_PPROF_UNIT_H
#define PRF_VIEW_PPROF_PPROF_UNIT_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/profile.h"
#include "view/pprof/pprof_message.h"

struct prf_pprof_unit {
	size_t value; /* among those of a sample */
	struct prf_profile_unit unit;
	const char *clock;   /* "cpu", "wall"; NULL: not told */
	double sample_ticks; /* of one sample */
};

/* The number of samples, if a period tells how long they are; else CPU time,
 * wall time, or the time that is the default or the last.  -EINVAL: MESSAGE is
 * about something else than time. */
int prf_pprof_unit_of(const struct prf_pprof_message *message,
		      struct prf_pprof_unit *unit,
		      struct prf_error *err) PRF_MUST_CHECK;

#endif
