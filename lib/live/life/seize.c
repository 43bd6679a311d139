#include "live/life/seize.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/scope.h"
#include "core/worker.h"
#include "live/life/seize_thread.h"
#include "live/proc/stat.h"
#include "live/proc/status.h"

/* A thread that calls exec waits for the ends of all others, and those that we
 * have seized end when we have waited for them; but to seize one more of that
 * process waits for the exec.  So while it does, another thread of ours waits for
 * those that end. */
struct seizing {
	struct prf_watch *watch;
	struct prf_process *process;

	pthread_mutex_t lock; /* of PROCESS's threads and of what follows; free
			       * while the kernel seizes one */
	pthread_cond_t over;
	bool is_over;
	unsigned n_begun, n_done; /* to seize one */
	bool has_reaped;
};

static void
close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

/* NULL: it has ended. */
static DIR *
open_threads(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task", pid);
	return opendir(path);
}

/* --- The thread that waits for others' ends */

/* (The kernel tells of stops, too, which are not to be taken.) */
static bool
reap(pid_t tid)
{
	const int options = WEXITED | WNOHANG | __WALL;
	siginfo_t info = {0};

	return !waitid(P_PID, (id_t)tid, &info, options | WNOWAIT) &&
	       info.si_pid && info.si_code != CLD_TRAPPED &&
	       info.si_code != CLD_STOPPED &&
	       !waitid(P_PID, (id_t)tid, &info, options);
}

/* All but the first of the process: also those that seized ones have made since,
 * which are ours, too, and have not stopped yet. */
static void
reap_ended(struct seizing *seizing)
{
	pid_t pid = seizing->process->pid;
	PRF_AUTO(close_dir) DIR *dir = open_threads(pid);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		pid_t tid = (pid_t)atoi(entry->d_name);

		if (tid <= 0 || tid == pid || !reap(tid))
			continue;
		struct prf_task *task =
			prf_tasks_find(seizing->watch->tasks, tid);
		if (task)
			prf_tasks_remove(seizing->watch->tasks, task);
		seizing->has_reaped = true;
	}
}

static struct timespec
time_to_look(void)
{
	enum { PATIENCE_NS = 100000000, NS_PER_S = 1000000000 };
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at);
	at.tv_sec += (at.tv_nsec + PATIENCE_NS) / NS_PER_S;
	at.tv_nsec = (at.tv_nsec + PATIENCE_NS) % NS_PER_S;
	return at;
}

static void *
reap_what_blocks(void *arg)
{
	struct seizing *seizing = arg;

	pthread_mutex_lock(&seizing->lock);
	while (!seizing->is_over) {
		unsigned n_done = seizing->n_done;
		struct timespec at = time_to_look();

		pthread_cond_timedwait(&seizing->over, &seizing->lock, &at);
		if (n_done == seizing->n_done && n_done < seizing->n_begun)
			reap_ended(seizing);
	}
	pthread_mutex_unlock(&seizing->lock);
	return NULL;
}

/* --- The thread that traces */

static int
seize(struct seizing *seizing, pid_t tid)
{
	struct prf_watch *watch = seizing->watch;

	seizing->n_begun++;
	pthread_mutex_unlock(&seizing->lock);
	int rc = prf_seize_thread(tid, watch->options, &watch->patience_ns);
	pthread_mutex_lock(&seizing->lock);
	seizing->n_done++;
	return rc;
}

/* TID could not be seized, for RC.  Does none of the process become ours? */
static bool
is_refused(const struct seizing *seizing, pid_t tid, int rc)
{
	return !seizing->process->tasks && !seizing->has_reaped &&
	       (rc == -ETIMEDOUT || !prf_status_has_ended(tid));
}

/* Seizes the threads that are not seized yet; workers of the kernel's are none of
 * the program's, and can be made to call nothing.  Returns how many those were, or a
 * negative errno value if the first that has not ended cannot be seized. (A later
 * one that cannot be is about to end, and so was one that an exec has ended.  In an
 * exec that does not end none of the rest can be, and each would take its time.) */
static int
take_threads(struct seizing *seizing)
{
	struct prf_process *process = seizing->process;
	PRF_AUTO(close_dir) DIR *dir = open_threads(process->pid);
	struct dirent *entry;
	int n = 0;

	while (dir && (entry = readdir(dir))) {
		pid_t tid = (pid_t)atoi(entry->d_name);

		if (tid <= 0 || prf_tasks_find(seizing->watch->tasks, tid) ||
		    prf_stat_is_worker(process->pid, tid))
			continue;
		int rc = seize(seizing, tid);
		if (rc && is_refused(seizing, tid, rc))
			return rc;
		if (rc == -ETIMEDOUT)
			break;
		if (rc)
			continue;
		struct prf_task *task =
			prf_tasks_add(seizing->watch->tasks, tid, process);
		if (!task)
			return -ENOMEM;
		task->fresh = false;
		n++;
	}
	return n;
}

/* After an exec the thread that called it has the first one's id, and it may be
 * ours or not. */
static void
drop_if_not_ours(void *arg, struct prf_task *task)
{
	const struct seizing *seizing = arg;
	struct prf_process_status status;
	int rc = prf_status_read_process(task->tid, &status);

	if (rc == -ENOENT || rc == -ESRCH || (!rc && status.tracer != gettid()))
		prf_tasks_remove(seizing->watch->tasks, task);
}

/* The threads that a seized thread makes are ours from their beginning; the
 * others may be making some meanwhile. */
static int
take_all_threads(struct seizing *seizing)
{
	bool has_reaped;
	int n;

	do {
		n = take_threads(seizing);
		has_reaped = seizing->has_reaped;
		seizing->has_reaped = false;
		if (has_reaped)
			prf_tasks_each_of(seizing->process, drop_if_not_ours,
					  seizing);
	} while (n > 0 || (has_reaped && n == 0));
	return n ? n : seizing->process->tasks ? 0 : -ESRCH;
}

/* Without that thread, if there can be none, most threads can be seized. */
static bool
start_reaper(struct seizing *seizing, pthread_t *reaper)
{
	return !prf_worker_begin(reaper, reap_what_blocks, seizing);
}

int
prf_seize_all(struct prf_watch *watch, struct prf_process *process)
{
	struct seizing seizing = {
		.watch = watch,
		.process = process,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.over = PTHREAD_COND_INITIALIZER,
	};
	pthread_t reaper;
	bool has_reaper = start_reaper(&seizing, &reaper);

	pthread_mutex_lock(&seizing.lock);
	int rc = take_all_threads(&seizing);
	seizing.is_over = true;
	pthread_cond_signal(&seizing.over);
	pthread_mutex_unlock(&seizing.lock);
	if (has_reaper)
		pthread_join(reaper, NULL);
	return rc;
}
