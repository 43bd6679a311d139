#include "live/stopped/resume.h"

#include <stdint.h>
#include <sys/ptrace.h>

void
prf_resume(const struct prf_task *task, int signal)
{
	ptrace(PTRACE_CONT, task->tid, NULL, (void *)(intptr_t)signal);
}
