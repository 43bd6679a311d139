/* privilege.h - rights that a program does not get because it is traced. */
#ifndef PRF_LIVE_LIFE_PRIVILEGE_H
#define PRF_LIVE_LIFE_PRIVILEGE_H

#include "live/watch.h"

/* PROCESS has just become a new program.  If that should run with more
 * rights than its caller, and does not because it is traced, the user is
 * told; once in a run. */
void prf_privilege_check(struct prf_watch *watch,
			 const struct prf_process *process);

#endif
