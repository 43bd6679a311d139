/* privilege.h - rights that a program does not get because it is traced. */
#ifndef PRF_LIVE_PRIVILEGE_H
#define PRF_LIVE_PRIVILEGE_H

#include "live/tracer.h"

/* PROCESS has just become a new image.  If that is one that was to run with more
 * rights than its caller's, and does not, this is told; once in a run. */
void prf_privilege_check(struct prf_tracer *tracer,
			 const struct prf_process *process);

#endif
