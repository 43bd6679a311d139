#include "view/mapped.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool
has(const struct prf_mapped *mapped, const struct prf_file *file)
{
	for (size_t i = mapped->n_files; i-- > 0;)
		if (mapped->files[i] == file)
			return true;
	return false;
}

/* Takes over one use of FILE. */
static int
keep(struct prf_mapped *mapped, struct prf_file *file)
{
	if (has(mapped, file)) {
		prf_files_drop(file);
		return 0;
	}
	struct prf_file **grown = reallocarray(
		mapped->files, mapped->n_files + 1, sizeof(*grown));
	if (!grown) {
		prf_files_drop(file);
		return -ENOMEM;
	}
	mapped->files = grown;
	grown[mapped->n_files++] = file;
	return 0;
}

int
prf_mapped_set(struct prf_mapped *mapped, struct prf_files *files,
	       const struct prf_mapping *map, uint8_t addr_bytes)
{
	struct prf_place place = {
		.addr = map->addr,
		.last = map->addr + map->size - 1,
		.kind = map->kind,
		.map_addr = map->addr,
		.map_size = map->size,
		.map_off = map->file_off,
	};

	if (!map->size)
		return 0;
	if (map->kind == PRF_MAPPING_FILE || map->kind == PRF_MAPPING_VDSO) {
		place.file = prf_files_take(files, map, addr_bytes);
		if (!place.file || keep(mapped, place.file))
			return -ENOMEM;
	}
	return prf_space_set(&mapped->space, &place);
}

int
prf_mapped_copy(struct prf_mapped *copy, const struct prf_mapped *mapped)
{
	*copy = (struct prf_mapped){0};
	if (!mapped->n_files)
		return prf_space_copy(&copy->space, &mapped->space);
	copy->files = calloc(mapped->n_files, sizeof(*copy->files));
	if (!copy->files)
		return -ENOMEM;
	for (size_t i = 0; i < mapped->n_files; i++)
		copy->files[copy->n_files++] = prf_files_hold(mapped->files[i]);
	int rc = prf_space_copy(&copy->space, &mapped->space);
	if (rc)
		prf_mapped_clear(copy);
	return rc;
}

void
prf_mapped_clear(struct prf_mapped *mapped)
{
	prf_space_clear(&mapped->space);
	for (size_t i = 0; i < mapped->n_files; i++)
		prf_files_drop(mapped->files[i]);
	free(mapped->files);
	*mapped = (struct prf_mapped){0};
}

struct prf_mapping
prf_mapped_mapping(const struct prf_place *place, pid_t pid)
{
	return (struct prf_mapping){
		.pid = pid,
		.kind = place->kind,
		.addr = place->map_addr,
		.size = place->map_size,
		.file_off = place->map_off,
		.dev = place->file ? place->file->dev : 0,
		.inode = place->file ? place->file->inode : 0,
		.path = place->file ? place->file->path : "",
		.build_id = place->file ? place->file->build_id : NULL,
		.build_id_bytes = place->file ? place->file->build_id_bytes : 0,
	};
}
