#include "live/life/refusal.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live/proc/procfs.h"
#include "live/proc/status.h"

/* --- What is known */

static bool
may_trace_others(void)
{
	struct prf_process_status own;

	return !prf_status_read_process(getpid(), &own) &&
	       (own.capabilities & 1ULL << CAP_SYS_PTRACE);
}

struct prf_refusal
prf_refusal_read(pid_t pid, int code)
{
	pid_t found = prf_status_find_living(pid), living = found ? found : pid;
	char path[64];
	struct stat file;
	struct prf_process_status status;
	struct prf_refusal refusal = {
		.pid = pid,
		.code = code,
		.own_uid = geteuid(),
		.is_ours = pid == getpid(),
		.can_trace = may_trace_others(),
		.yama_scope = prf_procfs_read_yama_scope(),
	};

	/* (The directory's own owner is always that of the process.) */
	snprintf(path, sizeof path, "/proc/%d/status", living);
	refusal.exists =
		!prf_status_read_process(living, &status) && !stat(path, &file);
	if (!refusal.exists)
		return refusal;
	refusal.is_zombie = status.is_zombie;
	refusal.is_kernel = status.is_kernel;
	refusal.tracer = status.tracer;
	refusal.uid = status.uid;
	refusal.owner = file.st_uid;
	return refusal;
}

/* --- What it means */

static bool
is_missing(const struct prf_refusal *r)
{
	return !r->exists;
}

static bool
is_ours(const struct prf_refusal *r)
{
	return r->is_ours;
}

static bool
is_zombie(const struct prf_refusal *r)
{
	return r->is_zombie;
}

static bool
is_kernel(const struct prf_refusal *r)
{
	return r->is_kernel;
}

static bool
is_in_exec(const struct prf_refusal *r)
{
	return r->code == ETIMEDOUT;
}

static bool
is_traced(const struct prf_refusal *r)
{
	return r->tracer != 0;
}

static bool
is_another_users(const struct prf_refusal *r)
{
	return r->uid != r->own_uid && !r->can_trace;
}

/* The kernel gives the files of such a process to root. */
static bool
is_not_dumpable(const struct prf_refusal *r)
{
	return r->owner != r->uid && !r->can_trace;
}

static bool
is_forbidden_to_all(const struct prf_refusal *r)
{
	return r->yama_scope >= 3;
}

static bool
is_for_the_privileged(const struct prf_refusal *r)
{
	return r->yama_scope == 2 && !r->can_trace;
}

static bool
is_no_descendant(const struct prf_refusal *r)
{
	return r->yama_scope == 1 && !r->can_trace;
}

static bool
is_unexplained(const struct prf_refusal *r)
{
	(void)r;
	return true;
}

/* The first that holds is the reason. */
static const struct {
	bool (*holds)(const struct prf_refusal *refusal);
	int code;
	const char *text;
} reasons[] = {
	{is_missing, ESRCH, "there is no such process"},
	{is_ours, EINVAL, "that is this very profrun"},
	{is_kernel, EPERM, "it is a thread of the kernel, not a program"},
	{is_zombie, ESRCH,
	 "it has ended, and only waits for its parent to notice"},
	{is_in_exec, ETIMEDOUT,
	 "it is in an execve that does not end, as of a file whose file system "
	 "does not answer"},
	{is_traced, EBUSY,
	 "it is traced already (by a debugger, strace or another profrun); "
	 "end that first"},
	{is_another_users, EPERM,
	 "it is another user's; run profrun as that user or as root"},
	{is_not_dumpable, EPERM,
	 "it protects itself (it is not dumpable, as set-user-ID programs and "
	 "keepers of secrets are); run profrun as root"},
	{is_forbidden_to_all, EPERM,
	 "kernel.yama.ptrace_scope is 3: nothing may be traced until the "
	 "machine is booted again"},
	{is_for_the_privileged, EPERM,
	 "kernel.yama.ptrace_scope is 2: run profrun as root or with "
	 "CAP_SYS_PTRACE"},
	{is_no_descendant, EPERM,
	 "kernel.yama.ptrace_scope is 1: only what profrun starts may be "
	 "traced; start it by profrun, run profrun as root, or: sysctl "
	 "kernel.yama.ptrace_scope=0"},
	{is_unexplained, EPERM,
	 "ptrace is refused; a seccomp filter, a security module or a user "
	 "namespace stands between"},
};

int
prf_refusal_explain(const struct prf_refusal *refusal, struct prf_error *err)
{
	size_t i = 0;

	while (!reasons[i].holds(refusal))
		i++;
	return prf_error_set(err, -reasons[i].code, "process %d: %s",
			     refusal->pid, reasons[i].text);
}
