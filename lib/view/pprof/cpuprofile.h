/* cpuprofile.h - a CPU profile as gperftools write it (CPUPROFILE=, libprofiler):
 * stacks in words of the machine, and what was mapped, as /proc/PID/maps says it. */
#ifndef PRF_VIEW_PPROF_CPUPROFILE_H
#define PRF_VIEW_PPROF_CPUPROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"

/* Whose samples they are: such a file does not tell. */
enum { PRF_CPUPROFILE_PID = 1 };

/* Can the N BYTES, all of a file, be one? */
bool prf_cpuprofile_is_it(const void *bytes, size_t n);

/* Ticks in a second, to the nearest; 0: it is none. */
uint32_t prf_cpuprofile_rate_hz(const void *bytes, size_t n);

/* Gives SINK all that is in N BYTES: one process, what it had mapped, and its
 * stacks.  -EBADMSG: they are none, or damaged; -ENOMEM; or what SINK refuses
 * with. */
int prf_cpuprofile_play(const void *bytes, size_t n, struct prf_sink *sink,
			struct prf_error *err) PRF_MUST_CHECK;

#endif
