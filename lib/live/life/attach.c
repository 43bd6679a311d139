#include "live/life/attach.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/life/begin.h"
#include "live/life/birth.h"
#include "live/life/death.h"
#include "live/proc/procfs.h"
#include "live/life/refusal.h"
#include "live/life/seize.h"
#include "live/proc/status.h"

static void
close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

/* --- One process */

static void
begin_each(void *arg, struct prf_task *task)
{
	struct prf_watch *watch = arg;

	watch->stats->threads++;
	if (task->tid != task->process->pid)
		prf_birth_tell_thread(watch, task);
	prf_begin_arm(watch, task, NULL);
}

static void
drop_each(void *arg, struct prf_task *task)
{
	struct prf_watch *watch = arg;

	prf_tasks_remove(watch->tasks, task);
}

static int
attach_one(struct prf_watch *watch, pid_t pid, struct prf_error *err)
{
	if (prf_processes_find(&watch->processes, pid))
		return 0;
	struct prf_process *process = prf_processes_add(&watch->processes, pid);
	if (!process)
		return prf_error_set(err, -ENOMEM, "out of memory");

	int rc = prf_seize_all(watch, process);
	if (rc) {
		struct prf_refusal refusal = prf_refusal_read(pid, -rc);

		/* Some of its threads may have been had. */
		prf_tasks_each_of(process, drop_each, watch);
		prf_processes_remove(&watch->processes, process);
		return rc == -ENOMEM ? prf_error_set(err, rc, "out of memory")
				     : prf_refusal_explain(&refusal, err);
	}
	watch->stats->processes++;
	rc = prf_begin_attached(watch, process);
	/* To read what is mapped may have taken long, and no tick was due yet. */
	process->since = prf_processes_usage(process);
	if (!rc)
		prf_tasks_each_of(process, begin_each, watch);
	return rc ? prf_error_set(err, rc, "process %d: %s", pid, strerror(-rc))
		  : 0;
}

/* --- Its descendants */

/* Processes whose children have to be had, from NEXT on. */
struct parents {
	pid_t *pids;
	size_t next, n, room;
};

static void
parents_free(struct parents *parents)
{
	free(parents->pids);
}

static int
parents_add(struct parents *parents, pid_t pid)
{
	if (parents->n == parents->room) {
		size_t room = parents->room ? parents->room * 2 : 16;
		pid_t *pids = reallocarray(parents->pids, room, sizeof *pids);

		if (!pids)
			return -ENOMEM;
		parents->pids = pids;
		parents->room = room;
	}
	parents->pids[parents->n++] = pid;
	return 0;
}

/* Does PID still have to be seized?  A child that a seized thread has made
 * is ours from its beginning. */
static bool
is_to_be_had(pid_t pid)
{
	struct prf_process_status status;

	return !prf_status_read_process(pid, &status) &&
	       (!status.is_zombie || status.n_threads > 1) &&
	       status.tracer != gettid() && pid != getpid();
}

static void
note_unreached(struct prf_sampler_stats *stats, const struct prf_error *why)
{
	if (stats->unreached++)
		return;
	snprintf(stats->unreached_reason, sizeof stats->unreached_reason,
		 "%.255s", why->text);
}

/* PATH, which is of PID, cannot be read: its children are not known, if it
 * lives. */
static void
note_unlisted(struct prf_sampler_stats *stats, pid_t pid, const char *path)
{
	struct prf_error why = {0};

	if (errno == ENOENT || errno == ESRCH)
		return;
	prf_error_set(&why, -errno, "process %d: its children, %s: %m", pid,
		      path);
	note_unreached(stats, &why);
}

/* CHILD is attached to, and its own children are had later.  -ENOMEM: threads of it
 * may be traced that are not known, which would wait for us at their next stop. */
static int
attach_child(struct prf_watch *watch, struct parents *parents, pid_t child)
{
	struct prf_error why = {0};
	int rc;

	if (prf_processes_find(&watch->processes, child) ||
	    !is_to_be_had(child))
		return 0;
	rc = attach_one(watch, child, &why);
	if (!rc)
		return parents_add(parents, child);
	if (rc == -ENOMEM)
		return rc;
	if (is_to_be_had(child)) /* it has not ended */
		note_unreached(watch->stats, &why);
	return 0;
}

/* The children of one thread. */
static int
attach_listed(struct prf_watch *watch, struct parents *parents, pid_t pid,
	      pid_t tid)
{
	char path[64];
	int rc = 0;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, tid);
	PRF_AUTO(prf_auto_free) char *text = prf_procfs_slurp(path, NULL);
	char *at = text, *end;

	if (!text)
		note_unlisted(watch->stats, pid, path);
	for (; at && !rc; at = end) {
		pid_t child = (pid_t)strtol(at, &end, 10);

		if (end == at)
			break;
		rc = attach_child(watch, parents, child);
	}
	return rc;
}

static int
attach_children_of(struct prf_watch *watch, struct parents *parents, pid_t pid)
{
	char path[64];
	struct dirent *entry;
	int rc = 0;

	snprintf(path, sizeof path, "/proc/%d/task", pid);
	PRF_AUTO(close_dir) DIR *dir = opendir(path);
	if (!dir)
		note_unlisted(watch->stats, pid, path);
	while (dir && !rc && (entry = readdir(dir))) {
		int tid = atoi(entry->d_name);

		if (tid > 0)
			rc = attach_listed(watch, parents, pid, tid);
	}
	return rc;
}

static int
attach_descendants(struct prf_watch *watch, pid_t pid)
{
	PRF_AUTO(parents_free) struct parents parents = {0};
	int rc = parents_add(&parents, pid);

	while (!rc && parents.next < parents.n) {
		pid_t parent = parents.pids[parents.next++];

		rc = attach_children_of(watch, &parents, parent);
	}
	return rc;
}

int
prf_attach(struct prf_watch *watch, pid_t pid, struct prf_error *err)
{
	struct prf_process_status status;

	if (!prf_status_read_process(pid, &status))
		pid = status.pid;
	int rc = attach_one(watch, pid, err);

	if (!rc && watch->config->follow == PRF_FOLLOW_ALL &&
	    attach_descendants(watch, pid))
		rc = prf_error_set(err, -ENOMEM, "out of memory");
	return rc;
}
