#include "live/life/privilege.h"

#include <elf.h>
#include <linux/capability.h>
#include <stdio.h>
#include <unistd.h>

#include "live/proc/procfs.h"
#include "live/proc/status.h"

/* The kernel lets a program with a set-id bit keep it if its tracer could have
 * traced it anyway. */
static bool
may_trace_all(void)
{
	struct prf_process_status own;

	return prf_status_read_process(getpid(), &own) ||
	       own.capabilities >> CAP_SYS_PTRACE & 1;
}

static uint64_t
auxv(const struct prf_process *process, uint64_t type)
{
	uint64_t value = 0;

	prf_procfs_find_auxv(process->pid, process->addr_bytes, type, &value);
	return value;
}

/* Is the program in the secure mode of those that got rights by exec, and
 * yet has its caller's ids? */
static bool
was_cut_down(const struct prf_process *process)
{
	return auxv(process, AT_SECURE) &&
	       auxv(process, AT_UID) == auxv(process, AT_EUID) &&
	       auxv(process, AT_GID) == auxv(process, AT_EGID);
}

void
prf_privilege_check(struct prf_watch *watch, const struct prf_process *process)
{
	char line[160], name[PRF_THREAD_NAME_BYTES];

	if (watch->told_of_privilege || !watch->config->tell ||
	    !was_cut_down(process) || may_trace_all())
		return;
	watch->told_of_privilege = true;
	prf_procfs_read_name(process->pid, process->pid, name);
	snprintf(line, sizeof line,
		 "%s (%d) has its caller's rights alone: the kernel gives a "
		 "program that is traced no more without CAP_SYS_PTRACE",
		 name, process->pid);
	watch->config->tell(watch->config->tell_arg, line);
}
