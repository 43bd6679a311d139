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

/* A process that was found. */
struct relative {
	pid_t pid;
	bool is_refused;  /* it could not be had, and has been counted */
	bool is_unlisted; /* the same of its children */
};

struct family {
	struct relative *all;
	size_t n, room;
};

static void
family_free(struct family *family)
{
	free(family->all);
}

static int
family_add(struct family *family, struct relative relative)
{
	if (family->n == family->room) {
		size_t room = family->room ? family->room * 2 : 16;
		struct relative *all =
			reallocarray(family->all, room, sizeof *all);

		if (!all)
			return -ENOMEM;
		family->all = all;
		family->room = room;
	}
	family->all[family->n++] = relative;
	return 0;
}

static bool
has_refused(const struct family *family, pid_t pid)
{
	for (size_t i = 0; i < family->n; i++)
		if (family->all[i].pid == pid && family->all[i].is_refused)
			return true;
	return false;
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

/* PATH, which is of PARENT, cannot be read: its children are not known, if it
 * lives. */
static void
note_unlisted(struct prf_sampler_stats *stats, struct relative *parent,
	      const char *path)
{
	struct prf_error why = {0};

	if (errno == ENOENT || errno == ESRCH || parent->is_unlisted)
		return;
	parent->is_unlisted = true;
	prf_error_set(&why, -errno, "process %d: its children, %s: %m",
		      parent->pid, path);
	note_unreached(stats, &why);
}

/* CHILD is attached to, and its own children are had later.  -ENOMEM: threads of it
 * may be traced that are not known, which would wait for us at their next stop. */
static int
attach_child(struct prf_watch *watch, struct family *family, pid_t child)
{
	struct prf_error why = {0};
	int rc;

	if (prf_processes_find(&watch->processes, child) ||
	    has_refused(family, child) || !is_to_be_had(child))
		return 0;
	rc = attach_one(watch, child, &why);
	if (!rc)
		return family_add(family, (struct relative){.pid = child});
	if (rc == -ENOMEM || !is_to_be_had(child)) /* it has ended */
		return rc == -ENOMEM ? rc : 0;
	note_unreached(watch->stats, &why);
	return family_add(family,
			  (struct relative){.pid = child, .is_refused = true});
}

/* The children of one thread of the PARENT-th. */
static int
attach_listed(struct prf_watch *watch, struct family *family, size_t parent,
	      pid_t tid)
{
	char path[64];
	int rc = 0;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children",
		 family->all[parent].pid, tid);
	PRF_AUTO(prf_auto_free) char *text = prf_procfs_slurp(path, NULL);
	char *at = text, *end;

	if (!text)
		note_unlisted(watch->stats, &family->all[parent], path);
	for (; at && !rc; at = end) {
		pid_t child = (pid_t)strtol(at, &end, 10);

		if (end == at)
			break;
		rc = attach_child(watch, family, child);
	}
	return rc;
}

static int
attach_children_of(struct prf_watch *watch, struct family *family,
		   size_t parent)
{
	char path[64];
	struct dirent *entry;
	int rc = 0;

	snprintf(path, sizeof path, "/proc/%d/task", family->all[parent].pid);
	PRF_AUTO(close_dir) DIR *dir = opendir(path);
	if (!dir)
		note_unlisted(watch->stats, &family->all[parent], path);
	while (dir && !rc && (entry = readdir(dir))) {
		int tid = atoi(entry->d_name);

		if (tid > 0)
			rc = attach_listed(watch, family, parent, tid);
	}
	return rc;
}

/* As children end, the kernel leaves some out that live, from a list that is read
 * meanwhile: so all are looked for again until no more are found. */
static int
attach_descendants(struct prf_watch *watch, pid_t pid)
{
	enum { MOST_PASSES = 16 };
	PRF_AUTO(family_free) struct family family = {0};
	int rc = family_add(&family, (struct relative){.pid = pid});
	size_t n_before = 0;

	for (int i = 0; !rc && i < MOST_PASSES && n_before < family.n; i++) {
		n_before = family.n;
		for (size_t k = 0; !rc && k < family.n; k++)
			if (!family.all[k].is_refused)
				rc = attach_children_of(watch, &family, k);
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
