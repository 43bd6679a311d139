/* ring_event.h - the kernel samples a thread by itself, as its CPU time passes,
 * and writes what it sees into a ring that is mapped here.  Nothing is stopped
 * for that, and nothing is sent to the thread. */
#ifndef PRF_LIVE_RING_RING_EVENT_H
#define PRF_LIVE_RING_RING_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/error.h"
#include "live/ring/ring_records.h"

struct prf_ring_config {
	uint64_t first_ns;  /* up to the first sample, which is taken once; */
	uint64_t period_ns; /* up to the second, and after each */
	uint32_t
		n_at_once; /* after so many samples the descriptor is readable */
	bool user_only;    /* where the thread is in the kernel, there is no
			     * sample; that time is counted all the same */
	size_t n_bytes;    /* at least so much room */
	/* So much of the stack is copied with each sample; 0: none is. */
	uint32_t stack_bytes;
	/* Samples have all registers, by which callers are found, and not only
	 * those that tell where the thread is. */
	bool with_registers;
	/* Samples tell where in the kernel the thread was; and with stacks, by
	 * which calls it came there. */
	bool with_kernel;
};

struct prf_ring_event {
	int fd;       /* to poll */
	int first_fd; /* of the first sample; -1: that is not awaited */
	int clock_fd; /* what counts: FD, or the event that it has followed */
	void *mapped;
	size_t n_mapped;
	bool with_registers, with_stacks, with_kernel;
};

/* Thread TID (0: the calling one) is sampled from now on.  -ESRCH: it has
 * ended; else why it cannot be, in ERR. */
int prf_ring_event_open(pid_t tid, const struct prf_ring_config *config,
			struct prf_ring_event *event,
			struct prf_error *err) PRF_MUST_CHECK;
void prf_ring_event_close(struct prf_ring_event *event);

/* NEXT, with another CONFIG, is to follow EVENT, which samples thread TID; it waits.
 * Its period is the one up to its first sample, too. */
int prf_ring_event_open_next(pid_t tid, const struct prf_ring_config *config,
			     const struct prf_ring_event *event,
			     struct prf_ring_event *next,
			     struct prf_error *err) PRF_MUST_CHECK;
/* NEXT samples the thread from now on, and EVENT does not; what that has noted is
 * still there.  The clock goes on. */
int prf_ring_event_follow(struct prf_ring_event *next,
			  struct prf_ring_event *event) PRF_MUST_CHECK;
/* EVENT, which was followed, is the next one's clock and nothing else. */
void prf_ring_event_retire(struct prf_ring_event *event);

/* What there is to read; RECORD has room for PRF_RING_RECORD_BYTES. */
struct prf_ring_records
prf_ring_event_records(const struct prf_ring_event *event, uint8_t *record);
/* RECORDS up to its tail have been read: their room is the kernel's again. */
void prf_ring_event_free_room(const struct prf_ring_event *event,
			      const struct prf_ring_records *records);

/* The next sample comes when the thread has run for PERIOD_NS from now on; a first
 * one comes no more. */
int prf_ring_event_set_period(struct prf_ring_event *event, uint64_t period_ns);
/* What the event has counted; also of a thread that has ended. */
int prf_ring_event_read(const struct prf_ring_event *event,
			uint64_t *clock_ns) PRF_MUST_CHECK;

/* The kernel has taken the event away from the thread, which is ending. */
bool prf_ring_event_is_over(const struct prf_ring_event *event);

/* The kernel's setting perf_event_paranoid; false: it has none. */
bool prf_ring_event_paranoid(int *level);
/* What the kernel lets this process map for rings, as far as its user has none
 * elsewhere; UINT64_MAX: as much as there is. */
uint64_t prf_ring_event_most_bytes(void);

#endif
