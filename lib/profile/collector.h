/* collector.h - the sink that makes the profile of a run: it counts the samples
 * of all processes.
 *
 * One profile is for the whole run; on demand each program (a process from one
 * exec to the next or to its end) or each thread has one of its own besides,
 * which is handed out when it ends.  A process without ticks costs its place in
 * the table of processes and its list of mappings, until it ends. */
#ifndef PRF_PROFILE_COLLECTOR_H
#define PRF_PROFILE_COLLECTOR_H

#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/collector_config.h"

/* As SINK->base; freed through it.  NULL: out of memory.  What is told of a
 * process that is not known (neither by FORK nor by exec, or ended) is refused
 * with -ESRCH. */
struct prf_collector *
prf_collector_new(const struct prf_collector_config *config);

/* It is NOW_NS: if the interval is over, what was counted in it is handed out. A
 * sample says so itself; for those of a run that has none for a while somebody
 * must. */
void prf_collector_reach(struct prf_collector *collector, uint64_t now_ns);

/* The profile of the run as of now, the caller's to free; the run goes on.  JIT
 * code has the names that its map has now.  It lends from COLLECTOR's files.
 * -ENOMEM. */
int prf_collector_snapshot(struct prf_collector *collector,
			   struct prf_profile **profile,
			   struct prf_error *err) PRF_MUST_CHECK;

#endif
