#include "view/family.h"

#include <errno.h>
#include <stdlib.h>

#include "view/lineage.h"

/* --- Processes that come and go */

/* One that has no program yet.  NULL: out of memory. */
static struct prf_kin *
add_process(struct prf_lineage *lineage, pid_t pid)
{
	struct prf_kin *process = prf_kins_find(&lineage->kins, pid);

	/* Its number has come again: its end was not told. */
	if (process)
		prf_lineage_end_process(lineage, process);
	process = prf_kins_add(&lineage->kins, pid);
	if (process)
		process->is_first = lineage->family.n_processes++ == 0;
	return process;
}

/* What EXEC has begun, now or when it was recorded.  NULL: out of memory. */
static struct prf_program *
new_program(const struct prf_lineage *lineage, const struct prf_exec *exec)
{
	int64_t offset_ns = lineage->config.realtime_offset_ns;
	struct prf_program *program = prf_program_new(exec);

	if (program && offset_ns)
		program->begun =
			(time_t)((exec->time_ns + (uint64_t)offset_ns) /
				 1000000000);
	return program;
}

/* PROCESS, which has no program, becomes PROGRAM (taken over; NULL: out of
 * memory) and a child of PARENT; or, without memory, is no more. */
static int
become(struct prf_lineage *lineage, struct prf_kin *process,
       struct prf_program *program, struct prf_branch *parent)
{
	struct prf_branch *branch =
		program ? prf_tree_add(parent, process->pid, program) : NULL;

	process->program = program;
	process->branch = branch;
	if (branch)
		return 0;
	prf_kins_remove(&lineage->kins, process);
	return -ENOMEM;
}

/* PROCESS becomes PROGRAM (taken over) and is no longer what it was.  The new
 * branch comes first: the parent may be gone when the old one has ended. */
static int
become_another(struct prf_lineage *lineage, struct prf_kin *process,
	       struct prf_program *program)
{
	struct prf_branch *branch =
		program ? prf_tree_add(process->branch->parent, process->pid,
				       program)
			: NULL;

	prf_lineage_end_program(lineage, process);
	process->program = program;
	process->branch = branch;
	if (branch)
		return 0;
	prf_kins_remove(&lineage->kins, process);
	return -ENOMEM;
}

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct prf_lineage *lineage = (struct prf_lineage *)sink;
	struct prf_kin *process = prf_kins_find(&lineage->kins, exec->pid);

	if (process)
		return become_another(lineage, process,
				      new_program(lineage, exec));
	process = add_process(lineage, exec->pid);
	return process ? become(lineage, process, new_program(lineage, exec),
				&lineage->family.tree.root)
		       : -ENOMEM;
}

/* What PARENT has counted so far, for its child. */
static int
inherit(const struct prf_lineage *lineage, struct prf_kin *child,
	const struct prf_kin *parent)
{
	int rc = 0;

	if (!parent->inherited && !parent->profile)
		return 0;
	child->inherited = prf_lineage_profile(lineage, child);
	if (!child->inherited)
		return -ENOMEM;
	if (parent->inherited)
		rc = prf_profile_merge(child->inherited, parent->inherited);
	if (!rc && parent->profile)
		rc = prf_profile_merge(child->inherited, parent->profile);
	return rc;
}

static int
on_fork(struct prf_lineage *lineage, const struct prf_life *life)
{
	struct prf_kin *child = add_process(lineage, life->pid);
	const struct prf_kin *parent =
		prf_kins_find(&lineage->kins, life->parent);

	if (!child)
		return -ENOMEM;
	if (!parent || parent == child)
		return become(lineage, child, prf_program_new(NULL),
			      &lineage->family.tree.root);
	int rc = become(lineage, child, prf_program_hold(parent->program),
			parent->branch);
	if (!rc)
		rc = prf_mapped_copy(&child->mapped, &parent->mapped);
	if (!rc && lineage->config.inherit_counts)
		rc = inherit(lineage, child, parent);
	return rc;
}

static int
on_end(struct prf_lineage *lineage, const struct prf_life *life)
{
	struct prf_kin_thread *thread =
		prf_kins_find_thread(&lineage->kins, life->tid);

	if (thread && thread->process->pid == life->pid)
		prf_lineage_end_thread(lineage, thread, life->name);
	return 0;
}

static int
on_leave(struct prf_lineage *lineage, const struct prf_life *life)
{
	struct prf_kin *process = prf_kins_find(&lineage->kins, life->pid);

	if (!process)
		return -ESRCH;
	prf_lineage_end_process(lineage, process);
	return 0;
}

static int (*const on_kind[PRF_N_LIFE_KINDS])(struct prf_lineage *,
					      const struct prf_life *) = {
	[PRF_LIFE_FORK] = on_fork,
	[PRF_LIFE_END] = on_end,
	[PRF_LIFE_EXIT] = on_leave,
	[PRF_LIFE_LEAVE] = on_leave,
};

static int
on_life(struct prf_sink *sink, const struct prf_life *life)
{
	return on_kind[life->kind]
		       ? on_kind[life->kind]((struct prf_lineage *)sink, life)
		       : 0;
}

/* --- What they have mapped, and their ticks */

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	struct prf_lineage *lineage = (struct prf_lineage *)sink;
	struct prf_kin *process = prf_kins_find(&lineage->kins, map->pid);

	if (!process)
		return -ESRCH;
	return prf_mapped_set(&process->mapped, lineage->files, map,
			      process->program->addr_bytes);
}

static struct prf_kin_thread *
thread_of(struct prf_lineage *lineage, struct prf_kin *process, pid_t tid)
{
	struct prf_kin_thread *thread =
		prf_kins_find_thread(&lineage->kins, tid);

	if (thread && thread->process == process)
		return thread;
	/* Its number has come again: its end was not told. */
	if (thread)
		prf_lineage_end_thread(lineage, thread, "");
	return prf_kins_add_thread(&lineage->kins, process, tid);
}

static int
add_to(struct prf_profile **profile, const struct prf_lineage *lineage,
       const struct prf_kin *process, const struct prf_sample *sample)
{
	if (!*profile)
		*profile = prf_lineage_profile(lineage, process);
	return *profile ? prf_profile_add(*profile, &process->mapped, sample)
			: -ENOMEM;
}

/* THREAD is NULL where nobody asks which it was. */
static int
add_tick(struct prf_lineage *lineage, struct prf_kin *process,
	 struct prf_kin_thread *thread, const struct prf_sample *sample)
{
	int rc = add_to(thread && lineage->config.each_thread
				? &thread->profile
				: &process->profile,
			lineage, process, sample);

	if (rc)
		return rc;
	process->has_ticks = true;
	prf_count_add(&process->branch->count, sample->ticks, sample->certain);
	if (thread)
		prf_count_add(&thread->count, sample->ticks, sample->certain);
	return 0;
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct prf_lineage *lineage = (struct prf_lineage *)sink;
	struct prf_kin *process = prf_kins_find(&lineage->kins, sample->pid);

	if (!process)
		return -ESRCH;
	if (!lineage->config.threads && !lineage->config.each_thread)
		return add_tick(lineage, process, NULL, sample);
	struct prf_kin_thread *thread =
		thread_of(lineage, process, sample->tid);
	return thread ? add_tick(lineage, process, thread, sample) : -ENOMEM;
}

/* --- The end */

static int
on_finish(struct prf_sink *sink, struct prf_error *err)
{
	struct prf_lineage *lineage = (struct prf_lineage *)sink;
	struct prf_kin *process;

	(void)err;
	while ((process = prf_kins_any(&lineage->kins)))
		prf_lineage_end_process(lineage, process);
	prf_threads_sort(&lineage->family.threads);
	return 0;
}

static void
on_free(struct prf_sink *sink)
{
	struct prf_lineage *lineage = (struct prf_lineage *)sink;
	struct prf_kin *process;

	while ((process = prf_kins_any(&lineage->kins)))
		prf_kins_remove(&lineage->kins, process);
	prf_files_free(lineage->files);
	prf_totals_clear(&lineage->family.totals);
	prf_tree_clear(&lineage->family.tree);
	prf_threads_clear(&lineage->family.threads);
	prf_warnings_clear(&lineage->family.warnings);
	free(lineage);
}

static const struct prf_sink_ops family_ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = on_sample,
	.life = on_life,
	.finish = on_finish,
	.free = on_free,
};

struct prf_family *
prf_family_new(const struct prf_family_config *config)
{
	struct prf_lineage *lineage = calloc(1, sizeof *lineage);

	if (!lineage)
		return NULL;
	lineage->files = prf_files_new(&config->way);
	if (!lineage->files) {
		free(lineage);
		return NULL;
	}
	lineage->family.base.ops = &family_ops;
	lineage->config = *config;
	lineage->config.inherit_counts &= !config->each_thread;
	lineage->profile_config = (struct prf_profile_config){
		.kernel_apart = config->kernel_apart,
		.perfmap_dir = config->perfmap_dir,
		.warnings = &lineage->family.warnings,
	};
	prf_tree_init(&lineage->family.tree);
	return &lineage->family;
}
