#include "live/stopped/overdue.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>

#include "live/stopped/inject.h"
#include "live/stopped/resume.h"

static struct prf_injection *
keep(const struct prf_injection *injection)
{
	struct prf_injection *kept = malloc(sizeof *kept);

	if (kept)
		*kept = *injection;
	return kept;
}

int
prf_overdue_or_end(struct prf_injection *injection,
		   struct prf_injection **overdue)
{
	int rc = prf_inject_end(injection);

	if (rc != -EINPROGRESS)
		return rc;
	if (overdue)
		*overdue = keep(injection);
	if (!overdue || !*overdue)
		free(injection->vectors.data);
	return rc;
}

/* At other events the thread has ended, or has another program. */
static bool
may_put_back(enum prf_stop_kind kind)
{
	return kind == PRF_STOP_SYSCALL || kind == PRF_STOP_SIGNAL ||
	       kind == PRF_STOP_GROUP || kind == PRF_STOP_TRAP;
}

/* Is STOP nothing that the program would have met? */
static bool
is_its_own(const struct prf_stop *stop)
{
	siginfo_t info;

	return stop->kind == PRF_STOP_SYSCALL ||
	       (stop->kind == PRF_STOP_SIGNAL &&
		!ptrace(PTRACE_GETSIGINFO, stop->tid, NULL, &info) &&
		info.si_code > 0);
}

bool
prf_overdue_answer(struct prf_task *task, const struct prf_stop *stop)
{
	bool is_own = is_its_own(stop);

	if (!may_put_back(stop->kind))
		return false;
	if (prf_inject_end_at(task->overdue, stop->kind) == -EINPROGRESS)
		return true;
	prf_inject_forget(task->overdue);
	task->overdue = NULL;
	if (is_own)
		prf_resume(task, 0);
	return is_own;
}
