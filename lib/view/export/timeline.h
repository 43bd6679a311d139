/* timeline.h - the sink that keeps samples one by one, with their threads and
 * times, for formats that show what ran when.
 *
 * Memory is bounded: of more than N_MAX samples two that follow each other in a
 * thread become one, which has the ticks of both and, by the lot of these ticks,
 * the stack of either; then four, and so on. */
#ifndef PRF_VIEW_EXPORT_TIMELINE_H
#define PRF_VIEW_EXPORT_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/sample.h"
#include "profile/warnings.h"
#include "space/objectfile.h"
#include "view/export/stack_table.h"

struct prf_timeline_config {
	struct prf_objectfile_way way; /* how files are found */
	const char *perfmap_dir;       /* of JIT compilers; NULL: /tmp */
	uint32_t rate_hz;              /* of ticks */
	uint64_t begin_ns;             /* CLOCK_MONOTONIC, of what is told */
	/* Of the run before that; if any is, only events of what is told are. */
	uint64_t skipped_ns;
	uint64_t end_ns; /* events from then on are not told; 0: all are */
	/* CLOCK_REALTIME - CLOCK_MONOTONIC where this was recorded. */
	int64_t realtime_offset_ns;
	size_t n_max; /* samples; 0: PRF_STACK_TABLE_SAMPLES_MAX */
};

struct prf_timeline {
	struct prf_sink base;
	struct prf_stack_table stacks; /* to be finished when the sink is */
	struct prf_warnings warnings;
};

/* As SINK->base; freed through it.  NULL: out of memory. */
struct prf_timeline *prf_timeline_new(const struct prf_timeline_config *config);

#endif
