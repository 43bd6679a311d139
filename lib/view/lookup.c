#include "view/lookup.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>

#include "view/files.h"
#include "view/mapped.h"

/* A process that lives. */
struct process {
	pid_t pid; /* stays first, see by_pid */
	uint8_t addr_bytes;
	struct prf_mapped mapped;
};

struct prf_lookup {
	struct prf_files *files;
	struct prf_warnings *warnings;
	void *processes; /* a tree, see tsearch(3) */
};

static int
by_pid(const void *a, const void *b)
{
	const pid_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static struct process *
find(const struct prf_lookup *lookup, pid_t pid)
{
	struct process *const *found = tfind(&pid, &lookup->processes, by_pid);

	return found ? *found : NULL;
}

/* The process PID, new or as it was.  NULL: out of memory. */
static struct process *
have(struct prf_lookup *lookup, pid_t pid)
{
	struct process *process = find(lookup, pid);

	if (process)
		return process;
	process = calloc(1, sizeof *process);
	if (!process)
		return NULL;
	process->pid = pid;
	process->addr_bytes = sizeof(void *);
	if (tsearch(process, &lookup->processes, by_pid))
		return process;
	free(process);
	return NULL;
}

static void
drop(struct prf_lookup *lookup, struct process *process)
{
	tdelete(process, &lookup->processes, by_pid);
	prf_mapped_clear(&process->mapped);
	free(process);
}

struct prf_lookup *
prf_lookup_new(const struct prf_objectfile_way *way,
	       struct prf_warnings *warnings)
{
	struct prf_lookup *lookup = calloc(1, sizeof *lookup);

	if (!lookup)
		return NULL;
	lookup->warnings = warnings;
	lookup->files = prf_files_new(way);
	if (lookup->files)
		return lookup;
	free(lookup);
	return NULL;
}

void
prf_lookup_free(struct prf_lookup *lookup)
{
	if (!lookup)
		return;
	while (lookup->processes)
		drop(lookup, *(struct process **)lookup->processes);
	prf_files_free(lookup->files);
	free(lookup);
}

/* --- What is told */

int
prf_lookup_exec(struct prf_lookup *lookup, const struct prf_exec *exec)
{
	struct process *process = have(lookup, exec->pid);

	if (!process)
		return -ENOMEM;
	prf_mapped_clear(&process->mapped);
	process->addr_bytes = exec->addr_bytes;
	return 0;
}

int
prf_lookup_mapping(struct prf_lookup *lookup, const struct prf_mapping *map)
{
	struct process *process = find(lookup, map->pid);

	return process ? prf_mapped_set(&process->mapped, lookup->files, map,
					process->addr_bytes)
		       : -ESRCH;
}

static int
on_fork(struct prf_lookup *lookup, const struct prf_life *life)
{
	struct process *child = have(lookup, life->pid);
	const struct process *parent = find(lookup, life->parent);

	if (!child)
		return -ENOMEM;
	if (!parent || parent == child)
		return 0;
	prf_mapped_clear(&child->mapped);
	child->addr_bytes = parent->addr_bytes;
	return prf_mapped_copy(&child->mapped, &parent->mapped);
}

int
prf_lookup_life(struct prf_lookup *lookup, const struct prf_life *life)
{
	struct process *process;

	if (life->kind == PRF_LIFE_FORK)
		return on_fork(lookup, life);
	if (life->kind != PRF_LIFE_EXIT && life->kind != PRF_LIFE_LEAVE)
		return 0;
	process = find(lookup, life->pid);
	if (!process)
		return -ESRCH;
	drop(lookup, process);
	return 0;
}

/* --- What is asked */

static void
read_names(struct prf_lookup *lookup, const struct prf_place *place, pid_t pid)
{
	const struct prf_mapping map = prf_mapped_mapping(place, pid);
	struct prf_error warning = {0};

	prf_files_read(place->file, &map, &warning);
	if (warning.code)
		prf_warnings_add(lookup->warnings, warning.text);
}

/* The function at ADDR of FILE, which has been read. */
static void
name_it(const struct prf_place *place, uint64_t addr, struct prf_found *found)
{
	const struct prf_file *file = place->file;
	uint64_t bias;

	if (!file->image ||
	    prf_image_bias(file->image, place->map_addr, place->map_size,
			   place->map_off, &bias))
		return;
	found->vaddr = addr - bias;
	size_t at = prf_image_text_at(file->image, found->vaddr);
	if (at >= file->n_pieces)
		return;
	const struct prf_named *function =
		&file->functions[file->pieces[at].function];
	found->function = function->name;
	found->off = found->vaddr - function->lo;
}

struct prf_found
prf_lookup_at(struct prf_lookup *lookup, pid_t pid, uint64_t addr)
{
	const struct process *process = find(lookup, pid);
	const struct prf_place *place =
		process ? prf_space_at(&process->mapped.space, addr) : NULL;
	struct prf_found found = {.object = "[unknown]", .vaddr = addr};

	if (!place)
		return found;
	if (!place->file) {
		found.object = "[jit]";
		return found;
	}
	found.object =
		place->file->is_vdso ? place->file->name : place->file->path;
	read_names(lookup, place, pid);
	name_it(place, addr, &found);
	return found;
}
