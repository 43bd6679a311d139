/* Programs, threads and processes that end: settled, handed out, summed up. */
#include <errno.h>
#include <stdio.h>

#include "core/scope.h"
#include "view/lineage.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

struct prf_profile *
prf_lineage_profile(const struct prf_lineage *lineage,
		    const struct prf_kin *process)
{
	return prf_profile_new(&lineage->profile_config, process->pid,
			       process->program);
}

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

/* PROFILE, and what its process has inherited, in one.  NULL: out of memory. */
static struct prf_profile *
with_inherited(const struct prf_lineage *lineage, const struct prf_kin *process,
	       const struct prf_profile *profile)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *sum = prf_lineage_profile(lineage, process);

	if (!sum || prf_profile_merge(sum, process->inherited) ||
	    prf_profile_merge(sum, profile))
		return NULL;
	return PRF_TAKE(sum);
}

/* PROFILE becomes part of the totals; its ticks do in any case. */
static int
settle(struct prf_lineage *lineage, const struct prf_kin *process,
       struct prf_profile *profile, struct prf_error *err)
{
	struct prf_totals *totals = &lineage->family.totals;
	int rc = prf_profile_settle(profile, &process->mapped, err);

	if (rc) {
		prf_count_merge(&totals->count, &profile->total);
		return rc;
	}
	rc = prf_totals_absorb(totals, profile);
	return rc ? no_memory(err) : 0;
}

/* As settle(); *FULL is what is to be handed out instead, or NULL. */
static int
settle_full(struct prf_lineage *lineage, const struct prf_kin *process,
	    struct prf_profile *profile, struct prf_profile **full,
	    struct prf_error *err)
{
	if (!process->inherited)
		return settle(lineage, process, profile, err);
	*full = with_inherited(lineage, process, profile);
	int rc = settle(lineage, process, profile, err);
	if (rc)
		return rc;
	return *full ? prf_profile_settle(*full, &process->mapped, err)
		     : no_memory(err);
}

/* Hands PROFILE out and frees it; NULL is one without ticks. */
static void
hand_out(struct prf_lineage *lineage, const struct prf_kin *process,
	 struct prf_profile *profile, struct prf_ended *ended)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *own = profile;
	PRF_AUTO(prf_profile_auto) struct prf_profile *full = NULL;
	struct prf_error err = {0};

	if (!own)
		own = prf_lineage_profile(lineage, process);
	int rc = own ? settle_full(lineage, process, own, &full, &err)
		     : no_memory(&err);
	ended->pid = process->pid;
	ended->n_execs = process->n_execs;
	ended->program = process->program;
	ended->profile = rc ? NULL : full ? full : own;
	ended->failure = rc ? &err : NULL;
	if (lineage->config.ended)
		lineage->config.ended(lineage->config.arg, ended);
}

static bool
is_main(const struct prf_kin *process, bool is_earlier)
{
	return process->is_first && !process->main_is_out && !is_earlier;
}

static void
end_thread(struct prf_lineage *lineage, struct prf_kin_thread *thread,
	   const char *name, bool is_earlier)
{
	struct prf_kin *process = thread->process;
	struct prf_thread row = {
		.pid = process->pid,
		.tid = thread->tid,
		.count = thread->count,
	};

	if (!*name) /* what Linux calls a thread that has no name of its own */
		name = prf_program_name(process->program);
	snprintf(row.name, sizeof row.name, "%s", name);
	prf_threads_add(&lineage->family.threads, &row);
	if (thread->profile) {
		struct prf_ended ended = {
			.tid = thread->tid,
			.is_earlier = is_earlier,
			.is_main = is_main(process, is_earlier) &&
				   thread->tid == process->pid,
		};

		process->main_is_out |= ended.is_main;
		hand_out(lineage, process, PRF_TAKE(thread->profile), &ended);
	}
	prf_kins_remove_thread(&lineage->kins, thread);
}

void
prf_lineage_end_thread(struct prf_lineage *lineage,
		       struct prf_kin_thread *thread, const char *name)
{
	end_thread(lineage, thread, name, false);
}

/* What all threads have in common; of the main one it is there anyway. */
static void
end_profile(struct prf_lineage *lineage, struct prf_kin *process,
	    bool is_earlier)
{
	struct prf_ended ended = {
		.tid = lineage->config.each_thread ? process->pid : 0,
		.is_earlier = is_earlier,
		.is_main = is_main(process, is_earlier),
	};

	process->main_is_out |= ended.is_main;
	if (process->profile || ended.is_main)
		hand_out(lineage, process, PRF_TAKE(process->profile), &ended);
}

static void
end_program(struct prf_lineage *lineage, struct prf_kin *process,
	    bool is_earlier)
{
	struct prf_kin_thread *thread;

	while ((thread = LIST_FIRST(&process->threads)))
		end_thread(lineage, thread, "", is_earlier);
	end_profile(lineage, process, is_earlier);
	prf_tree_end(&lineage->family.tree, PRF_TAKE(process->branch));
	prf_profile_free(PRF_TAKE(process->inherited));
	prf_mapped_clear(&process->mapped);
	prf_program_drop(PRF_TAKE(process->program));
}

void
prf_lineage_end_program(struct prf_lineage *lineage, struct prf_kin *process)
{
	end_program(lineage, process, true);
	process->n_execs++;
}

void
prf_lineage_end_process(struct prf_lineage *lineage, struct prf_kin *process)
{
	end_program(lineage, process, false);
	lineage->family.n_idle += !process->has_ticks;
	prf_kins_remove(&lineage->kins, process);
}
