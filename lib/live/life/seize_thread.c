#include "live/life/seize_thread.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

#include "live/proc/status.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* Programs ignore it unless they ask for it, and so does a run. */
enum { EXPIRED = SIGURG };

/* When a call of this thread is to be left, and what there was before. */
struct deadline {
	sigjmp_buf way_out;
	timer_t timer;
	struct sigaction action;
	sigset_t mask;
};

static _Thread_local struct deadline *own;

/* After a handler that returns, the kernel would go on to wait. */
static void
leave(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	if (own && info->si_code == SI_TIMER)
		siglongjmp(own->way_out, 1);
}

static bool
begin(struct deadline *deadline)
{
	const struct sigaction action = {
		.sa_sigaction = leave,
		.sa_flags = SA_SIGINFO,
	};
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = EXPIRED,
	};
	sigset_t expired;

	event.sigev_notify_thread_id = gettid();
	if (timer_create(CLOCK_MONOTONIC, &event, &deadline->timer))
		return false;
	sigemptyset(&expired);
	sigaddset(&expired, EXPIRED);
	own = deadline;
	sigaction(EXPIRED, &action, &deadline->action);
	pthread_sigmask(SIG_UNBLOCK, &expired, &deadline->mask);
	return true;
}

static void
end(struct deadline *deadline)
{
	timer_delete(deadline->timer);
	pthread_sigmask(SIG_SETMASK, &deadline->mask, NULL);
	sigaction(EXPIRED, &deadline->action, NULL);
	own = NULL;
}

/* 0: never.  A signal that was sent before has come when this returns. */
static void
set(const struct deadline *deadline, uint64_t ns)
{
	const struct itimerspec when = {
		.it_value.tv_sec = (time_t)(ns / 1000000000),
		.it_value.tv_nsec = (long)(ns % 1000000000),
	};

	timer_settime(deadline->timer, 0, &when, NULL);
}

static int
seize(pid_t tid, long options)
{
	return ptrace(PTRACE_SEIZE, tid, NULL, (void *)(uintptr_t)options)
		       ? -errno
		       : 0;
}

/* -ETIMEDOUT: the call was left, perhaps just after it had come to its end. */
static int
seize_within(struct deadline *deadline, pid_t tid, long options, uint64_t ns)
{
	if (sigsetjmp(deadline->way_out, true))
		return -ETIMEDOUT;
	set(deadline, ns);
	int rc = seize(tid, options);
	set(deadline, 0);
	return rc;
}

static bool
is_ours(pid_t tid)
{
	struct prf_process_status status;

	return !prf_status_read_process(tid, &status) &&
	       status.tracer == gettid();
}

static uint64_t
limit_ns(uint64_t patience_ns)
{
	const uint64_t least_ns = 10000000;

	return patience_ns / 2 > least_ns ? patience_ns / 2 : least_ns;
}

/* (Without a timer it is waited for.) */
int
prf_seize_thread(pid_t tid, long options, uint64_t *patience_ns)
{
	struct deadline deadline;

	if (!begin(&deadline))
		return seize(tid, options);
	int rc = seize_within(&deadline, tid, options, limit_ns(*patience_ns));
	end(&deadline);
	if (rc == -ETIMEDOUT && is_ours(tid))
		rc = 0;
	if (rc == -ETIMEDOUT)
		*patience_ns -= *patience_ns / 2;
	return rc;
}
