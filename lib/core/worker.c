#include "core/worker.h"

#include <signal.h>

int
prf_worker_begin(pthread_t *thread, void *(*work)(void *arg), void *arg)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int rc = pthread_create(thread, NULL, work, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -rc;
}
