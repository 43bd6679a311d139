/* rank.h - the number of a process among those of an MPI program, as its
 * environment has it. */
#ifndef PRF_LIVE_PROC_RANK_H
#define PRF_LIVE_PROC_RANK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The first variable that is set, and not to "", has the rank; NULL at the end. */
extern const char *const prf_rank_variables[];

/* In the N_BYTES of strings at ENVIRONMENT, a NUL behind each.  -1: there is
 * none, or it is not a number. */
int32_t prf_rank_find(const char *environment, size_t n_bytes);
/* Of process PID, as it was at its last exec. */
int32_t prf_rank_of(pid_t pid);

#endif
