#include "live/wall.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/account.h"
#include "live/clock.h"
#include "live/mapwatch.h"
#include "live/place.h"
#include "live/random.h"
#include "live/schedstat.h"
#include "live/wheel.h"

/* More looks than this must not keep us from stopped threads. */
enum { MOST_AT_ONCE = 256 };

struct prf_wall {
	struct prf_tracer *tracer; /* lent */
	int timer_fd;
	bool paused;
	struct prf_accounts accounts;
	struct prf_wheel wheel;
};

struct prf_wall_thread {
	struct prf_wheel_item item; /* first: the thread is found by it */
	struct prf_task *task;      /* lent */
	int times_fd, syscall_fd;   /* or -1 */
	uint64_t begun_ns;
	bool hidden;   /* where it is may not be read */
	bool verified; /* the mapping at its place was */
	struct prf_account account;
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
	struct prf_thread_times times;

	return !prf_thread_times_read(getpid(), getpid(), &times) &&
	       times.n_slices > 0;
}

int
prf_wall_new(struct prf_tracer *tracer, uint64_t seed, struct prf_wall **out,
	     struct prf_error *err)
{
	if (!has_times())
		return prf_error_set(err, -ENOTSUP,
				     "the wall clock needs a kernel with "
				     "/proc/PID/schedstat");
	struct prf_wall *wall = calloc(1, sizeof *wall);
	if (!wall)
		return prf_error_set(err, -ENOMEM, "out of memory");
	wall->tracer = tracer;
	wall->timer_fd =
		timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (wall->timer_fd < 0) {
		int rc = prf_error_set(err, -errno, "wall clock: %s",
				       strerror(errno));
		free(wall);
		return rc;
	}
	prf_accounts_begin(&wall->accounts, tracer->config->period_ns,
			   prf_random_next(&seed));
	prf_wheel_begin(&wall->wheel, wall->accounts.grain_ns,
			prf_random_next(&seed), prf_clock_ns(CLOCK_MONOTONIC));
	*out = wall;
	return 0;
}

/* --- Charges */

/* A sample of what is certain, or likely, of a thread that was not stopped. */
static void
send(struct prf_wall *wall, const struct prf_wall_thread *thread,
     const struct prf_account_charge *charge, uint64_t *kind)
{
	struct prf_tracer *tracer = wall->tracer;
	struct prf_sampler_stats *stats = tracer->stats;
	struct prf_frame frame = {charge->place.pc, PRF_FRAME_PC};
	struct prf_sample sample = {
		.pid = thread->task->process->pid,
		.tid = thread->task->tid,
		.time_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.ticks = charge->ticks,
		.certain = charge->certain,
		.syscall = charge->place.syscall,
		.n_frames = 1,
		.frames = &frame,
	};

	if (!charge->ticks)
		return;
	if (tracer->sink->ops->sample(tracer->sink, &sample)) {
		stats->refused += charge->ticks;
		return;
	}
	stats->ticks += charge->ticks;
	stats->samples++;
	stats->wall.together += charge->ticks - 1;
	*kind += charge->ticks;
}

static void
charge_place(struct prf_wall *wall, const struct prf_wall_thread *thread,
	     const struct prf_account_charge *charge)
{
	struct prf_sampler_stats *stats = wall->tracer->stats;
	uint64_t before = stats->wall.blocked;

	send(wall, thread, charge, &stats->wall.blocked);
	if (!thread->verified)
		stats->stale_map += stats->wall.blocked - before;
}

/* THREAD is the last of those that have waited for these ticks. */
static void
charge_waited(struct prf_wall *wall, const struct prf_wall_thread *thread)
{
	uint32_t ticks = prf_accounts_take_waited(&wall->accounts);
	const struct prf_account_charge charge = {
		.place = {.syscall = PRF_NO_PROCESSOR},
		.ticks = ticks,
		.certain = ticks,
	};

	send(wall, thread, &charge, &wall->tracer->stats->wall.waiting);
}

/* --- Looks */

static int
read_times(struct prf_wall_thread *thread, struct prf_thread_times *times)
{
	pid_t pid = thread->task->process->pid;

	if (thread->times_fd < 0)
		thread->times_fd =
			prf_thread_times_open(pid, thread->task->tid);
	return thread->times_fd < 0
		       ? thread->times_fd
		       : prf_thread_times_pread(thread->times_fd, times);
}

static int
read_place(struct prf_wall_thread *thread, struct prf_thread_place *place)
{
	const struct prf_process *process = thread->task->process;

	if (thread->syscall_fd < 0)
		thread->syscall_fd = prf_thread_syscall_open(process->pid,
							     thread->task->tid);
	return thread->syscall_fd < 0
		       ? thread->syscall_fd
		       : prf_thread_place_pread(thread->syscall_fd, place);
}

/* Tells the sink what is mapped at PLACE, now that the thread is there. */
static void
tell_mapping(struct prf_wall *wall, struct prf_wall_thread *thread,
	     const struct prf_thread_place *place)
{
	struct prf_mapwatch *maps = thread->task->process->maps;

	thread->verified = false;
	if (!maps)
		return;
	prf_mapwatch_note(maps, thread->task->tid, place->pc);
	if (prf_mapwatch_tell(maps, place->pc, wall->tracer->sink,
			      &thread->verified))
		thread->verified = false;
}

/* Takes THREAD off the wheel, and all it is owed off the books. */
static void
finish(struct prf_wall *wall, struct prf_wall_thread *thread,
       const struct prf_thread_times *times)
{
	struct prf_account_charge charge =
		prf_account_end(&wall->accounts, &thread->account,
				prf_clock_ns(CLOCK_MONOTONIC), times);

	charge_place(wall, thread, &charge);
	charge_waited(wall, thread);
	wall->tracer->stats->wall.threads_ns +=
		thread->account.seen_ns - thread->begun_ns;
	thread->task->wall = NULL;
	prf_wheel_remove(&wall->wheel, &thread->item);
	close_if_open(&thread->times_fd);
	close_if_open(&thread->syscall_fd);
	free(thread);
}

/* It has moved since the last look.  False: it has ended. */
static bool
look_where(struct prf_wall *wall, struct prf_wall_thread *thread,
	   uint64_t now_ns, const struct prf_thread_times *times)
{
	struct prf_thread_place place = {.syscall = PRF_NO_SYSCALL};
	int rc = read_place(thread, &place);

	if (!rc && !place.pc && !place.sp)
		return false;
	if (rc && rc != -EAGAIN) {
		/* It has a place, if nobody may know it. */
		wall->tracer->stats->wall.hidden += !thread->hidden;
		thread->hidden = true;
	}
	struct prf_account_charge charge =
		prf_account_move(&wall->accounts, &thread->account, now_ns,
				 now_ns - thread->item.due_ns, times,
				 rc == -EAGAIN ? NULL : &place);
	charge_place(wall, thread, &charge);
	if (rc != -EAGAIN)
		tell_mapping(wall, thread, &place);
	return true;
}

/* A thread that has not moved for long is not asked where it is. */
static void
look_again(struct prf_wall *wall, struct prf_wall_thread *thread,
	   uint64_t now_ns, const struct prf_thread_times *times)
{
	enum { LONG_NS = 1000000000 };
	struct prf_account_charge charge = prf_account_stay(
		&wall->accounts, &thread->account, now_ns, times);

	charge_place(wall, thread, &charge);
	if (thread->account.known_ns > LONG_NS)
		close_if_open(&thread->syscall_fd);
}

static void
look(struct prf_wall *wall, struct prf_wall_thread *thread)
{
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	struct prf_thread_times times;

	wall->tracer->stats->wall.looks++;
	/* If it is gone, its end will be waited for. */
	if (!read_times(thread, &times)) {
		if (prf_account_is_unmoved(&thread->account, &times)) {
			look_again(wall, thread, now_ns, &times);
		} else if (!look_where(wall, thread, now_ns, &times)) {
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
		look(wall, (struct prf_wall_thread *)item);
	}
	set_timer(wall);
}

/* --- Threads that come and go */

void
prf_wall_begin(struct prf_wall *wall, struct prf_task *task)
{
	struct prf_thread_times times;
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);

	if (!wall || wall->paused)
		return;
	prf_wall_end(wall, task);
	struct prf_wall_thread *thread = calloc(1, sizeof *thread);
	if (!thread) {
		wall->tracer->stats->wall.hidden++;
		return;
	}
	*thread = (struct prf_wall_thread){
		.task = task,
		.times_fd = -1,
		.syscall_fd = -1,
		.begun_ns = now_ns,
	};
	if (read_times(thread, &times)) {
		/* It is dying, or there are no descriptors left. */
		wall->tracer->stats->wall.hidden += thread->times_fd != -ENOENT;
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
	struct prf_thread_times times;

	if (!wall || !task->wall)
		return;
	bool known = !read_times(task->wall, &times);

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
	prf_tasks_each(wall->tracer->tasks, paused ? end_one : begin_one, wall);
}

void
prf_wall_free(struct prf_wall *wall)
{
	if (!wall)
		return;
	if (wall->tracer->tasks)
		prf_tasks_each(wall->tracer->tasks, end_one, wall);
	int64_t ticks =
		wall->accounts.unplaced_ns / (int64_t)wall->accounts.period_ns;
	if (ticks > 0)
		wall->tracer->stats->unseen += (uint64_t)ticks;
	close(wall->timer_fd);
	free(wall);
}
