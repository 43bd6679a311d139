/* rseq.h - restartable sequences, see rseq(2): code that the kernel makes start
 * again when its thread was interrupted in the middle. */
#ifndef PRF_LIVE_STOPPED_RSEQ_H
#define PRF_LIVE_STOPPED_RSEQ_H

#include <stdint.h>
#include <sys/types.h>

/* Where TID, which is stopped at PC, will go on because PC lies in such a
 * sequence; 0: PC does not, or the kernel does not tell (before Linux 5.13). */
uint64_t prf_rseq_abort_addr(pid_t tid, uint64_t pc);

#endif
