/* mapwatch.h - what is mapped in a running process, told to a sink as it
 * changes, so that no sample is charged to a file that is no longer mapped
 * there.
 *
 * At each sample the kernel is asked what is mapped at its PC, while the
 * thread is still stopped there (PROCMAP_QUERY, Linux 6.11; well under a
 * microsecond).  Older kernels have only /proc/PID/maps: it is read again
 * after the thread runs, as often as 2 % of the time allows; between two
 * readings the PC's mapping is taken to be the one last seen, and the tick
 * is counted as not verified. */
#ifndef PRF_LIVE_STOPPED_MAPWATCH_H
#define PRF_LIVE_STOPPED_MAPWATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"
#include "live/proc/procmap.h"

struct prf_mapwatch;

/* Watches PID, which has just begun to run an image.  If its maps may not be
 * read, or it has ended, the sink is told of nothing and no tick is
 * verified. -ENOMEM. */
int prf_mapwatch_new(pid_t pid, struct prf_mapwatch **out,
		     struct prf_error *err) PRF_MUST_CHECK;
/* The first thread of the process has ended: its maps are read by TID, one
 * of the others. */
void prf_mapwatch_reopen(struct prf_mapwatch *watch, pid_t tid);
/* Watches PID, which has just begun as a copy of the process that PARENT
 * watches: the sink has been told of that.  Nothing is read until one of its
 * threads is sampled. -ENOMEM. */
int prf_mapwatch_copy(const struct prf_mapwatch *parent, pid_t pid,
		      struct prf_mapwatch **out) PRF_MUST_CHECK;
void prf_mapwatch_free(struct prf_mapwatch *watch); /* takes NULL */

/* Tells SINK of all executable mappings. */
int prf_mapwatch_tell_all(struct prf_mapwatch *watch,
			  struct prf_sink *sink) PRF_MUST_CHECK;

/* Were they too many, when they were last read, to be read (procfs.h)?  Then no
 * more is known than what samples have met. */
bool prf_mapwatch_has_too_many(const struct prf_mapwatch *watch);

/* What the sink was told last of ADDR.  False: of no mapping there. */
bool prf_mapwatch_told(const struct prf_mapwatch *watch, uint64_t addr,
		       struct prf_procmap *map);

/* What the kernel says is mapped at an address. */
struct prf_mapwatch_note {
	uint64_t addr;
	enum {
		PRF_MAPWATCH_UNASKED, /* it cannot be asked */
		PRF_MAPWATCH_SAME,    /* what the sink was told last */
		PRF_MAPWATCH_OTHER,   /* what map and name tell */
		PRF_MAPWATCH_NOTHING,
	} kind;
	struct prf_procmap map;
	char name[PRF_PROCMAP_NAME_BYTES];
};

/* Thread TID is stopped at ADDR: NOTE gets what is mapped there. */
void prf_mapwatch_ask(struct prf_mapwatch *watch, pid_t tid, uint64_t addr,
		      struct prf_mapwatch_note *note);
/* The thread may run again: tells SINK what NOTE says that it does not know yet.
 * *VERIFIED: the kernel was asked for this very sample.  0 or what the sink
 * returned. */
int prf_mapwatch_tell(struct prf_mapwatch *watch,
		      const struct prf_mapwatch_note *note,
		      struct prf_sink *sink, bool *verified) PRF_MUST_CHECK;

/* For the callers on a stack: tells SINK of all executable mappings that it does
 * not know yet.  This takes a moment for each: it is done when the amount of memory
 * that is mapped tells of a change, and else now and then. */
int prf_mapwatch_tell_rest(struct prf_mapwatch *watch,
			   struct prf_sink *sink) PRF_MUST_CHECK;

/* The mapping at ADDR, of whatever kind, and its NAME (PRF_PROCMAP_NAME_BYTES),
 * now; TID is any thread that lives.  Where the kernel cannot be asked, the
 * whole file is read, or was a moment ago.  -ENOENT: nothing is mapped there; else
 * why it is not known. */
int prf_mapwatch_find(struct prf_mapwatch *watch, pid_t tid, uint64_t addr,
		      struct prf_procmap *map, char *name) PRF_MUST_CHECK;

/* Does this kernel answer PROCMAP_QUERY? */
bool prf_mapwatch_can_query(void);

#endif
