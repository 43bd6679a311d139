/* worker.h - threads that the process's signals do not go to. */
#ifndef PRF_CORE_WORKER_H
#define PRF_CORE_WORKER_H

#include <pthread.h>

#include "core/attr.h"

/* Begins a thread that has all signals blocked.  0, or -errno. */
int prf_worker_begin(pthread_t *thread, void *(*work)(void *arg),
		     void *arg) PRF_MUST_CHECK;

#endif
