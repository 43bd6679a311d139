#include "live/life/wants_tracer.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "live/proc/procfs.h"
#include "live/proc/status.h"

bool
prf_wants_tracer_waits(const char *text)
{
	uint64_t args[4];
	long call;

	if (sscanf(text, "%ld %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64,
		   &call, &args[0], &args[1], &args[2], &args[3]) != 5)
		return false;
	return (call == SYS_wait4 && !(args[2] & WUNTRACED)) ||
	       (call == SYS_waitid && !(args[3] & WSTOPPED));
}

/* (A child that is traced by its parent is waited for without asking for
 * stops.  Job control asks for them.) */
static void
mention(void *arg, struct prf_task *task)
{
	struct prf_watch *watch = arg;
	struct prf_process_status status;
	char text[PRF_PROCFS_BYTES], line[192];
	pid_t pid = task->process->pid;

	if (watch->told_of_wish || task->stopped_by != SIGSTOP ||
	    prf_status_read_process(pid, &status) ||
	    !prf_tasks_find(watch->tasks, status.parent) ||
	    prf_procfs_read(status.parent, status.parent, "syscall", text,
			    sizeof text) ||
	    !prf_wants_tracer_waits(text))
		return;
	watch->told_of_wish = true;
	snprintf(line, sizeof line,
		 "process %d has stopped, and process %d waits for it: if that "
		 "is to trace it, it cannot (--follow=none leaves it alone)",
		 (int)pid, (int)status.parent);
	watch->config->tell(watch->config->tell_arg, line);
}

void
prf_wants_tracer_mention(struct prf_watch *watch)
{
	if (watch->config->tell && !watch->told_of_wish)
		prf_tasks_each(watch->tasks, mention, watch);
}
