/* resume.h - a stopped thread runs on. */
#ifndef PRF_LIVE_STOPPED_RESUME_H
#define PRF_LIVE_STOPPED_RESUME_H

#include "live/tasks.h"

/* Lets TASK run on, with SIGNAL delivered to it (0: none).  If it has been
 * killed, this does nothing: its end will be waited for. */
void prf_resume(const struct prf_task *task, int signal);

#endif
