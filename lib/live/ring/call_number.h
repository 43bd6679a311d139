/* call_number.h - which system call a thread makes that the kernel has sampled: a
 * sample has the registers of the program, but not that number. */
#ifndef PRF_LIVE_RING_CALL_NUMBER_H
#define PRF_LIVE_RING_CALL_NUMBER_H

#include <stdint.h>

#include "live/ring/call_site.h"
#include "live/ring/ring_records.h"
#include "live/tasks.h"

/* The number of the call that TASK, of which SAMPLE was taken in the kernel, has made
 * with the instruction before PC.  PRF_SOME_SYSCALL: it cannot be told;
 * PRF_PAGE_FAULT: that makes none.  Of a process that has ended it is known what
 * SITES know, which learns of it. */
int32_t prf_call_number(struct prf_call_sites *sites,
			const struct prf_task *task,
			const struct prf_ring_sample *sample, uint64_t pc);

#endif
