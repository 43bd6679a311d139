#include "view/table/lookup.h"

#include <errno.h>
#include <stdlib.h>

#include "space/procs.h"

struct prf_lookup {
	struct prf_procs procs;
};

static void
warn(void *arg, const char *line)
{
	prf_warnings_add(arg, line);
}

struct prf_lookup *
prf_lookup_new(const struct prf_objectfile_way *way,
	       struct prf_warnings *warnings)
{
	struct prf_lookup *lookup = calloc(1, sizeof *lookup);

	if (!lookup || prf_procs_init(&lookup->procs, way)) {
		free(lookup);
		return NULL;
	}
	lookup->procs.warn = warn;
	lookup->procs.warn_arg = warnings;
	return lookup;
}

void
prf_lookup_free(struct prf_lookup *lookup)
{
	if (lookup)
		prf_procs_clear(&lookup->procs);
	free(lookup);
}

/* --- What is told */

int
prf_lookup_exec(struct prf_lookup *lookup, const struct prf_exec *exec)
{
	struct prf_program *program = prf_procs_program(&lookup->procs, exec);

	return prf_procs_become(&lookup->procs, exec->pid, program) ? 0
								    : -ENOMEM;
}

int
prf_lookup_mapping(struct prf_lookup *lookup, const struct prf_mapping *map)
{
	return prf_procs_map(&lookup->procs, map);
}

int
prf_lookup_life(struct prf_lookup *lookup, const struct prf_life *life)
{
	if (life->kind == PRF_LIFE_FORK)
		return prf_procs_fork(&lookup->procs, life) ? 0 : -ENOMEM;
	if (life->kind != PRF_LIFE_EXIT && life->kind != PRF_LIFE_LEAVE)
		return 0;
	struct prf_proc *proc = prf_procs_find(&lookup->procs, life->pid);
	if (!proc)
		return -ESRCH;
	prf_procs_remove(&lookup->procs, proc);
	return 0;
}

/* --- What is asked */

/* The function at VADDR of FILE, which has been read and has names. */
static void
name_it(const struct prf_file *file, uint64_t vaddr, struct prf_found *found)
{
	size_t at = prf_image_text_at(file->image, vaddr);

	if (at >= file->n_pieces)
		return;
	const struct prf_named *function =
		&file->functions[file->pieces[at].function];
	found->function = function->name;
	found->off = vaddr - function->lo;
}

/* A file without names has no addresses of its own. */
static void
find_in_file(const struct prf_location *location, struct prf_found *found)
{
	const struct prf_file *file = location->file;

	found->object = file->is_vdso ? file->name : file->path;
	if (!file->image)
		return;
	found->vaddr = location->vaddr;
	name_it(file, location->vaddr, found);
}

struct prf_found
prf_lookup_at(struct prf_lookup *lookup, pid_t pid, uint64_t addr)
{
	const struct prf_proc *proc = prf_procs_find(&lookup->procs, pid);
	struct prf_found found = {.object = "[unknown]", .vaddr = addr};

	if (!proc)
		return found;
	found.machine = proc->program->machine;
	const struct prf_location location =
		prf_procs_locate(&lookup->procs, proc, addr);
	if (location.file)
		find_in_file(&location, &found);
	else if (location.kind == PRF_MAPPING_ANON)
		found.object = "[jit]";
	return found;
}
