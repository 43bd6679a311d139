#include "view/export/timeline.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "space/perfmapfile.h"
#include "space/procs.h"

PRF_DEFINE_AUTO(prf_perfmap, prf_perfmap_drop);

/* A thread that lives. */
struct thread {
	pid_t pid, tid;  /* stay first, see by_number() */
	uint32_t number; /* of its row */
	/* The frames of its last sample, the outermost first, with their
	 * nodes: most of the next one is the same while nothing was mapped. */
	uint64_t n_changes;
	size_t n, room;
	struct step {
		struct prf_frame frame;
		uint32_t node;
	} * steps;
};

/* A sample that others of its thread are still to be put into. */
struct gathering {
	size_t sample;
	uint32_t n; /* that are in it; 0: there is none */
};

struct timeline {
	struct prf_timeline outer; /* stays first */
	struct prf_timeline_config config;
	struct prf_profile *profile; /* for its binaries; counts nothing */
	struct prf_procs procs;
	void *threads;               /* see tsearch(3) */
	struct gathering *gathering; /* by number of the thread */
	size_t n_gathering;
	uint32_t n_in_one; /* samples that become one */
	uint64_t lot;
};

/* --- Threads */

static int
by_number(const void *a, const void *b)
{
	const struct thread *left = a, *right = b;

	if (left->pid != right->pid)
		return left->pid < right->pid ? -1 : 1;
	return (left->tid > right->tid) - (left->tid < right->tid);
}

static void
free_thread(void *thread)
{
	free(((struct thread *)thread)->steps);
	free(thread);
}

static struct thread *
find_thread(const struct timeline *timeline, pid_t pid, pid_t tid)
{
	const struct thread like = {.pid = pid, .tid = tid};
	struct thread *const *found =
		tfind(&like, &timeline->threads, by_number);

	return found ? *found : NULL;
}

/* Room for what is gathered for thread NUMBER. */
static int
reserve_gathering(struct timeline *timeline, uint32_t number)
{
	size_t n = 2 * (size_t)number + 16;

	if (number < timeline->n_gathering)
		return 0;
	struct gathering *grown =
		reallocarray(timeline->gathering, n, sizeof *grown);
	if (!grown)
		return -ENOMEM;
	memset(grown + timeline->n_gathering, 0,
	       (n - timeline->n_gathering) * sizeof *grown);
	timeline->gathering = grown;
	timeline->n_gathering = n;
	return 0;
}

static const char *
program_of(struct timeline *timeline, pid_t pid)
{
	const struct prf_proc *proc = prf_procs_find(&timeline->procs, pid);

	return proc ? prf_program_name(proc->program) : "";
}

static int
add_row(struct timeline *timeline, struct thread *thread, uint64_t time_ns)
{
	struct prf_stack_table_thread row = {
		.pid = thread->pid,
		.tid = thread->tid,
		.begin_ns = time_ns,
		.program = strdup(program_of(timeline, thread->pid)),
	};

	if (!row.program)
		return -ENOMEM;
	int rc = prf_stack_table_add_thread(&timeline->outer.stacks, &row,
					    &thread->number);
	if (rc) {
		free(row.program);
		return rc;
	}
	return reserve_gathering(timeline, thread->number);
}

/* NULL: out of memory. */
static struct thread *
add_thread(struct timeline *timeline, pid_t pid, pid_t tid, uint64_t time_ns)
{
	struct thread *thread = calloc(1, sizeof *thread);

	if (!thread)
		return NULL;
	thread->pid = pid;
	thread->tid = tid;
	if (!add_row(timeline, thread, time_ns) &&
	    tsearch(thread, &timeline->threads, by_number))
		return thread;
	free_thread(thread);
	return NULL;
}

/* The one that lives, or a new one.  NULL: out of memory. */
static struct thread *
thread_of(struct timeline *timeline, pid_t pid, pid_t tid, uint64_t time_ns)
{
	struct thread *thread = find_thread(timeline, pid, tid);

	return thread ? thread : add_thread(timeline, pid, tid, time_ns);
}

static struct prf_stack_table_thread *
row_of(struct timeline *timeline, const struct thread *thread)
{
	return &timeline->outer.stacks.threads[thread->number];
}

static void
remove_thread(struct timeline *timeline, struct thread *thread,
	      uint64_t time_ns)
{
	row_of(timeline, thread)->end_ns = time_ns;
	tdelete(thread, &timeline->threads, by_number);
	free_thread(thread);
}

/* --- Processes */

static bool
is_told(const struct prf_timeline_config *config, uint64_t time_ns)
{
	return (!config->skipped_ns || time_ns >= config->begin_ns) &&
	       (!config->end_ns || time_ns < config->end_ns);
}

static int
note_event(struct timeline *timeline, const struct thread *thread, bool is_exec,
	   uint64_t time_ns, const char *text)
{
	if (!is_told(&timeline->config, time_ns))
		return 0;
	struct prf_stack_table_event event = {
		.time_ns = time_ns,
		.thread = thread->number,
		.is_exec = is_exec,
		.text = strdup(text),
	};
	int rc = event.text ? prf_stack_table_add_event(&timeline->outer.stacks,
							&event)
			    : -ENOMEM;

	if (rc)
		free(event.text);
	return rc;
}

static int
rename_program(struct timeline *timeline, const struct thread *thread)
{
	struct prf_stack_table_thread *row = row_of(timeline, thread);
	char *program = strdup(program_of(timeline, thread->pid));

	if (!program)
		return -ENOMEM;
	free(row->program);
	row->program = program;
	return 0;
}

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct timeline *timeline = (struct timeline *)sink;

	if (!prf_procs_become(&timeline->procs, exec->pid,
			      prf_procs_program(&timeline->procs, exec)))
		return -ENOMEM;
	const struct thread *thread =
		thread_of(timeline, exec->pid, exec->pid, exec->time_ns);
	int rc = thread ? rename_program(timeline, thread) : -ENOMEM;
	return rc ? rc
		  : note_event(timeline, thread, true, exec->time_ns,
			       *exec->command ? exec->command : exec->path);
}

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	return prf_procs_map(&((struct timeline *)sink)->procs, map);
}

/* A process that was forked by a JIT's goes on with the names that its
 * program's first process has left. */
static int
read_perfmap(struct timeline *timeline, const struct prf_proc *proc,
	     struct prf_perfmap **map)
{
	const char *dir = timeline->config.perfmap_dir
				  ? timeline->config.perfmap_dir
				  : "/tmp";
	struct prf_jit jit = {proc->pid, proc->program->uid,
			      proc->program->begun};
	struct prf_error warning = {0};
	int rc = prf_perfmapfile_read(dir, &jit, map, &warning);

	if (rc == -ENOENT && proc->program->pid != proc->pid) {
		jit.pid = proc->program->pid;
		rc = prf_perfmapfile_read(dir, &jit, map, &warning);
	}
	if (rc && rc != -ENOENT)
		prf_warnings_add(&timeline->outer.warnings, warning.text);
	return rc == -ENOMEM ? rc : 0;
}

/* Gives the frames in JIT code of PROC the names that it has left for them. */
static int
name_jit(struct timeline *timeline, const struct prf_proc *proc)
{
	PRF_AUTO(prf_perfmap_auto) struct prf_perfmap *map = NULL;
	struct prf_stack_table *stacks = &timeline->outer.stacks;

	if (!prf_profile_has_jit(timeline->profile, proc->pid))
		return 0;
	struct prf_binary *from =
		prf_profile_jit_of(timeline->profile, proc->pid);
	struct prf_binary *to =
		prf_profile_binary(timeline->profile, PRF_BINARY_JIT);
	int rc = from && to ? read_perfmap(timeline, proc, &map) : -ENOMEM;

	for (size_t i = 0; !rc && i < stacks->n_frames; i++) {
		struct prf_arc_end *end = &stacks->frames[i].end;
		size_t number;

		if (end->binary != from)
			continue;
		const struct prf_perfmap_entry *entry =
			map ? prf_perfmap_at(map, end->vaddr) : NULL;
		rc = prf_named_counts_intern(
			&to->names, entry ? entry->name : to->name, &number);
		*end = (struct prf_arc_end){to, number};
	}
	if (!rc)
		from->pid = -1; /* another process can have the number */
	return rc;
}

static int
mark_program(struct timeline *timeline, const struct prf_proc *proc)
{
	struct prf_file *file = prf_procs_program_file(&timeline->procs, proc);
	struct prf_binary *binary =
		file ? prf_profile_binary_of(timeline->profile, file) : NULL;

	if (file && !binary)
		return -ENOMEM;
	if (!binary)
		return 0;
	binary->is_program = true;
	if (!timeline->profile->program)
		timeline->profile->program = binary;
	return 0;
}

/* All that is there of PID comes to its end. */
static int
end_process(struct timeline *timeline, struct prf_proc *proc, uint64_t time_ns)
{
	pid_t pid = proc->pid;
	int rc = mark_program(timeline, proc);

	if (!rc)
		rc = name_jit(timeline, proc);
	prf_procs_remove(&timeline->procs, proc);
	/* Its first thread; what others had no end have none. */
	struct thread *thread = find_thread(timeline, pid, pid);
	if (thread)
		remove_thread(timeline, thread, time_ns);
	return rc;
}

static int
on_end(struct timeline *timeline, const struct prf_life *life)
{
	struct thread *thread = find_thread(timeline, life->pid, life->tid);

	if (!thread)
		return 0;
	struct prf_stack_table_thread *row = row_of(timeline, thread);
	snprintf(row->name, sizeof row->name, "%s", life->name);
	int rc = note_event(timeline, thread, false, life->time_ns, row->name);
	/* The first thread's number is its process's, which goes on. */
	row->end_ns = life->time_ns;
	if (life->tid != life->pid)
		remove_thread(timeline, thread, life->time_ns);
	return rc;
}

static int
on_life(struct prf_sink *sink, const struct prf_life *life)
{
	struct timeline *timeline = (struct timeline *)sink;
	struct prf_proc *proc = prf_procs_find(&timeline->procs, life->pid);

	switch (life->kind) {
	case PRF_LIFE_FORK:
		if (proc && end_process(timeline, proc, life->time_ns))
			return -ENOMEM;
		if (!prf_procs_fork(&timeline->procs, life))
			return -ENOMEM;
		return add_thread(timeline, life->pid, life->tid, life->time_ns)
			       ? 0
			       : -ENOMEM;
	case PRF_LIFE_THREAD:
		return thread_of(timeline, life->pid, life->tid, life->time_ns)
			       ? 0
			       : -ENOMEM;
	case PRF_LIFE_END:
		return on_end(timeline, life);
	case PRF_LIFE_EXIT:
	case PRF_LIFE_LEAVE:
		return proc ? end_process(timeline, proc, life->time_ns)
			    : -ESRCH;
	case PRF_N_LIFE_KINDS:
		break;
	}
	return 0;
}

/* --- Samples: two of three that were too many become one */

/* True with the chance of PART in ALL. */
static bool
draw(struct timeline *timeline, uint64_t part, uint64_t all)
{
	/* Knuth's; its high bits are good enough. */
	timeline->lot = timeline->lot * UINT64_C(6364136223846793005) +
			UINT64_C(1442695040888963407);
	return (timeline->lot >> 33) % all < part;
}

static void
put_into(struct timeline *timeline, struct prf_stack_table_sample *sample,
	 const struct prf_stack_table_sample *other)
{
	prf_count_merge(&sample->count, &other->count);
	if (draw(timeline, other->count.ticks, sample->count.ticks))
		sample->node = other->node;
	sample->time_ns = other->time_ns;
}

/* Halves the number of samples. */
static void
thin_out(struct timeline *timeline)
{
	struct prf_stack_table *stacks = &timeline->outer.stacks;
	struct gathering *gathering = timeline->gathering;
	size_t n = 0;

	memset(gathering, 0, timeline->n_gathering * sizeof *gathering);
	for (size_t i = 0; i < stacks->n_samples; i++) {
		const struct prf_stack_table_sample sample = stacks->samples[i];
		struct gathering *own = &gathering[sample.thread];

		if (own->n == 1) {
			put_into(timeline, &stacks->samples[own->sample],
				 &sample);
			stacks->threads[sample.thread].n_samples--;
			own->n = 0;
			continue;
		}
		*own = (struct gathering){n, 1};
		stacks->samples[n++] = sample;
	}
	stacks->n_samples = n;
	timeline->n_in_one *= 2;
	memset(gathering, 0, timeline->n_gathering * sizeof *gathering);
}

static int
add_sample(struct timeline *timeline,
	   const struct prf_stack_table_sample *sample)
{
	struct prf_stack_table *stacks = &timeline->outer.stacks;
	struct gathering *own = &timeline->gathering[sample->thread];

	if (own->n && own->n < timeline->n_in_one) {
		put_into(timeline, &stacks->samples[own->sample], sample);
		own->n++;
		return 0;
	}
	if (stacks->n_samples == timeline->config.n_max)
		thin_out(timeline);
	*own = (struct gathering){stacks->n_samples, 1};
	return prf_stack_table_add_sample(stacks, sample);
}

/* How many of the outer frames that SAMPLE's PC was called from are THREAD's. */
static size_t
n_shared(const struct thread *thread, const struct prf_sample *sample)
{
	size_t n_callers = sample->n_frames - 1, n = 0;

	while (n < thread->n && n < n_callers) {
		struct prf_frame frame = sample->frames[n_callers - n];

		if (thread->steps[n].frame.addr != frame.addr ||
		    thread->steps[n].frame.kind != frame.kind)
			break;
		n++;
	}
	return n;
}

static int
reserve_steps(struct thread *thread, size_t n)
{
	if (n <= thread->room)
		return 0;
	struct step *steps = reallocarray(thread->steps, 2 * n, sizeof *steps);
	if (!steps)
		return -ENOMEM;
	thread->steps = steps;
	thread->room = 2 * n;
	return 0;
}

/* Where its frames have come to. */
static uint32_t
node_of(const struct thread *thread)
{
	return thread->n ? thread->steps[thread->n - 1].node : 0;
}

/* Gives nodes to the next frames of SAMPLE, for so many as can have them at
 * once. */
static int
enter_some(struct timeline *timeline, const struct prf_proc *proc,
	   struct thread *thread, const struct prf_sample *sample)
{
	struct prf_stack_table *stacks = &timeline->outer.stacks;
	struct prf_arc_end ends[PRF_STACK_TABLE_AT_ONCE];
	uint32_t nodes[PRF_STACK_TABLE_AT_ONCE];
	const struct prf_frame *frame =
		&sample->frames[sample->n_frames - 1 - thread->n];
	size_t n_left = sample->n_frames - thread->n, n = 0;
	int rc;

	do
		rc = prf_profile_locate(timeline->profile, &timeline->procs,
					proc, *(frame - n), &ends[n]);
	while (!rc && ++n < PRF_STACK_TABLE_AT_ONCE && n < n_left);
	if (!rc)
		rc = prf_stack_table_enter_all(stacks, node_of(thread), ends, n,
					       nodes);
	for (size_t i = 0; !rc && i < n; i++, frame--) {
		if (frame->kind == PRF_FRAME_GUESSED)
			stacks->nodes[nodes[i]].guessed = 1;
		thread->steps[thread->n++] = (struct step){*frame, nodes[i]};
	}
	return rc;
}

/* *NODE: of SAMPLE's PC. */
static int
enter_frames(struct timeline *timeline, const struct prf_proc *proc,
	     struct thread *thread, const struct prf_sample *sample,
	     uint32_t *node)
{
	int rc = reserve_steps(thread, sample->n_frames);

	if (thread->n_changes != timeline->procs.n_changes)
		thread->n = 0;
	thread->n_changes = timeline->procs.n_changes;
	thread->n = n_shared(thread, sample);
	while (!rc && thread->n < sample->n_frames)
		rc = enter_some(timeline, proc, thread, sample);
	*node = node_of(thread);
	return rc;
}

/* Below a node of the stacks. */
struct below {
	struct prf_stack_table *stacks;
	uint32_t *node;
};

static int
enter_below(void *arg, const struct prf_arc_end *end)
{
	const struct below *below = arg;

	return prf_stack_table_enter(below->stacks, *below->node, end,
				     below->node);
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct timeline *timeline = (struct timeline *)sink;
	struct prf_stack_table *stacks = &timeline->outer.stacks;
	const struct prf_proc *proc =
		prf_procs_find(&timeline->procs, sample->pid);
	struct prf_stack_table_sample kept = {.time_ns = sample->time_ns};

	if (!proc)
		return -ESRCH;
	struct thread *thread =
		thread_of(timeline, sample->pid, sample->tid, sample->time_ns);
	int rc = thread ? enter_frames(timeline, proc, thread, sample,
				       &kept.node)
			: -ENOMEM;
	struct below below = {stacks, &kept.node};
	if (!rc)
		rc = prf_profile_enter_kernel(timeline->profile,
					      proc->program->machine, sample,
					      enter_below, &below);
	if (rc)
		return rc;
	kept.thread = thread->number;
	prf_count_add(&kept.count, sample->ticks, sample->certain);
	prf_count_merge(&timeline->profile->total, &kept.count);
	stacks->ended[sample->end] += sample->ticks;
	if (stacks->end_ns < sample->time_ns)
		stacks->end_ns = sample->time_ns;
	return add_sample(timeline, &kept);
}

/* --- The sink */

static int
on_finish(struct prf_sink *sink, struct prf_error *err)
{
	struct timeline *timeline = (struct timeline *)sink;
	struct prf_proc *proc;
	char line[120];
	int rc = 0;

	while ((proc = prf_procs_any(&timeline->procs)))
		if (end_process(timeline, proc, timeline->outer.stacks.end_ns))
			rc = -ENOMEM;
	if (timeline->n_in_one > 1) {
		snprintf(line, sizeof line,
			 "there were more than %zu samples: %u that follow "
			 "each other in a thread are told as one",
			 timeline->config.n_max, (unsigned)timeline->n_in_one);
		prf_warnings_add(&timeline->outer.warnings, line);
	}
	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}

static void
on_free(struct prf_sink *sink)
{
	struct timeline *timeline = (struct timeline *)sink;

	tdestroy(timeline->threads, free_thread);
	free(timeline->gathering);
	prf_stack_table_clear(&timeline->outer.stacks);
	prf_profile_free(timeline->profile); /* before its files */
	prf_procs_clear(&timeline->procs);
	prf_warnings_clear(&timeline->outer.warnings);
	free(timeline);
}

static const struct prf_sink_ops ops = {
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

static int
begin(struct timeline *timeline)
{
	const struct prf_timeline_config *config = &timeline->config;
	struct prf_stack_table *stacks = &timeline->outer.stacks;

	timeline->profile = prf_profile_new();
	if (!timeline->profile ||
	    prf_stack_table_init(stacks, timeline->profile) ||
	    prf_procs_init(&timeline->procs, &config->way))
		return -ENOMEM;
	timeline->profile->unit.rate_hz = config->rate_hz;
	stacks->has_times = true;
	stacks->begin_ns = stacks->end_ns = config->begin_ns;
	stacks->skipped_ns = config->skipped_ns;
	timeline->procs.realtime_offset_ns = config->realtime_offset_ns;
	timeline->procs.warn = warn;
	timeline->procs.warn_arg = &timeline->outer.warnings;
	return 0;
}

struct prf_timeline *
prf_timeline_new(const struct prf_timeline_config *config)
{
	struct timeline *timeline = calloc(1, sizeof *timeline);

	if (!timeline)
		return NULL;
	timeline->outer.base.ops = &ops;
	timeline->config = *config;
	if (!timeline->config.n_max)
		timeline->config.n_max = PRF_STACK_TABLE_SAMPLES_MAX;
	timeline->n_in_one = 1;
	if (!begin(timeline))
		return &timeline->outer;
	on_free(&timeline->outer.base);
	return NULL;
}
