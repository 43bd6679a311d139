#include "space/procs.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>

#include "space/files.h"

/* A process begins with its id. */
static int
by_pid(const void *a, const void *b)
{
	const pid_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* No more ranges and files of all processes are kept, if no other number is said:
 * a trace of a few bytes for each fork can ask for a copy of all its parent has. */
enum { MAPPED_MAX = 1 << 22 };

int
prf_procs_init(struct prf_procs *procs, const struct prf_objectfile_way *way)
{
	*procs = (struct prf_procs){
		.files = prf_files_new(way),
		.n_mapped_max = MAPPED_MAX,
	};
	return procs->files ? 0 : -ENOMEM;
}

void
prf_procs_clear(struct prf_procs *procs)
{
	struct prf_proc *proc;

	while ((proc = prf_procs_any(procs)))
		prf_procs_remove(procs, proc);
	prf_files_free(procs->files);
	*procs = (struct prf_procs){0};
}

/* --- The table */

struct prf_proc *
prf_procs_search(struct prf_procs *procs, pid_t pid)
{
	struct prf_proc *const *found = tfind(&pid, &procs->tree, by_pid);

	if (!found)
		return NULL;
	procs->latest = *found;
	return *found;
}

struct prf_proc *
prf_procs_any(const struct prf_procs *procs)
{
	return LIST_FIRST(&procs->all);
}

void
prf_procs_walk(const struct prf_procs *procs,
	       void (*visit)(struct prf_proc *proc, void *arg), void *arg)
{
	for (struct prf_proc *proc = LIST_FIRST(&procs->all); proc;
	     proc = LIST_NEXT(proc, others))
		visit(proc, arg);
}

static size_t
n_mapped(const struct prf_proc *proc)
{
	return proc->mapped.space.n + proc->mapped.n_files;
}

static void
clear_mapped(struct prf_procs *procs, struct prf_proc *proc)
{
	procs->n_mapped -= n_mapped(proc);
	prf_mapped_clear(&proc->mapped);
}

static void
free_proc(struct prf_procs *procs, struct prf_proc *proc)
{
	clear_mapped(procs, proc);
	prf_program_drop(proc->program);
	free(proc);
}

/* A process that is not there yet, as PROGRAM (taken over; NULL: out of
 * memory). */
static struct prf_proc *
add(struct prf_procs *procs, pid_t pid, struct prf_program *program)
{
	struct prf_proc *proc = program ? calloc(1, sizeof *proc) : NULL;

	if (proc) {
		proc->pid = pid;
		proc->program = program;
		if (tsearch(proc, &procs->tree, by_pid)) {
			LIST_INSERT_HEAD(&procs->all, proc, others);
			proc->is_first = procs->n_added++ == 0;
			return proc;
		}
	}
	prf_program_drop(program);
	free(proc);
	return NULL;
}

void
prf_procs_remove(struct prf_procs *procs, struct prf_proc *proc)
{
	procs->n_changes++;
	tdelete(proc, &procs->tree, by_pid);
	LIST_REMOVE(proc, others);
	if (procs->latest == proc)
		procs->latest = NULL;
	free_proc(procs, proc);
}

/* --- What happens to processes */

struct prf_program *
prf_procs_program(const struct prf_procs *procs, const struct prf_exec *exec)
{
	int64_t offset_ns = procs->realtime_offset_ns;
	struct prf_program *program = prf_program_new(exec);

	if (program && offset_ns)
		program->begun =
			(time_t)((exec->time_ns + (uint64_t)offset_ns) /
				 1000000000);
	return program;
}

struct prf_proc *
prf_procs_become(struct prf_procs *procs, pid_t pid,
		 struct prf_program *program)
{
	struct prf_proc *proc = prf_procs_find(procs, pid);

	procs->n_changes++;
	if (!proc || !program)
		return add(procs, pid, program);
	clear_mapped(procs, proc);
	prf_program_drop(proc->program);
	proc->program = program;
	proc->n_execs++;
	return proc;
}

struct prf_proc *
prf_procs_fork(struct prf_procs *procs, const struct prf_life *life)
{
	struct prf_proc *forgotten = prf_procs_find(procs, life->pid);

	procs->n_changes++;
	if (forgotten)
		prf_procs_remove(procs, forgotten);
	const struct prf_proc *parent = prf_procs_find(procs, life->parent);
	struct prf_proc *child = add(procs, life->pid,
				     parent ? prf_program_hold(parent->program)
					    : prf_program_new(NULL));

	if (!child || !parent ||
	    procs->n_mapped + n_mapped(parent) > procs->n_mapped_max)
		return child;
	if (!prf_mapped_copy(&child->mapped, &parent->mapped)) {
		procs->n_mapped += n_mapped(child);
		return child;
	}
	prf_procs_remove(procs, child);
	return NULL;
}

int
prf_procs_map(struct prf_procs *procs, const struct prf_mapping *map)
{
	struct prf_proc *proc = prf_procs_find(procs, map->pid);
	struct prf_mapping allowed = *map;

	procs->n_changes++;
	if (!proc)
		return -ESRCH;
	bool is_refused = procs->n_mapped >= procs->n_mapped_max &&
			  map->kind != PRF_MAPPING_NONE;
	if (is_refused) /* nor is it what was there before */
		allowed.kind = PRF_MAPPING_NONE;
	procs->n_mapped -= n_mapped(proc);
	int rc = prf_mapped_set(&proc->mapped, procs->files, &allowed,
				proc->program->addr_bytes);
	procs->n_mapped += n_mapped(proc);
	return is_refused ? -E2BIG : rc;
}

/* --- What is where */

static void
read_file(const struct prf_procs *procs, const struct prf_space_range *range,
	  pid_t pid)
{
	const struct prf_mapping map = prf_mapped_mapping(range, pid);
	struct prf_error warning = {0};

	prf_files_read(range->file, &map, &warning);
	if (warning.code && procs->warn)
		procs->warn(procs->warn_arg, warning.text);
}

/* Reads RANGE's file and finds out how far that was moved.  Without names an
 * address is known by its offset in the file, if all offsets are numbers, and
 * the end of the last one, too. */
static void
ask_bias(const struct prf_procs *procs, struct prf_space_range *range,
	 pid_t pid)
{
	const struct prf_file *file = range->file;
	bool is_known = range->map_size < UINT64_MAX - range->map_off;

	read_file(procs, range, pid);
	range->bias = range->map_addr - range->map_off;
	if (file->image)
		is_known = !prf_image_bias(file->image, range->map_addr,
					   range->map_size, range->map_off,
					   &range->bias);
	range->has_bias = is_known ? PRF_SPACE_BIAS_KNOWN : PRF_SPACE_BIAS_NONE;
}

struct prf_location
prf_procs_locate(struct prf_procs *procs, const struct prf_proc *proc,
		 uint64_t addr)
{
	struct prf_space_range *range = prf_space_at(&proc->mapped.space, addr);
	struct prf_location location = {PRF_MAPPING_NONE, NULL, addr};

	if (!range)
		return location;
	if (!range->file) {
		location.kind = range->kind;
		return location;
	}
	if (range->has_bias == PRF_SPACE_BIAS_UNASKED)
		ask_bias(procs, range, proc->pid);
	if (range->has_bias == PRF_SPACE_BIAS_NONE)
		return location;
	return (struct prf_location){range->kind, range->file,
				     addr - range->bias};
}

struct prf_file *
prf_procs_program_file(struct prf_procs *procs, const struct prf_proc *proc)
{
	const struct prf_space *space = &proc->mapped.space;

	for (size_t i = 0; i < space->n; i++) {
		struct prf_space_range *range = &space->ranges[i];

		if (!range->file || !prf_program_is(proc->program, range->file))
			continue;
		if (range->has_bias == PRF_SPACE_BIAS_UNASKED)
			ask_bias(procs, range, proc->pid);
		return range->file;
	}
	return NULL;
}

/* --- What unwinding needs */

static void
ask_code_bias(struct prf_space_range *range, pid_t pid)
{
	const struct prf_mapping map = prf_mapped_mapping(range, pid);
	const struct prf_code *code = prf_files_code(range->file, &map);

	range->has_bias =
		code && prf_code_bias(code, range->map_addr, range->map_size,
				      range->map_off, &range->bias) == 0
			? PRF_SPACE_BIAS_KNOWN
			: PRF_SPACE_BIAS_NONE;
}

const struct prf_space_range *
prf_procs_code(const struct prf_proc *proc, uint64_t addr)
{
	struct prf_space_range *range = prf_space_at(&proc->mapped.space, addr);

	if (!range || !range->file)
		return NULL;
	if (range->has_bias == PRF_SPACE_BIAS_UNASKED)
		ask_code_bias(range, proc->pid);
	return range->has_bias == PRF_SPACE_BIAS_KNOWN ? range : NULL;
}
