/* Programs, threads and processes that end, and what a run would be if it ended
 * now. */
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/collecting.h"
#include "space/perfmapfile.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

static void
note_failure(struct prf_collecting *counting, int rc, const char *what)
{
	if (rc && !counting->failure.code)
		prf_error_set(&counting->failure, rc, "%s", what);
}

struct prf_profile *
prf_collecting_new_profile(const struct prf_collector_config *config)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();

	if (!profile || prf_origin_join(&profile->origin, &config->origin))
		return NULL;
	profile->keeps_calls = config->call_graph;
	profile->by_thread = config->by_thread;
	if (config->flat_calls && prf_profile_begin_calls(profile))
		return NULL;
	profile->unit = (struct prf_profile_unit){
		.rate_hz = config->rate_hz,
		.dimension = "seconds",
		.abbreviation = 's',
	};
	return PRF_TAKE(profile);
}

/* --- Threads */

static int
by_tid(const void *a, const void *b)
{
	const pid_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static struct prf_collected_thread **
latest_of(struct prf_collecting *counting, pid_t tid)
{
	size_t n = sizeof counting->latest / sizeof *counting->latest;

	return &counting->latest[(uint32_t)tid % n];
}

struct prf_collected_thread *
prf_collecting_find_thread(struct prf_collecting *counting, pid_t tid)
{
	struct prf_collected_thread **latest = latest_of(counting, tid);
	struct prf_collected_thread *const *found;

	if (*latest && (*latest)->tid == tid)
		return *latest;
	found = tfind(&tid, &counting->threads, by_tid);
	*latest = found ? *found : NULL;
	return *latest;
}

struct prf_collected_thread *
prf_collecting_add_thread(struct prf_collecting *counting,
			  struct prf_proc *proc, pid_t tid)
{
	struct prf_collected_thread *thread = calloc(1, sizeof *thread);

	if (!thread)
		return NULL;
	thread->tid = tid;
	thread->proc = proc;
	if (!tsearch(thread, &counting->threads, by_tid)) {
		free(thread);
		return NULL;
	}
	LIST_INSERT_HEAD(&prf_collected_of(proc)->threads, thread, link);
	return thread;
}

static void
remove_thread(struct prf_collecting *counting,
	      struct prf_collected_thread *thread)
{
	struct prf_collected_thread **latest = latest_of(counting, thread->tid);

	tdelete(thread, &counting->threads, by_tid);
	if (*latest == thread)
		*latest = NULL;
	LIST_REMOVE(thread, link);
	prf_profile_free(thread->own);
	free(thread);
}

/* --- Names of JIT code */

static int
read_perfmap_of(const struct prf_collecting *counting,
		const struct prf_jit *jit, struct prf_perfmap **map,
		struct prf_error *err)
{
	const char *dir = counting->config.perfmap_dir;

	return dir ? prf_perfmapfile_read(dir, jit, map, err)
		   : prf_perfmapfile_find("/proc", "/tmp", jit, map, err);
}

/* A process that was forked by a JIT's goes on with the names that its
 * program's first process has left. */
static int
read_perfmap(const struct prf_collecting *counting, const struct prf_proc *proc,
	     struct prf_perfmap **map, struct prf_error *err)
{
	const struct prf_program *program = proc->program;
	struct prf_jit jit = {proc->pid, program->uid, program->begun};
	int rc = read_perfmap_of(counting, &jit, map, err);

	if (rc != -ENOENT || program->pid == proc->pid)
		return rc;
	jit.pid = program->pid;
	return read_perfmap_of(counting, &jit, map, err);
}

static void
find_perfmap(struct prf_collecting *counting, const struct prf_proc *proc)
{
	struct prf_collected *counts = prf_collected_of(proc);
	struct prf_error warning = {0};

	if (counts->has_perfmap)
		return;
	int rc = read_perfmap(counting, proc, &counts->perfmap, &warning);
	if (rc && rc != -ENOENT)
		prf_warnings_add(&counting->collector.warnings, warning.text);
	counts->has_perfmap = true;
}

static void
forget_perfmap(struct prf_collected *counts)
{
	prf_perfmap_drop(PRF_TAKE(counts->perfmap));
	counts->has_perfmap = false;
}

/* The JIT code that PROFILE has of PROC so far has the names of now, or waits for
 * them. */
static int
end_jit(struct prf_collecting *counting, const struct prf_proc *proc,
	struct prf_profile *profile)
{
	if (!prf_profile_has_jit(profile, proc->pid))
		return 0;
	find_perfmap(counting, proc);
	int rc = prf_profile_end_jit(profile, proc->pid,
				     prf_collected_of(proc)->perfmap);
	/* A program that runs gets more names. */
	if (!counting->config.n_parts)
		forget_perfmap(prf_collected_of(proc));
	return rc;
}

/* --- What ends */

/* Marks the program of PROC in PROFILE; *BINARY: it (NULL: it is not mapped). */
static int
mark_program(struct prf_collecting *counting, const struct prf_proc *proc,
	     struct prf_profile *profile, struct prf_binary **binary)
{
	struct prf_file *file = prf_procs_program_file(&counting->procs, proc);

	*binary = file ? prf_profile_binary_of(profile, file) : NULL;
	if (*binary)
		(*binary)->is_program = true;
	return file && !*binary ? -ENOMEM : 0;
}

/* Adds INHERITED, if there is any, to OWN, which has been counted. */
static int
finish_own(struct prf_collecting *counting, const struct prf_proc *proc,
	   struct prf_profile *own, struct prf_error *err)
{
	struct prf_profile *inherited = prf_collected_of(proc)->inherited;
	int rc = end_jit(counting, proc, own);

	if (!rc)
		rc = prf_profile_name_jit(own);
	if (!rc && inherited)
		rc = end_jit(counting, proc, inherited);
	if (!rc && inherited)
		rc = prf_profile_name_jit(inherited);
	if (rc)
		return prf_error_set(err, rc, "out of memory");
	rc = prf_profile_add(counting->collector.profile, own, err);
	if (!rc && inherited)
		rc = prf_profile_add(own, inherited, err);
	if (rc)
		return rc;
	if (mark_program(counting, proc, own, &own->program))
		return prf_error_set(err, -ENOMEM, "out of memory");
	if (own->program)
		own->program->program_ticks = own->total.ticks;
	own->addr_bytes = proc->program->addr_bytes;
	return 0;
}

static void
tell_ended(const struct prf_collecting *counting, struct prf_ended *ended)
{
	ended->interval = counting->interval.number;
	ended->from_ns = counting->interval.from_ns;
	ended->to_ns = counting->interval.latest_ns;
	if (counting->config.ended)
		counting->config.ended(counting->config.arg, ended);
}

/* Threads that go on have no name yet.  (An owner whose process
 * is another program by now is another thread.) */
static void
name_owners(struct prf_collecting *counting, struct prf_profile *profile)
{
	struct prf_owners *owners =
		profile->calls ? &profile->calls->owners : NULL;

	if (!counting->config.thread_name)
		return;
	for (size_t i = 0; owners && i < owners->n; i++) {
		struct prf_owner *owner = &owners->all[i];
		const struct prf_proc *proc =
			prf_procs_find(&counting->procs, owner->pid);

		if (owner->tid && !*owner->name && proc &&
		    strcmp(proc->program->path, owner->program) == 0)
			counting->config.thread_name(owner->pid, owner->tid,
						     owner->name);
	}
}

/* Hands OWN (taken over; NULL: no ticks) out as what ENDED says. */
static void
hand_out(struct prf_collecting *counting, const struct prf_proc *proc,
	 struct prf_profile *own, struct prf_ended *ended)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile =
		own ? own : prf_collecting_new_profile(&counting->config);
	struct prf_error err = {.code = -ENOMEM, .text = "out of memory"};
	int rc = profile ? finish_own(counting, proc, profile, &err) : -ENOMEM;

	note_failure(counting, rc, err.text);
	if (!rc && !ended->is_earlier && counting->interval.number)
		name_owners(counting, profile);
	if (!rc && counting->config.each == PRF_COLLECT_RANK) {
		note_failure(
			counting,
			prf_ranks_add(&counting->ranks, proc->program, profile),
			"out of memory for the profile of a rank");
		return;
	}
	ended->rank = proc->program->rank;
	ended->pid = proc->pid;
	ended->n_execs = proc->n_execs;
	ended->program = proc->program;
	ended->profile = rc ? NULL : profile;
	ended->failure = rc ? &err : NULL;
	tell_ended(counting, ended);
}

static bool
is_main(const struct prf_proc *proc, bool is_earlier)
{
	return proc->is_first && !prf_collected_of(proc)->main_is_out &&
	       !is_earlier;
}

static int
add_row(struct prf_profile *profile, const struct prf_collected_thread *thread,
	const char *name)
{
	struct prf_thread_row row = {
		.pid = thread->proc->pid,
		.tid = thread->tid,
		.count = thread->count,
	};

	if (!*name) /* what Linux calls a thread that has no name of its own */
		name = prf_program_name(thread->proc->program);
	snprintf(row.name, sizeof row.name, "%s", name);
	return prf_thread_rows_add(&profile->threads, &row);
}

void
prf_collecting_end_thread(struct prf_collecting *counting,
			  struct prf_collected_thread *thread, const char *name,
			  bool is_earlier)
{
	struct prf_proc *proc = thread->proc;

	note_failure(counting,
		     add_row(counting->collector.profile, thread, name),
		     "out of memory for the row of a thread");
	if (thread->own) {
		struct prf_ended ended = {
			.tid = thread->tid,
			.is_earlier = is_earlier,
			.is_main = is_main(proc, is_earlier) &&
				   thread->tid == proc->pid,
		};

		prf_collected_of(proc)->main_is_out |= ended.is_main;
		hand_out(counting, proc, PRF_TAKE(thread->own), &ended);
	}
	remove_thread(counting, thread);
}

/* The profile of the program that PROC is, if it has one; of the main thread it
 * is there anyway. */
static void
end_own(struct prf_collecting *counting, struct prf_proc *proc, bool is_earlier)
{
	struct prf_collected *counts = prf_collected_of(proc);
	bool of_threads = counting->config.each == PRF_COLLECT_THREAD;
	struct prf_ended ended = {
		.tid = of_threads ? proc->pid : 0,
		.is_earlier = is_earlier,
		.is_main = is_main(proc, is_earlier),
	};

	counts->main_is_out |= ended.is_main;
	if (counts->own || ended.is_main)
		hand_out(counting, proc, PRF_TAKE(counts->own), &ended);
}

/* RUN, a profile of the whole run or of an interval of it, is told what a
 * program is called that ends there; *BINARY: its own. */
static int
name_in_run(struct prf_collecting *counting, const struct prf_proc *proc,
	    struct prf_profile *run, bool is_earlier,
	    struct prf_binary **binary)
{
	const struct prf_branch *branch = prf_collected_of(proc)->branch;
	int rc = end_jit(counting, proc, run);

	*binary = NULL;
	if (!rc && (branch->count.ticks || proc->is_first))
		rc = mark_program(counting, proc, run, binary);
	if (proc->is_first && !is_earlier) {
		run->program = *binary;
		run->addr_bytes = proc->program->addr_bytes;
	}
	return rc;
}

/* What RUN, the profile of the run or a snapshot of it, is told of a program
 * that ends there. */
static int
end_in_run(struct prf_collecting *counting, const struct prf_proc *proc,
	   struct prf_profile *run, bool is_earlier)
{
	const struct prf_branch *branch = prf_collected_of(proc)->branch;
	struct prf_binary *binary;
	int rc = name_in_run(counting, proc, run, is_earlier, &binary);

	if (binary)
		binary->program_ticks += branch->count.ticks;
	if (!rc && branch->count.ticks)
		rc = prf_programs_add(&run->programs, proc->program->path, 1,
				      &branch->count);
	return rc;
}

static const char no_names[] = "out of memory for the names of an interval";

static void
name_in_interval(struct prf_collecting *counting, const struct prf_proc *proc,
		 bool is_earlier)
{
	struct prf_profile *profile = counting->interval.profile;
	struct prf_binary *binary;

	if (profile)
		note_failure(counting,
			     name_in_run(counting, proc, profile, is_earlier,
					 &binary),
			     no_names);
}

void
prf_collecting_end_program(struct prf_collecting *counting,
			   struct prf_proc *proc, bool is_earlier)
{
	struct prf_profile *run = counting->collector.profile;
	struct prf_collected *counts = prf_collected_of(proc);
	struct prf_collected_thread *thread;

	while ((thread = LIST_FIRST(&counts->threads)))
		prf_collecting_end_thread(counting, thread, "", is_earlier);
	if (counting->config.each != PRF_COLLECT_RUN)
		end_own(counting, proc, is_earlier);
	name_in_interval(counting, proc, is_earlier);
	note_failure(counting, end_in_run(counting, proc, run, is_earlier),
		     "out of memory at the end of a program");
	prf_tree_end(&run->tree, PRF_TAKE(counts->branch));
	prf_profile_free(PRF_TAKE(counts->inherited));
	forget_perfmap(counts);
}

/* Frees PROC, whose program has ended. */
void
prf_collecting_remove(struct prf_collecting *counting, struct prf_proc *proc)
{
	struct prf_collected *counts = prf_collected_of(proc);
	struct prf_collected_thread *thread;

	while (counts && (thread = LIST_FIRST(&counts->threads)))
		remove_thread(counting, thread);
	if (counts) {
		prf_profile_free(counts->own);
		prf_profile_free(counts->inherited);
		forget_perfmap(counts);
	}
	free(counts);
	prf_procs_remove(&counting->procs, proc);
}

void
prf_collecting_end_process(struct prf_collecting *counting,
			   struct prf_proc *proc)
{
	prf_collecting_end_program(counting, proc, false);
	counting->collector.profile->n_idle +=
		!prf_collected_of(proc)->has_ticks;
	prf_collecting_remove(counting, proc);
}

/* --- A snapshot */

struct snapshot {
	struct prf_collecting *counting;
	struct prf_profile *profile;
	int rc;
};

static int
add_living_row(const struct prf_collecting *counting,
	       struct prf_profile *profile,
	       const struct prf_collected_thread *thread)
{
	char name[PRF_THREAD_NAME_BYTES] = "";

	if (counting->config.thread_name)
		counting->config.thread_name(thread->proc->pid, thread->tid,
					     name);
	return add_row(profile, thread, name);
}

/* Ticks of PROC that are not in the run's profile before it ends. */
static int
add_own(const struct prf_collecting *counting, struct prf_profile *profile,
	const struct prf_proc *proc)
{
	const struct prf_collected *counts = prf_collected_of(proc);
	const struct prf_collected_thread *thread;
	int rc = counts->own ? prf_profile_add(profile, counts->own, NULL) : 0;

	LIST_FOREACH(thread, &counts->threads, link)
	{
		if (!rc)
			rc = add_living_row(counting, profile, thread);
		if (!rc && thread->own)
			rc = prf_profile_add(profile, thread->own, NULL);
	}
	return rc;
}

/* As if PROC, which goes on, ended now. */
static void
end_in_snapshot(struct prf_proc *proc, void *arg)
{
	struct snapshot *snapshot = arg;
	int rc = add_own(snapshot->counting, snapshot->profile, proc);

	if (!rc)
		rc = end_in_run(snapshot->counting, proc, snapshot->profile,
				false);
	snapshot->profile->n_idle += !prf_collected_of(proc)->has_ticks;
	snapshot->rc = snapshot->rc ? snapshot->rc : rc;
}

void
prf_collecting_end_ranks(struct prf_collecting *counting)
{
	struct prf_ranks *ranks = &counting->ranks;

	prf_ranks_sort(ranks);
	for (size_t i = 0; i < ranks->n; i++) {
		bool is_none = ranks->all[i].rank < 0;
		struct prf_ended ended = {
			.rank = is_none && ranks->n == 1 ? 0
							 : ranks->all[i].rank,
			.is_main = is_none,
			.program = ranks->all[i].program,
			.profile = ranks->all[i].profile,
		};

		/* What starts the ranks has hardly a tick. */
		if (is_none && ranks->n > 1 && !ended.profile->total.ticks)
			continue;
		tell_ended(counting, &ended);
	}
}

int
prf_collecting_finish(const struct prf_collecting *counting,
		      struct prf_profile *profile)
{
	profile->n_processes = counting->procs.n_added;
	prf_thread_rows_sort(&profile->threads);
	prf_programs_sort(&profile->programs);
	return prf_profile_name_jit(profile);
}

/* Adds to PROFILE what the run has so far, with names of what has ended. */
static int
add_run(const struct prf_collecting *counting, struct prf_profile *profile,
	struct prf_error *err)
{
	struct prf_profile *const parts[] = {counting->collector.profile,
					     counting->interval.profile};
	int rc = 0;

	for (size_t i = 0; !rc && i < 2 && parts[i]; i++) {
		if (prf_profile_name_jit(parts[i]))
			return prf_error_set(err, -ENOMEM, "out of memory");
		rc = prf_profile_add(profile, parts[i], err);
	}
	return rc;
}

int
prf_collecting_snapshot(struct prf_collecting *counting,
			struct prf_profile **out, struct prf_error *err)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();
	struct snapshot snapshot = {counting, profile, 0};

	if (!profile)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = add_run(counting, profile, err);
	if (rc)
		return rc;
	prf_procs_walk(&counting->procs, end_in_snapshot, &snapshot);
	if (snapshot.rc || prf_collecting_finish(counting, profile))
		return prf_error_set(err, -ENOMEM, "out of memory");
	name_owners(counting, profile);
	*out = PRF_TAKE(profile);
	return 0;
}

/* --- Intervals */

static void
cut_own(struct prf_collecting *counting, const struct prf_proc *proc,
	struct prf_profile *own, pid_t tid, bool is_main)
{
	struct prf_ended ended = {.tid = tid, .is_main = is_main};

	if (own || is_main)
		hand_out(counting, proc, own, &ended);
}

/* With a profile for each process or thread: what is handed out of PROC. */
static void
cut_process(struct prf_proc *proc, void *arg)
{
	struct prf_collecting *counting = arg;
	struct prf_collected *counts = prf_collected_of(proc);
	bool has_main = is_main(proc, false);
	struct prf_collected_thread *thread;

	if (counting->config.each != PRF_COLLECT_THREAD) {
		cut_own(counting, proc, PRF_TAKE(counts->own), 0, has_main);
		return;
	}
	LIST_FOREACH(thread, &counts->threads, link)
	{
		bool is_main_thread = has_main && thread->tid == proc->pid;

		cut_own(counting, proc, PRF_TAKE(thread->own), thread->tid,
			is_main_thread);
		has_main &= !is_main_thread;
	}
	cut_own(counting, proc, NULL, proc->pid, has_main);
}

static void
name_so_far(struct prf_proc *proc, void *arg)
{
	name_in_interval(arg, proc, false);
}

/* Hands out what the run has in this interval; NEXT is that of the next. */
static void
cut_run(struct prf_collecting *counting, struct prf_profile *next)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = counting->interval.profile;
	struct prf_error err = {0};
	struct prf_ended ended = {.is_main = true, .rank = -1};

	note_failure(counting, prf_profile_name_jit(profile), no_names);
	int rc = prf_profile_add(counting->collector.profile, profile, &err);

	counting->interval.profile = next;
	note_failure(counting, rc, err.text);
	name_owners(counting, profile);
	ended.profile = rc ? NULL : profile;
	ended.failure = rc ? &err : NULL;
	tell_ended(counting, &ended);
}

/* Where memory is short the interval goes on. */
static int
cut(struct prf_collecting *counting)
{
	struct prf_profile *next = NULL;

	if (counting->config.each != PRF_COLLECT_RUN) {
		prf_procs_walk(&counting->procs, cut_process, counting);
		prf_collecting_end_ranks(counting);
		prf_ranks_clear(&counting->ranks);
		return 0;
	}
	next = prf_collecting_new_profile(&counting->config);
	if (!next)
		return -ENOMEM;
	prf_procs_walk(&counting->procs, name_so_far, counting);
	cut_run(counting, next);
	return 0;
}

void
prf_collecting_counted(struct prf_collecting *counting)
{
	/* More would be gone in what a part costs. */
	enum { MIN_TICKS = 16 };
	const struct prf_profile *part = counting->interval.profile;
	uint64_t all = counting->collector.profile->total.ticks;

	if (!counting->config.n_parts || !part ||
	    part->total.ticks < MIN_TICKS + all / counting->config.n_parts)
		return;
	/* With other parts what is made of them would be another. */
	int rc = cut(counting);
	if (rc)
		note_failure(counting, rc, "out of memory");
	else
		counting->interval.number++;
}

int
prf_collecting_begin_intervals(struct prf_collecting *counting)
{
	const struct prf_collector_config *config = &counting->config;

	if (!config->every_ns && !config->n_parts)
		return 0;
	counting->interval = (struct prf_collected_interval){
		.number = 1,
		.from_ns = config->begun_ns,
		.latest_ns = config->begun_ns,
	};
	if (config->each == PRF_COLLECT_RUN)
		counting->interval.profile = prf_collecting_new_profile(config);
	return config->each != PRF_COLLECT_RUN || counting->interval.profile
		       ? 0
		       : -ENOMEM;
}

/* What came late is in a later interval; none in which profrun itself was
 * stopped has a number. */
void
prf_collecting_reach(struct prf_collecting *counting, uint64_t time_ns)
{
	struct prf_collected_interval *interval = &counting->interval;
	uint64_t every_ns = counting->config.every_ns;

	if (!interval->number || time_ns <= interval->latest_ns)
		return;
	interval->latest_ns = time_ns;
	if (!every_ns || time_ns - interval->from_ns < every_ns)
		return;
	interval->latest_ns -= (time_ns - interval->from_ns) % every_ns;
	if (!cut(counting)) {
		interval->number++;
		interval->from_ns = interval->latest_ns;
	}
	interval->latest_ns = time_ns;
}

void
prf_collecting_end_intervals(struct prf_collecting *counting)
{
	if (counting->interval.profile)
		cut_run(counting, NULL);
}
