#include "live/wall/wall.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/wall/account.h"
#include "live/proc/clock.h"
#include "live/stopped/mapwatch.h"
#include "live/proc/position.h"
#include "live/random.h"
#include "live/proc/descriptor.h"
#include "live/proc/schedstat.h"
#include "live/stopped/copy_stack.h"
#include "live/wall/stack_store.h"
#include "live/wall/wheel.h"

/* At most so many samples are taken before stopped threads are served. */
enum { MOST_AT_ONCE = 256 };

struct prf_wall {
	struct prf_watch *watch; /* lent */
	int timer_fd;
	bool paused;
	struct prf_accounts accounts;
	struct prf_wheel wheel;
	struct prf_stack_store stacks;
};

struct prf_wall_thread {
	struct prf_wheel_item item; /* first: the wheel returns it */
	struct prf_task *task;      /* lent */
	int times_fd, syscall_fd;   /* or -1 */
	uint64_t begun_ns;
	bool hidden;   /* its position may not be read */
	bool verified; /* the mapping at its position was */
	struct prf_account account;
	struct prf_stored_stack stack; /* at the account's position */
};

static void
close_if_open(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Does this kernel count how often a thread is given a processor?  (Linux can be
 * built without CONFIG_SCHED_INFO; distributions do not.) */
static bool
has_times(void)
{
	struct prf_schedstat times;

	return !prf_schedstat_read(getpid(), getpid(), &times) &&
	       times.n_slices > 0;
}

int
prf_wall_new(struct prf_watch *watch, uint64_t seed, struct prf_wall **out,
	     struct prf_error *err)
{
	if (!has_times())
		return prf_error_set(err, -ENOTSUP,
				     "the wall clock needs a kernel with "
				     "/proc/PID/schedstat");
	struct prf_wall *wall = calloc(1, sizeof *wall);
	if (!wall)
		return prf_error_set(err, -ENOMEM, "out of memory");
	wall->watch = watch;
	wall->timer_fd =
		timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (wall->timer_fd < 0) {
		int rc = prf_error_set(err, -errno, "wall clock: %s",
				       strerror(errno));
		free(wall);
		return rc;
	}
	prf_accounts_begin(&wall->accounts, watch->config->period_ns,
			   prf_random_next(&seed));
	prf_wheel_begin(&wall->wheel, wall->accounts.grain_ns,
			prf_random_next(&seed), prf_clock_ns(CLOCK_MONOTONIC));
	*out = wall;
	return 0;
}

/* --- Charges */

static const struct prf_stored_stack no_stack;

/* Sends a sample of a thread that was not stopped. */
static void
send(struct prf_wall *wall, const struct prf_wall_thread *thread,
     enum prf_sample_state state, const struct prf_account_charge *charge,
     const struct prf_stored_stack *stack, uint64_t *kind)
{
	struct prf_watch *watch = wall->watch;
	struct prf_sampler_stats *stats = watch->stats;
	struct prf_frame frame = {charge->position.pc, PRF_FRAME_PC};
	struct prf_sample sample = {
		.pid = thread->task->process->pid,
		.tid = thread->task->tid,
		.time_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.ticks = charge->ticks,
		.certain = charge->certain,
		.syscall = charge->position.syscall,
		.state = state,
		.n_frames = 1,
		.frames = &frame,
		.stack_copy = stack->copy,
		.stack_copy_bytes = stack->n_bytes,
	};

	if (!charge->ticks)
		return;
	if (prf_watch_send(watch, &sample)) {
		stats->refused += charge->ticks;
		return;
	}
	stats->ticks += charge->ticks;
	stats->samples++;
	stats->wall.together += charge->ticks - 1;
	*kind += charge->ticks;
}

static void
charge_position(struct prf_wall *wall, const struct prf_wall_thread *thread,
		const struct prf_account_charge *charge)
{
	struct prf_sampler_stats *stats = wall->watch->stats;
	uint64_t before = stats->wall.blocked;

	send(wall, thread, PRF_SAMPLE_BLOCKED, charge, &thread->stack,
	     &stats->wall.blocked);
	uint64_t ticks = stats->wall.blocked - before;
	if (!thread->verified)
		stats->stale_map += ticks;
	if (wall->watch->copier && !thread->stack.copy)
		stats->stackless += ticks;
}

/* The sample is one of THREAD, the last of those that have waited for these
 * ticks. */
static void
charge_waited(struct prf_wall *wall, const struct prf_wall_thread *thread)
{
	uint32_t ticks = prf_accounts_take_waited(&wall->accounts);
	const struct prf_account_charge charge = {
		.position = {.syscall = PRF_NO_PROCESSOR},
		.ticks = ticks,
		.certain = ticks,
	};

	send(wall, thread, PRF_SAMPLE_RUNNABLE, &charge, &no_stack,
	     &wall->watch->stats->wall.waiting);
}

/* --- Samples */

/* FD, which was read for the first time, stays open as *KEPT if there is room. */
static void
keep_open(int fd, int *kept)
{
	if (prf_descriptor_is_one_too_many(fd))
		close(fd);
	else
		*kept = fd;
}

static int
read_times(struct prf_wall_thread *thread, struct prf_schedstat *times)
{
	pid_t pid = thread->task->process->pid;

	if (thread->times_fd >= 0)
		return prf_schedstat_pread(thread->times_fd, times);
	int fd = prf_schedstat_open(pid, thread->task->tid);
	if (fd < 0)
		return fd;
	int rc = prf_schedstat_pread(fd, times);
	keep_open(fd, &thread->times_fd);
	return rc;
}

/* The times of THREAD itself, at NOW_NS, when its account has begun. */
static bool
read_own_times(struct prf_wall_thread *thread, uint64_t now_ns,
	       struct prf_schedstat *times)
{
	return !read_times(thread, times) &&
	       prf_account_can_have(&thread->account, now_ns, times);
}

static int
read_position(struct prf_wall_thread *thread, struct prf_position *position)
{
	pid_t pid = thread->task->process->pid;

	if (thread->syscall_fd >= 0)
		return prf_position_pread(thread->syscall_fd, position);
	int fd = prf_position_open(pid, thread->task->tid);
	if (fd < 0)
		return fd;
	int rc = prf_position_pread(fd, position);
	keep_open(fd, &thread->syscall_fd);
	return rc;
}

/* Tells the sink what is mapped at POSITION, while the thread is there. */
static void
tell_mapping(struct prf_wall *wall, struct prf_wall_thread *thread,
	     const struct prf_position *position)
{
	struct prf_mapwatch *maps = thread->task->process->maps;
	struct prf_mapwatch_note note;

	thread->verified = false;
	if (!maps)
		return;
	prf_mapwatch_ask(maps, thread->task->tid, position->pc, &note);
	if (prf_mapwatch_tell(maps, &note, wall->watch->sink,
			      &thread->verified) ||
	    (wall->watch->copier &&
	     prf_mapwatch_tell_rest(maps, wall->watch->sink)))
		thread->verified = false;
}

/* Keeps the stack that THREAD has at POSITION, if it has not run since TIMES,
 * which were read before POSITION was. */
static void
keep_stack(struct prf_wall *wall, struct prf_wall_thread *thread,
	   const struct prf_schedstat *times,
	   const struct prf_position *position)
{
	struct prf_watch *watch = wall->watch;
	struct prf_schedstat now;
	size_t n_bytes;

	if (!watch->copier)
		return;
	const struct prf_stack_copy *copy = prf_copier_copy_blocked(
		watch->copier, thread->task, position, &n_bytes);
	if (read_times(thread, &now) || now.n_slices != times->n_slices) {
		watch->stats->wall.torn++;
		prf_stack_store_drop(&wall->stacks, &thread->stack);
	} else {
		/* Ticks whose stack is lost are counted when they are sent. */
		(void)prf_stack_store_keep(&wall->stacks, &thread->stack, copy,
					   n_bytes);
	}
}

/* Takes THREAD off the wheel, and charges all that it is owed. */
static void
finish(struct prf_wall *wall, struct prf_wall_thread *thread,
       const struct prf_schedstat *times)
{
	struct prf_account_charge charge =
		prf_account_end(&wall->accounts, &thread->account,
				prf_clock_ns(CLOCK_MONOTONIC), times);

	charge_position(wall, thread, &charge);
	charge_waited(wall, thread);
	wall->watch->stats->wall.threads_ns +=
		thread->account.seen_ns - thread->begun_ns;
	thread->task->wall = NULL;
	prf_wheel_remove(&wall->wheel, &thread->item);
	prf_stack_store_drop(&wall->stacks, &thread->stack);
	close_if_open(&thread->times_fd);
	close_if_open(&thread->syscall_fd);
	free(thread);
}

/* THREAD has moved since the last sample.  False: it has ended. */
static bool
sample_moved(struct prf_wall *wall, struct prf_wall_thread *thread,
	     uint64_t now_ns, const struct prf_schedstat *times)
{
	struct prf_position position = {.syscall = PRF_NO_SYSCALL};
	int rc = read_position(thread, &position);

	if (!rc && !position.pc && !position.sp)
		return false;
	if (rc && rc != -EAGAIN) {
		/* It has a position, but that may not be read. */
		wall->watch->stats->wall.hidden += !thread->hidden;
		thread->hidden = true;
	}
	struct prf_account_charge charge =
		prf_account_move(&wall->accounts, &thread->account, now_ns,
				 now_ns - thread->item.due_ns, times,
				 rc == -EAGAIN ? NULL : &position);
	charge_position(wall, thread, &charge);
	if (rc == -EAGAIN)
		return true;
	tell_mapping(wall, thread, &position);
	keep_stack(wall, thread, times, &position);
	return true;
}

/* The position of a thread that has not moved for long is not read: its file
 * is closed. */
static void
sample_unmoved(struct prf_wall *wall, struct prf_wall_thread *thread,
	       uint64_t now_ns, const struct prf_schedstat *times)
{
	enum { LONG_NS = 1000000000 };
	struct prf_account_charge charge = prf_account_stay(
		&wall->accounts, &thread->account, now_ns, times);

	charge_position(wall, thread, &charge);
	if (thread->account.known_ns > LONG_NS)
		close_if_open(&thread->syscall_fd);
}

static void
sample_thread(struct prf_wall *wall, struct prf_wall_thread *thread)
{
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	struct prf_schedstat times;

	wall->watch->stats->wall.samples++;
	/* If it has ended, or another thread has its id by exec, that will be
	 * waited for. */
	if (read_own_times(thread, now_ns, &times)) {
		if (prf_account_is_unmoved(&thread->account, &times)) {
			sample_unmoved(wall, thread, now_ns, &times);
		} else if (!sample_moved(wall, thread, now_ns, &times)) {
			finish(wall, thread, &times);
			return;
		}
		charge_waited(wall, thread);
	}
	prf_wheel_add(&wall->wheel, &thread->item,
		      prf_account_delay(&wall->accounts, &thread->account),
		      now_ns);
}

/* --- The timer */

static void
set_timer(struct prf_wall *wall)
{
	uint64_t next_ns = prf_wheel_next_ns(&wall->wheel);
	struct itimerspec spec = {0};

	if (next_ns != UINT64_MAX)
		spec.it_value = (struct timespec){
			(time_t)(next_ns / 1000000000),
			(long)(next_ns % 1000000000),
		};
	timerfd_settime(wall->timer_fd, TFD_TIMER_ABSTIME, &spec, NULL);
}

int
prf_wall_fd(const struct prf_wall *wall)
{
	return wall ? wall->timer_fd : -1;
}

void
prf_wall_due(struct prf_wall *wall)
{
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);

	for (int i = 0; i < MOST_AT_ONCE; i++) {
		struct prf_wheel_item *item =
			prf_wheel_take(&wall->wheel, now_ns);
		if (!item)
			break;
		sample_thread(wall, (struct prf_wall_thread *)item);
	}
	set_timer(wall);
}

/* --- Threads that come and go */

void
prf_wall_begin(struct prf_wall *wall, struct prf_task *task)
{
	struct prf_schedstat times;
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);

	if (!wall || wall->paused)
		return;
	prf_wall_end(wall, task);
	struct prf_wall_thread *thread = calloc(1, sizeof *thread);
	if (!thread) {
		wall->watch->stats->wall.hidden++;
		return;
	}
	*thread = (struct prf_wall_thread){
		.task = task,
		.times_fd = -1,
		.syscall_fd = -1,
		.begun_ns = now_ns,
	};
	int rc = read_times(thread, &times);
	if (rc) {
		/* It is dying, or there are no descriptors left. */
		wall->watch->stats->wall.hidden += rc != -ENOENT;
		close_if_open(&thread->times_fd);
		free(thread);
		return;
	}
	prf_account_begin(&thread->account, now_ns, &times);
	task->wall = thread;
	prf_wheel_add(&wall->wheel, &thread->item, 1, now_ns);
	set_timer(wall);
}

void
prf_wall_end(struct prf_wall *wall, struct prf_task *task)
{
	struct prf_schedstat times;

	if (!wall || !task->wall)
		return;
	bool known = read_own_times(task->wall, prf_clock_ns(CLOCK_MONOTONIC),
				    &times);

	finish(wall, task->wall, known ? &times : NULL);
}

void
prf_wall_lose(struct prf_wall *wall, struct prf_task *task)
{
	if (wall && task->wall)
		finish(wall, task->wall, NULL);
}

static void
end_one(void *wall, struct prf_task *task)
{
	prf_wall_end(wall, task);
}

static void
begin_one(void *wall, struct prf_task *task)
{
	if (!task->fresh)
		prf_wall_begin(wall, task);
}

void
prf_wall_pause(struct prf_wall *wall, bool paused)
{
	if (!wall)
		return;
	wall->paused = paused;
	prf_tasks_each(wall->watch->tasks, paused ? end_one : begin_one, wall);
}

void
prf_wall_free(struct prf_wall *wall)
{
	if (!wall)
		return;
	if (wall->watch->tasks)
		prf_tasks_each(wall->watch->tasks, end_one, wall);
	int64_t ticks = wall->accounts.unassigned_ns /
			(int64_t)wall->accounts.period_ns;
	if (ticks > 0)
		wall->watch->stats->wall.stopped += (uint64_t)ticks;
	close(wall->timer_fd);
	free(wall);
}
