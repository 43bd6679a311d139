#include "live/dump/dump.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

#include "core/scope.h"
#include "image/syscalls.h"
#include "live/life/begin.h"
#include "live/life/refusal.h"
#include "live/life/seize_thread.h"
#include "live/proc/clock.h"
#include "live/proc/memory.h"
#include "live/proc/position.h"
#include "live/proc/procfs.h"
#include "live/proc/schedstat.h"
#include "live/proc/stat.h"
#include "live/stop.h"
#include "live/stopped/copy_stack.h"
#include "live/stopped/mapwatch.h"
#include "live/stopped/retry.h"
#include "live/stopped/stack_place.h"
#include "live/tasks.h"
#include "live/watch.h"

/* What it takes: the state of a run that no thread is traced in for longer than
 * a moment. */
struct taking {
	struct prf_sampler_config config;
	struct prf_sampler_stats stats;
	struct prf_watch watch;
	struct prf_process *process;
	struct prf_memory *memory;
	struct prf_dump *dump;
	uint64_t patience_ns; /* for threads that do not stop, all together */
	int code;             /* that it has ended with */
};

/* --- The process */

/* The kernel tells which thread it is that traces. */
static void
find_tracer(struct prf_dump *dump)
{
	struct prf_process_status status;

	dump->tracer = dump->status.tracer;
	if (dump->tracer && !prf_status_read_process(dump->tracer, &status))
		dump->tracer = status.pid;
}

static void
read_process(struct prf_dump *dump)
{
	if (prf_status_read_process(dump->pid, &dump->status))
		return;
	dump->pid = dump->status.pid;
	find_tracer(dump);
}

/* --- The threads */

static int
compare_tids(const void *a, const void *b)
{
	pid_t first = ((const struct prf_dump_thread *)a)->tid;
	pid_t second = ((const struct prf_dump_thread *)b)->tid;

	return (first > second) - (first < second);
}

static void
close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

static int
add_thread(struct prf_dump *dump, pid_t tid, size_t *room)
{
	if (dump->n_threads == *room) {
		size_t more = *room ? *room * 2 : 16;
		struct prf_dump_thread *grown = reallocarray(
			dump->threads, more, sizeof *dump->threads);

		if (!grown)
			return -ENOMEM;
		dump->threads = grown;
		*room = more;
	}
	dump->threads[dump->n_threads++] =
		(struct prf_dump_thread){.tid = tid, .syscall = PRF_NO_SYSCALL};
	return 0;
}

static int
list_threads(struct prf_dump *dump)
{
	struct dirent *entry;
	char path[64];
	size_t room = 0;
	int rc = 0;

	snprintf(path, sizeof path, "/proc/%d/task", dump->pid);
	PRF_AUTO(close_dir) DIR *dir = opendir(path);
	while (!rc && dir && (entry = readdir(dir))) {
		pid_t tid = (pid_t)atoi(entry->d_name);

		if (tid > 0)
			rc = add_thread(dump, tid, &room);
	}
	if (dump->n_threads)
		qsort(dump->threads, dump->n_threads, sizeof *dump->threads,
		      compare_tids);
	return rc;
}

static void
send(struct taking *taking, const struct prf_dump_thread *thread, uint64_t pc,
     const struct prf_stack_copy *copy, size_t n_bytes, int *rc)
{
	const struct prf_frame frame = {pc, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = taking->process->pid,
		.tid = thread->tid,
		.time_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.ticks = 1,
		.certain = 1,
		.syscall = thread->syscall,
		.n_frames = 1,
		.frames = &frame,
		.stack_copy = copy,
		.stack_copy_bytes = n_bytes,
	};

	*rc = taking->watch.sink->ops->sample(taking->watch.sink, &sample);
}

/* Was more on the stack of TASK than a COPY takes? */
static void
note_cut(struct prf_dump_thread *thread, const struct prf_task *task,
	 const struct prf_stack_copy *copy)
{
	const struct prf_stack_range *range = &copy->ranges[0];

	thread->cut_bytes = 0;
	if (!copy->n_ranges)
		return;
	const struct prf_stack_mapping *mapping =
		prf_stack_place_find(&task->stack, range->addr);
	if (!mapping || range->addr + range->n_bytes >= mapping->end)
		return;
	/* With less than that the rest could not be read. */
	if (range->n_bytes >= PRF_STACK_MOST_BYTES)
		thread->cut_bytes = PRF_STACK_MOST_BYTES;
}

/* --- One that is blocked */

/* What the texts of calls are made with. */
struct source {
	struct taking *taking;
	pid_t tid;
};

static void
name_fd(void *arg, int fd, char *path, size_t size)
{
	const struct source *source = arg;
	char link[64];

	snprintf(link, sizeof link, "/proc/%d/fd/%d", source->tid, fd);
	ssize_t n = readlink(link, path, size - 1);
	path[n > 0 ? n : 0] = '\0';
}

static size_t
read_memory(void *arg, uint64_t addr, void *to, size_t n_bytes)
{
	const struct source *source = arg;

	return prf_memory_read(source->taking->memory, source->tid, addr, to,
			       n_bytes, 0);
}

static double
read_clock(void *arg, int clock)
{
	struct timespec now;

	(void)arg;
	return clock < 0 || clock_gettime(clock, &now)
		       ? -1
		       : (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Of a mutex of the GNU C library and of musl: the lock itself, one word more,
 * and who has it. */
enum { FUTEX_VALUE = 2, MUTEX_OWNER = 8 };

static void
describe_call(struct taking *taking, struct prf_dump_thread *thread,
	      const uint64_t args[6])
{
	struct source arg = {taking, thread->tid};
	const struct prf_awaited_source source = {
		.fd = name_fd,
		.memory = read_memory,
		.now = read_clock,
		.arg = &arg,
		.addr_bytes = taking->process->addr_bytes,
	};
	const char *name = prf_syscall_name(
		prf_syscall_machine(source.addr_bytes), thread->syscall);
	int32_t owner;

	thread->call[0] = '\0';
	thread->awaited = thread->behind = 0;
	thread->is_shared = false;
	if (!name)
		return;
	prf_awaited_text(name, args, &source, thread->call);
	if (!prf_awaited_is_word(name, args))
		return;
	thread->awaited = (pid_t)args[FUTEX_VALUE];
	thread->is_shared = prf_awaited_is_shared(args);
	if (read_memory(&arg, args[0] + MUTEX_OWNER, &owner, sizeof owner) ==
	    sizeof owner)
		thread->behind = owner;
}

static bool
has_moved(const struct taking *taking, const struct prf_dump_thread *thread,
	  const struct prf_schedstat *before,
	  const struct prf_position *position)
{
	pid_t pid = taking->process->pid;
	struct prf_schedstat now;
	struct prf_position still;

	return prf_schedstat_read(pid, thread->tid, &now) ||
	       now.n_slices != before->n_slices ||
	       prf_position_read(pid, thread->tid, &still) ||
	       still.pc != position->pc || still.sp != position->sp ||
	       still.syscall != position->syscall;
}

/* Where a thread that stands still may be. */
enum where { IN_A_CALL, ANYWHERE };

/* Reads THREAD without stopping it.  -EAGAIN: it runs, is elsewhere, or has moved
 * meanwhile; -ENOENT: it has ended; else why it may not be read, or what the sink
 * has returned in *RC. */
static int
read_still(struct taking *taking, struct prf_dump_thread *thread,
	   struct prf_task *task, enum where where, int *rc)
{
	pid_t pid = taking->process->pid;
	struct prf_schedstat times;
	struct prf_position position;
	uint64_t args[6];
	size_t n_bytes;
	int why = prf_schedstat_read(pid, thread->tid, &times);

	if (!why)
		why = prf_position_read_call(pid, thread->tid, &position, args);
	if (why)
		return why;
	if (!position.pc && !position.sp)
		return -ENOENT;
	/* Stopped where it computed, it has registers that only a stop
	 * tells. */
	if (where == IN_A_CALL && position.syscall == PRF_NO_SYSCALL)
		return -EAGAIN;
	thread->syscall = position.syscall;
	thread->cpu_ns = times.cpu_ns;
	describe_call(taking, thread, args);
	const struct prf_stack_copy *copy = prf_copier_copy_blocked(
		taking->watch.copier, task, &position, &n_bytes);
	if (has_moved(taking, thread, &times, &position))
		return -EAGAIN;
	thread->how = PRF_DUMP_BLOCKED;
	note_cut(thread, task, copy);
	send(taking, thread, position.pc, copy, n_bytes, rc);
	return 0;
}

/* --- One that runs */

enum { PATIENCE_NS = 1000000000, LEAST_WAIT_NS = 10000000, WAIT_NS = 20000 };

/* Each that is waited for in vain leaves half of the time to the others. */
static uint64_t
limit_ns(const struct taking *taking)
{
	uint64_t half_ns = taking->patience_ns / 2;

	return half_ns > LEAST_WAIT_NS ? half_ns : LEAST_WAIT_NS;
}

/* Waits until TID, which was asked to, has stopped.  -ESRCH: it has ended;
 * -ETIMEDOUT. */
static int
await_stop(struct taking *taking, pid_t tid, int *wait_status)
{
	uint64_t until_ns = prf_clock_ns(CLOCK_MONOTONIC) + limit_ns(taking);
	const struct timespec moment = {0, WAIT_NS};
	int rc;

	while ((rc = prf_stop_try(tid, wait_status)) == -EAGAIN) {
		if (prf_clock_ns(CLOCK_MONOTONIC) > until_ns) {
			taking->patience_ns -= taking->patience_ns / 2;
			return -ETIMEDOUT;
		}
		nanosleep(&moment, NULL);
	}
	return rc;
}

/* THREAD was stopped by job control in a call, of which the kernel tells nothing any
 * more, but REGS do. */
static void
note_inferred_call(struct taking *taking, struct prf_dump_thread *thread,
		   const struct prf_regs *regs)
{
	uint64_t args[6];

	if (thread->state != 'T' || !regs->call_is_inferred ||
	    regs->syscall == PRF_NO_SYSCALL)
		return;
	thread->how = PRF_DUMP_BLOCKED;
	thread->syscall = regs->syscall;
	if (prf_arch.inferred_args(regs, args))
		describe_call(taking, thread, args);
}

/* What TASK, which is stopped, has on its stack. */
static const struct prf_stack_copy *
copy_stopped(struct taking *taking, struct prf_dump_thread *thread,
	     struct prf_task *task, uint64_t *pc, size_t *n_bytes)
{
	struct prf_schedstat times;
	struct prf_regs regs;

	if (prf_arch.read(task->tid, &regs))
		return NULL;
	*pc = regs.pc;
	thread->how = PRF_DUMP_STOPPED;
	thread->syscall = PRF_NO_SYSCALL;
	thread->call[0] = '\0';
	note_inferred_call(taking, thread, &regs);
	prf_retry_call_of(&taking->watch, task, &regs);
	if (!prf_schedstat_read(taking->process->pid, task->tid, &times))
		thread->cpu_ns = times.cpu_ns;
	return prf_copier_copy(taking->watch.copier, task, &regs, n_bytes);
}

/* THREAD is stopped for a moment. */
static int
read_stopped(struct taking *taking, struct prf_dump_thread *thread,
	     struct prf_task *task, int *rc)
{
	uint64_t pc = 0;
	size_t n_bytes = 0;
	int wait_status;
	int why = prf_seize_thread(thread->tid, 0, &taking->patience_ns);

	if (why)
		return why;
	prf_copier_warm(taking->watch.copier);
	if (ptrace(PTRACE_INTERRUPT, thread->tid, NULL, NULL))
		return -errno;
	why = await_stop(taking, thread->tid, &wait_status);
	if (why)
		return why;
	uint64_t since_ns = prf_clock_ns(CLOCK_MONOTONIC);
	const struct prf_stop stop = prf_stop_of_wait(thread->tid, wait_status);
	const struct prf_stack_copy *copy =
		copy_stopped(taking, thread, task, &pc, &n_bytes);
	bool passes = stop.kind == PRF_STOP_SIGNAL;
	if (ptrace(PTRACE_DETACH, thread->tid, NULL,
		   (void *)(intptr_t)(passes ? stop.signal : 0)) ||
	    !copy)
		return -ESRCH;
	thread->stopped_ns = prf_clock_ns(CLOCK_MONOTONIC) - since_ns;
	note_cut(thread, task, copy);
	send(taking, thread, pc, copy, n_bytes, rc);
	return 0;
}

/* --- All of them */

static void
note_failure(struct prf_dump_thread *thread, int why)
{
	bool has_ended = why == -ESRCH || why == -ENOENT;

	thread->how = has_ended ? PRF_DUMP_ENDED : PRF_DUMP_REFUSED;
	thread->code = why;
	thread->syscall = PRF_NO_SYSCALL;
	thread->call[0] = '\0';
}

/* Does THREAD wait in the kernel, in a call or not, for what no stop can interrupt:
 * a page of a file, or that it is thawed? */
static bool
cannot_be_interrupted(const struct taking *taking,
		      const struct prf_dump_thread *thread)
{
	return prf_stat_read_state(taking->process->pid, thread->tid) == 'D';
}

/* One that may not be stopped may stand where its tracer has stopped it, and one
 * that cannot be stands where it does: most callers are found by what is known
 * without the other registers. */
static void
read_thread(struct taking *taking, struct prf_dump_thread *thread,
	    struct prf_task *task, int *rc)
{
	enum { TRIES = 3 };
	int why = -EAGAIN;

	for (int i = 0; i < TRIES && why == -EAGAIN && *rc == 0; i++)
		why = read_still(taking, thread, task, IN_A_CALL, rc);
	if (why == -EAGAIN && cannot_be_interrupted(taking, thread))
		why = read_still(taking, thread, task, ANYWHERE, rc);
	if (why == -EAGAIN)
		why = read_stopped(taking, thread, task, rc);
	if ((why == -EPERM || why == -ETIMEDOUT) &&
	    read_still(taking, thread, task, ANYWHERE, rc) == 0)
		why = 0;
	if (why)
		note_failure(thread, why);
}

/* Those that have not ended, and are the program's; the process is read by way of
 * one of them. */
static int
add_tasks(struct taking *taking, struct prf_dump *dump)
{
	for (size_t i = 0; i < dump->n_threads; i++) {
		struct prf_dump_thread *thread = &dump->threads[i];

		prf_procfs_read_name(dump->pid, thread->tid, thread->name);
		thread->state = prf_stat_read_state(dump->pid, thread->tid);
		if (!thread->state || strchr("ZX", thread->state))
			thread->how = PRF_DUMP_ENDED;
		else if (prf_stat_is_worker(dump->pid, thread->tid))
			thread->how = PRF_DUMP_WORKER;
		else if (!prf_tasks_add(taking->watch.tasks, thread->tid,
					taking->process))
			return -ENOMEM;
	}
	return 0;
}

static int
read_threads(struct taking *taking, struct prf_dump *dump)
{
	int rc = 0;

	for (size_t i = 0; i < dump->n_threads && rc == 0; i++) {
		struct prf_dump_thread *thread = &dump->threads[i];
		struct prf_task *task =
			prf_tasks_find(taking->watch.tasks, thread->tid);

		if (task)
			read_thread(taking, thread, task, &rc);
	}
	return rc;
}

/* May the process be looked into?  The kernel answers for its first thread. */
static int
check_access(const struct prf_dump *dump, struct prf_error *err)
{
	struct prf_position position;
	int rc = -ENOENT;

	for (size_t i = 0; i < dump->n_threads && rc == -ENOENT; i++)
		rc = prf_position_read(dump->pid, dump->threads[i].tid,
				       &position);
	bool is_there = !dump->status.is_zombie || dump->status.n_threads > 1;
	if ((rc == 0 || rc == -EAGAIN) && is_there && !dump->status.is_kernel &&
	    dump->pid != getpid())
		return 0;
	struct prf_refusal refusal = prf_refusal_read(dump->pid, EPERM);
	return prf_refusal_explain(&refusal, err);
}

static int
take(struct taking *taking)
{
	struct prf_watch *watch = &taking->watch;
	struct prf_dump *dump = taking->dump;

	watch->tasks = prf_tasks_new();
	watch->copier = prf_copier_new();
	taking->memory = prf_memory_new();
	taking->process = prf_processes_add(&watch->processes, dump->pid);
	if (!watch->tasks || !watch->copier || !taking->memory ||
	    !taking->process)
		return -ENOMEM;
	int rc = add_tasks(taking, dump);
	if (!rc)
		rc = prf_begin_attached(watch, taking->process);
	if (rc)
		return rc;
	dump->machine = prf_syscall_machine(taking->process->addr_bytes);
	return read_threads(taking, dump);
}

static void *
take_in_thread(void *arg)
{
	struct taking *taking = arg;

	taking->code = take(taking);
	return NULL;
}

/* The thread that traces ends before anything is made of what it has seen: the
 * kernel then lets go what it may still hold. */
static int
take_and_let_go(struct taking *taking)
{
	pthread_t tracer;
	int why = pthread_create(&tracer, NULL, take_in_thread, taking);

	if (why)
		return -why;
	pthread_join(tracer, NULL);
	return taking->code;
}

static void
end(struct taking *taking)
{
	prf_tasks_free(taking->watch.tasks);
	prf_processes_clear(&taking->watch.processes);
	prf_copier_free(taking->watch.copier);
	prf_memory_free(taking->memory);
}

int
prf_dump_take(pid_t pid, struct prf_sink *sink, struct prf_dump *dump,
	      struct prf_error *err)
{
	struct taking taking = {
		.watch =
			{
				.attached = true,
				.config = &taking.config,
				.sink = sink,
				.stats = &taking.stats,
				.err = err,
			},
		.dump = dump,
		.patience_ns = PATIENCE_NS,
	};

	*dump = (struct prf_dump){.pid = pid};
	read_process(dump);
	int rc = list_threads(dump);
	if (rc == 0)
		rc = check_access(dump, err);
	if (rc == 0) {
		rc = take_and_let_go(&taking);
		end(&taking);
		if (rc)
			prf_error_set(err, rc, "process %d: %s", pid,
				      strerror(-rc));
	}
	if (rc)
		prf_dump_clear(dump);
	return rc;
}

void
prf_dump_clear(struct prf_dump *dump)
{
	free(dump->threads);
	*dump = (struct prf_dump){0};
}
