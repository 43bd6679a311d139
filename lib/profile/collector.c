#include "profile/collector.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/scope.h"
#include "profile/collecting.h"

/* --- What begins */

/* PROC, whose program is BRANCH (NULL: out of memory), begins to be counted.
 * -ENOMEM: and is no more. */
static int
begin_program(struct prf_collecting *counting, struct prf_proc *proc,
	      struct prf_branch *branch)
{
	if (!proc->counts) {
		struct prf_collected *counts = calloc(1, sizeof *counts);

		if (counts)
			LIST_INIT(&counts->threads);
		proc->counts = counts;
	}
	if (!proc->counts || !branch) {
		prf_collecting_remove(counting, proc);
		return -ENOMEM;
	}
	prf_collected_of(proc)->branch = branch;
	return 0;
}

/* A process of PID that lives: its end was not told, and its number has come
 * again. */
static void
end_forgotten(struct prf_collecting *counting, pid_t pid)
{
	struct prf_proc *proc = prf_procs_find(&counting->procs, pid);

	if (proc)
		prf_collecting_end_process(counting, proc);
}

/* No process has this number: in a profile it is that of none (struct
 * prf_binary). */
enum { NO_PROCESS = 0 };

/* The new branch comes first: when the old one has ended its parent may be
 * gone. */
static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct prf_collecting *counting = (struct prf_collecting *)sink;

	if (exec->pid == NO_PROCESS)
		return -EINVAL;
	struct prf_proc *proc = prf_procs_find(&counting->procs, exec->pid);
	struct prf_branch *parent = &counting->collector.profile->tree.root;
	struct prf_program *program = prf_procs_program(&counting->procs, exec);

	if (proc)
		parent = prf_collected_of(proc)->branch->parent;
	struct prf_branch *branch =
		program ? prf_tree_add(parent, exec->pid, program) : NULL;
	if (proc)
		prf_collecting_end_program(counting, proc, true);
	proc = prf_procs_become(&counting->procs, exec->pid, program);
	return proc ? begin_program(counting, proc, branch) : -ENOMEM;
}

/* What PARENT has counted so far, for its child. */
static int
inherit(struct prf_proc *child, const struct prf_proc *parent)
{
	const struct prf_collected *from = prf_collected_of(parent);
	struct prf_collected *to = prf_collected_of(child);
	int rc = 0;

	if (!from->inherited && !from->own)
		return 0;
	to->inherited = prf_profile_new();
	if (!to->inherited)
		return -ENOMEM;
	if (from->inherited)
		rc = prf_profile_add(to->inherited, from->inherited, NULL);
	if (!rc && from->own)
		rc = prf_profile_add(to->inherited, from->own, NULL);
	/* Its JIT code is the child's, too. */
	for (size_t i = 0; !rc && i < to->inherited->n_binaries; i++)
		if (to->inherited->binaries[i]->pid)
			to->inherited->binaries[i]->pid = child->pid;
	return rc;
}

static int
on_fork(struct prf_collecting *counting, const struct prf_life *life)
{
	struct prf_profile *run = counting->collector.profile;

	if (life->pid == NO_PROCESS)
		return -EINVAL;
	end_forgotten(counting, life->pid);
	struct prf_proc *child = prf_procs_fork(&counting->procs, life);
	const struct prf_proc *parent =
		prf_procs_find(&counting->procs, life->parent);

	if (!child)
		return -ENOMEM;
	if (parent == child)
		parent = NULL;
	int rc = begin_program(
		counting, child,
		prf_tree_add(parent ? prf_collected_of(parent)->branch
				    : &run->tree.root,
			     child->pid, child->program));
	if (!rc && parent && counting->config.inherit_counts)
		rc = inherit(child, parent);
	return rc;
}

static void
name_owner(const struct prf_profile *profile, const struct prf_owner *owner)
{
	if (profile && profile->calls)
		prf_owners_name(&profile->calls->owners, owner);
}

/* What the thread of LIFE was called, wherever its calls are. */
static void
name_owners(struct prf_collecting *counting, const struct prf_life *life)
{
	const struct prf_collected_thread *thread =
		prf_collecting_find_thread(counting, life->tid);
	const struct prf_proc *proc =
		prf_procs_find(&counting->procs, life->pid);

	if (!proc || !*life->name)
		return;
	struct prf_owner owner = {
		.pid = life->pid,
		.tid = life->tid,
		.program = proc->program->path,
		.rank = proc->program->rank,
	};
	snprintf(owner.name, sizeof owner.name, "%s", life->name);
	name_owner(counting->collector.profile, &owner);
	name_owner(counting->interval.profile, &owner);
	name_owner(prf_collected_of(proc)->own, &owner);
	name_owner(thread ? thread->own : NULL, &owner);
}

static int
on_end(struct prf_collecting *counting, const struct prf_life *life)
{
	struct prf_collected_thread *thread =
		prf_collecting_find_thread(counting, life->tid);

	name_owners(counting, life);
	if (thread && thread->proc->pid == life->pid)
		prf_collecting_end_thread(counting, thread, life->name, false);
	return 0;
}

static int
on_leave(struct prf_collecting *counting, const struct prf_life *life)
{
	struct prf_proc *proc = prf_procs_find(&counting->procs, life->pid);

	if (!proc)
		return -ESRCH;
	prf_collecting_end_process(counting, proc);
	return 0;
}

static int (*const on_kind[PRF_N_LIFE_KINDS])(struct prf_collecting *,
					      const struct prf_life *) = {
	[PRF_LIFE_FORK] = on_fork,
	[PRF_LIFE_END] = on_end,
	[PRF_LIFE_EXIT] = on_leave,
	[PRF_LIFE_LEAVE] = on_leave,
};

static int
on_life(struct prf_sink *sink, const struct prf_life *life)
{
	struct prf_collecting *counting = (struct prf_collecting *)sink;

	prf_collecting_reach(counting, life->time_ns);
	return on_kind[life->kind] ? on_kind[life->kind](counting, life) : 0;
}

/* --- Mappings and ticks */

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	return prf_procs_map(&((struct prf_collecting *)sink)->procs, map);
}

static struct prf_collected_thread *
thread_of(struct prf_collecting *counting, struct prf_proc *proc, pid_t tid)
{
	struct prf_collected_thread *thread =
		prf_collecting_find_thread(counting, tid);

	if (thread && thread->proc == proc)
		return thread;
	/* Its number has come again: its end was not told. */
	if (thread)
		prf_collecting_end_thread(counting, thread, "", false);
	return prf_collecting_add_thread(counting, proc, tid);
}

/* The profile that a tick of PROC, in THREAD, is counted in.  NULL: out of
 * memory. */
static struct prf_profile *
profile_for(struct prf_collecting *counting, struct prf_proc *proc,
	    struct prf_collected_thread *thread)
{
	struct prf_profile **own;

	if (counting->config.each == PRF_COLLECT_RUN)
		return counting->interval.profile ? counting->interval.profile
						  : counting->collector.profile;
	own = counting->config.each == PRF_COLLECT_THREAD
		      ? &thread->own
		      : &prf_collected_of(proc)->own;
	if (!*own)
		*own = prf_collecting_new_profile(&counting->config);
	return *own;
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct prf_collecting *counting = (struct prf_collecting *)sink;
	const struct prf_collector_config *config = &counting->config;
	struct prf_proc *proc = prf_procs_find(&counting->procs, sample->pid);
	struct prf_collected_thread *thread = NULL;

	if (!proc)
		return -ESRCH;
	prf_collecting_reach(counting, sample->time_ns);
	if (config->threads || config->each == PRF_COLLECT_THREAD) {
		thread = thread_of(counting, proc, sample->tid);
		if (!thread)
			return -ENOMEM;
	}
	struct prf_profile *profile = profile_for(counting, proc, thread);
	int rc = profile ? prf_profile_count_stack(profile, &counting->procs,
						   proc, config->kernel_apart,
						   sample)
			 : -ENOMEM;
	if (rc)
		return rc;
	struct prf_collected *counts = prf_collected_of(proc);
	counts->has_ticks = true;
	prf_count_add(&counts->branch->count, sample->ticks, sample->certain);
	if (thread)
		prf_count_add(&thread->count, sample->ticks, sample->certain);
	prf_collecting_counted(counting);
	return 0;
}

/* --- The end */

static void
warn_of_size(struct prf_collecting *counting)
{
	const struct prf_profile *profile = counting->collector.profile;
	const struct prf_calls *calls = profile->calls;
	char line[200], pruned[80] = "";

	if (!calls || (!calls->by_function && !calls->n_pruned))
		return;
	if (calls->n_pruned)
		snprintf(pruned, sizeof pruned,
			 "; for %.1f %% of the ticks some of them are [pruned]",
			 100 * (double)calls->pruned_ticks /
				 (double)profile->total.ticks);
	snprintf(line, sizeof line,
		 "there were too many different calls to keep them by address: "
		 "they are by function, without lines%s",
		 pruned);
	prf_warnings_add(&counting->collector.warnings, line);
}

static void
warn_of_counters(struct prf_collecting *counting)
{
	const struct prf_profile *profile = counting->collector.profile;
	char line[200];

	if (!profile->crowded_ticks)
		return;
	snprintf(line, sizeof line,
		 "%" PRIu64 " ticks of files that could not be read are "
		 "[unknown]: they fell in more places than are counted",
		 profile->crowded_ticks);
	prf_warnings_add(&counting->collector.warnings, line);
}

static int
on_finish(struct prf_sink *sink, struct prf_error *err)
{
	struct prf_collecting *counting = (struct prf_collecting *)sink;
	struct prf_proc *proc;

	while ((proc = prf_procs_any(&counting->procs)))
		prf_collecting_end_process(counting, proc);
	prf_collecting_end_ranks(counting);
	prf_collecting_end_intervals(counting);
	int rc = prf_collecting_finish(counting, counting->collector.profile);
	warn_of_size(counting);
	warn_of_counters(counting);
	return counting->failure.code
		       ? prf_error_set(err, counting->failure.code, "%s",
				       counting->failure.text)
	       : rc ? prf_error_set(err, rc, "out of memory for names")
		    : 0;
}

static void
on_free(struct prf_sink *sink)
{
	struct prf_collecting *counting = (struct prf_collecting *)sink;
	struct prf_proc *proc;

	while ((proc = prf_procs_any(&counting->procs)))
		prf_collecting_remove(counting, proc);
	prf_ranks_clear(&counting->ranks);
	prf_profile_free(counting->interval.profile);
	prf_profile_free(counting->collector.profile);
	prf_procs_clear(&counting->procs);
	prf_warnings_clear(&counting->collector.warnings);
	free(counting);
}

static const struct prf_sink_ops collector_ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = on_sample,
	.life = on_life,
	.finish = on_finish,
	.free = on_free,
};

static void
warn(void *arg, const char *line)
{
	prf_warnings_add(arg, line);
}

struct prf_collector *
prf_collector_new(const struct prf_collector_config *config)
{
	struct prf_collecting *counting = calloc(1, sizeof *counting);

	if (!counting)
		return NULL;
	counting->collector.base.ops = &collector_ops;
	counting->config = *config;
	counting->config.inherit_counts &= config->each == PRF_COLLECT_PROGRAM;
	counting->collector.profile = prf_collecting_new_profile(config);
	if (!counting->collector.profile ||
	    prf_collecting_begin_intervals(counting) ||
	    prf_procs_init(&counting->procs, &config->way)) {
		prf_profile_free(counting->interval.profile);
		prf_profile_free(counting->collector.profile);
		free(counting);
		return NULL;
	}
	counting->procs.realtime_offset_ns = config->realtime_offset_ns;
	counting->procs.warn = warn;
	counting->procs.warn_arg = &counting->collector.warnings;
	return &counting->collector;
}

void
prf_collector_reach(struct prf_collector *collector, uint64_t now_ns)
{
	prf_collecting_reach((struct prf_collecting *)collector, now_ns);
}

int
prf_collector_snapshot(struct prf_collector *collector,
		       struct prf_profile **profile, struct prf_error *err)
{
	return prf_collecting_snapshot((struct prf_collecting *)collector,
				       profile, err);
}
