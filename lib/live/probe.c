#include "live/probe.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/arch.h"
#include "live/kept.h"
#include "live/proc/clock.h"
#include "live/stopped/inject.h"
#include "live/stopped/mapwatch.h"
#include "live/proc/procfs.h"
#include "live/proc/status.h"
#include "live/ring/ring_event.h"
#include "live/stop.h"
#include "live/trigger/triggers.h"

/* --- A child to try things on */

enum {
	PERIOD_NS = 1000000,
	/* It ends by itself if nothing stops it for so long. */
	CHILD_CPU_NS = 500000000,
};

_Noreturn static void
compute(void)
{
	while (prf_clock_ns(CLOCK_PROCESS_CPUTIME_ID) < CHILD_CPU_NS)
		for (volatile int turns = 0; turns < 100000; turns++)
			;
	_exit(0);
}

static void
end_child(pid_t child)
{
	kill(child, SIGKILL);
	while (waitpid(child, NULL, __WALL) != child)
		if (errno != EINTR)
			return;
}

/* Its next stop; false: it has ended. */
static bool
wait_for_stop(pid_t child, struct prf_stop *stop)
{
	int status;

	while (waitpid(child, &status, __WALL) < 0)
		if (errno != EINTR)
			return false;
	*stop = prf_stop_of_wait(child, status);
	return WIFSTOPPED(status);
}

/* Makes a child, stopped, and reads its registers. */
static int
begin_child(pid_t *child, struct prf_regs *regs, struct prf_error *err)
{
	struct prf_stop stop;

	*child = fork();
	if (*child == 0)
		compute();
	if (*child < 0)
		return prf_error_set(err, -errno, "fork: %s", strerror(errno));
	if (ptrace(PTRACE_SEIZE, *child, NULL,
		   (void *)(intptr_t)(PTRACE_O_EXITKILL |
				      PTRACE_O_TRACESYSGOOD)) ||
	    ptrace(PTRACE_INTERRUPT, *child, NULL, NULL)) {
		int rc = prf_error_set(err, -errno, "%s", strerror(errno));
		end_child(*child);
		return rc;
	}
	int rc = wait_for_stop(*child, &stop) ? prf_arch.read(*child, regs)
					      : -ESRCH;
	if (!rc)
		return 0;
	end_child(*child);
	return prf_error_set(err, rc, "its registers cannot be read");
}

/* --- What is tried */

static void
try_ptrace(struct prf_error *err)
{
	struct prf_regs regs;
	pid_t child;

	if (!begin_child(&child, &regs, err))
		end_child(child);
}

/* Lets CHILD go on until TRIGGER has stopped it. */
static int
await_tick(struct prf_trigger *trigger, struct prf_task *task,
	   struct prf_error *err)
{
	struct prf_stop stop;
	int signal = 0;

	for (;;) {
		ptrace(PTRACE_CONT, task->tid, NULL, (void *)(intptr_t)signal);
		if (!wait_for_stop(task->tid, &stop))
			return prf_error_set(err, -ETIME, "no tick comes");
		if (trigger->ops->claim(trigger, task, &stop).ours)
			return 0;
		signal = stop.kind == PRF_STOP_SIGNAL ? stop.signal : 0;
	}
}

static void
try_timer(struct prf_error *err)
{
	const struct prf_trigger_ops *ops = &prf_trigger_timer;
	const struct prf_trigger_config config = {
		.period_ns = PERIOD_NS,
		.clock = PRF_CLOCK_CPU,
		.seed = 1,
	};
	struct prf_trigger *trigger;
	struct prf_stopped by = {0};
	pid_t child;

	if (ops->open(&config, &trigger, err))
		return;
	if (!begin_child(&child, &by.regs, err)) {
		by.tid = child;
		struct prf_process process = {
			.pid = child,
			.syscall_insn = prf_inject_find_insn(child),
			.addr_bytes = by.regs.addr_bytes,
		};
		struct prf_task task = {
			.tid = child,
			.process = &process,
		};
		if (!ops->arm(trigger, &task, &by, err)) {
			await_tick(trigger, &task, err);
			ops->forget(trigger, &task);
		}
		prf_kept_clear(&task.kept);
		prf_kept_clear(&process.kept);
		end_child(child);
	}
	ops->close(trigger);
}

static void
take_nothing(void *arg, struct prf_task *task,
	     const struct prf_ring_record *record, uint32_t ticks)
{
	(void)arg;
	(void)task;
	(void)record;
	(void)ticks;
}

/* As it is opened, it has this thread sampled. */
static void
try_ring(enum prf_clock clock, struct prf_error *err)
{
	const struct prf_trigger_config config = {
		.period_ns = PERIOD_NS,
		.clock = clock,
		.seed = 1,
		.take = take_nothing,
	};
	struct prf_trigger *trigger;

	if (!prf_trigger_ring.open(&config, &trigger, err))
		trigger->ops->close(trigger);
}

/* --- What is read */

static bool
is_in_pid_namespace(void)
{
	/* The kernel has given the first one this number for good. */
	static const char first[] = "pid:[4026531836]";
	char name[64];
	ssize_t n = readlink("/proc/self/ns/pid", name, sizeof name - 1);

	if (n < 0)
		return false;
	name[n] = '\0';
	return strcmp(name, first) != 0;
}

void
prf_probe_machine(struct prf_probe *probe)
{
	struct prf_thread_status own;
	struct prf_process_status status;

	*probe = (struct prf_probe){
		.yama_scope = prf_procfs_read_yama_scope(),
		.tick_ns = prf_clock_tick_ns(),
		.can_query_mappings = prf_mapwatch_can_query(),
		.in_pid_namespace = is_in_pid_namespace(),
	};
	if (!prf_status_read_process(getpid(), &status))
		probe->capabilities = status.capabilities;
	probe->has_perf_paranoid =
		prf_ring_event_paranoid(&probe->perf_paranoid);
	if (!prf_status_read_thread(getpid(), getpid(), &own)) {
		probe->seccomp_mode = own.seccomp_mode;
		probe->seccomp_filters = own.seccomp_filters;
	}
	try_ptrace(&probe->ptrace);
	try_timer(&probe->timer);
	try_ring(PRF_CLOCK_CPU, &probe->ring);
	try_ring(PRF_CLOCK_USER, &probe->ring_user);
}
