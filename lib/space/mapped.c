#include "space/mapped.h"

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
	if (mapped->n_files == PRF_MAPPED_FILES_MAX) {
		prf_files_drop(file);
		return -E2BIG;
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

/* MAP is of FILE, too. */
static void
extend(struct prf_file *file, const struct prf_mapping *map)
{
	uint64_t lo = map->file_off & ~1ULL;
	uint64_t hi = (map->file_off + map->size + 1) & ~1ULL;

	if (hi <= lo) /* beyond all offsets */
		return;
	if (file->off_lo == file->off_hi)
		file->off_lo = file->off_hi = lo;
	file->off_lo = lo < file->off_lo ? lo : file->off_lo;
	file->off_hi = hi > file->off_hi ? hi : file->off_hi;
}

/* Puts MAP, with its file, where it says. */
static int
set(struct prf_mapped *mapped, struct prf_files *files,
    const struct prf_mapping *map, uint8_t addr_bytes)
{
	struct prf_space_range range = {
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
		range.file = prf_files_take(files, map, addr_bytes);
		int rc = range.file ? keep(mapped, range.file) : -ENOMEM;
		if (rc)
			return rc;
		extend(range.file, map);
	}
	return prf_space_set(&mapped->space, &range);
}

int
prf_mapped_set(struct prf_mapped *mapped, struct prf_files *files,
	       const struct prf_mapping *map, uint8_t addr_bytes)
{
	struct prf_mapping nothing = *map;
	int rc = set(mapped, files, map, addr_bytes);

	/* What was there is no more, whatever is there now. */
	nothing.kind = PRF_MAPPING_NONE;
	if (rc && map->kind != PRF_MAPPING_NONE)
		set(mapped, files, &nothing, addr_bytes);
	return rc;
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
prf_mapped_mapping(const struct prf_space_range *range, pid_t pid)
{
	return (struct prf_mapping){
		.pid = pid,
		.kind = range->kind,
		.addr = range->map_addr,
		.size = range->map_size,
		.file_off = range->map_off,
		.dev = range->file ? range->file->dev : 0,
		.inode = range->file ? range->file->inode : 0,
		.path = range->file ? range->file->path : "",
		.build_id = range->file ? range->file->build_id : NULL,
		.build_id_bytes = range->file ? range->file->build_id_bytes : 0,
	};
}
