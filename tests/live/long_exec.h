/* long_exec.h - a process in an exec that lasts: it waits for the end of another
 * thread, and so for the one who traces that and does not wait for it. */
#ifndef PRF_TESTS_LONG_EXEC_H
#define PRF_TESTS_LONG_EXEC_H

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "live/proc/stat.h"
#include "support/suite.h"

/* Shared with the process. */
struct prf_long_exec {
	pid_t pid;
	volatile pid_t thread; /* that is to be traced */
	volatile int is_told;
};

static inline struct prf_long_exec *
prf_long_exec_new(void)
{
	void *shared =
		mmap(NULL, sizeof(struct prf_long_exec), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(shared, MAP_FAILED);
	return shared;
}

static inline void *
prf_long_exec_sleep(void *arg)
{
	struct prf_long_exec *exec = arg;

	exec->thread = gettid();
	for (;;)
		pause();
	return NULL;
}

static inline void *
prf_long_exec_call(void *arg)
{
	struct prf_long_exec *exec = arg;

	while (!exec->is_told)
		usleep(500);
	execlp("sleep", "sleep", "60", NULL);
	_exit(1);
}

/* Makes the process, which nobody traces. */
static inline void
prf_long_exec_begin(struct prf_long_exec *exec)
{
	pthread_t thread;
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		for (int i = 1; i < NSIG; i++)
			signal(i, SIG_DFL);
		if (pthread_create(&thread, NULL, prf_long_exec_sleep, exec) ||
		    pthread_create(&thread, NULL, prf_long_exec_call, exec))
			_exit(1);
		for (;;)
			pause();
	}
	exec->pid = child;
	while (!exec->thread)
		usleep(500);
}

/* Its exec begins, and lasts if THREAD is traced. */
static inline void
prf_long_exec_go(struct prf_long_exec *exec)
{
	exec->is_told = 1;
	while (prf_stat_read_state(exec->pid, exec->thread) != 'Z')
		usleep(500);
}

#endif
