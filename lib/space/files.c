#include "space/files.h"

#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Files that are open and not read; there can be more libraries than a process
 * may have files open. */
enum { MAX_OPEN = 128 };

/* Files that were read and that nobody uses, until somebody does. */
enum { MAX_UNUSED = 64 };

TAILQ_HEAD(unused, prf_file);

struct prf_files {
	void *known;          /* a tree of struct prf_file, see tsearch(3) */
	struct unused unused; /* the latest first */
	size_t n_unused, n_open, n_added;
	struct prf_objectfile_way way;
	struct prf_objectfile_finder
		*own_finder;            /* NULL: none, or a lent one */
	struct prf_debuginfod *servers; /* NULL: nobody is asked */
	struct prf_cfi_cache rows;
};

static int
compare_numbers(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

static int
by_identity(const void *a, const void *b)
{
	const struct prf_file *left = a, *right = b;
	int rc = compare_numbers(left->inode, right->inode);

	if (!rc)
		rc = compare_numbers(left->dev, right->dev);
	if (!rc)
		rc = compare_numbers(left->vdso_bytes, right->vdso_bytes);
	if (!rc)
		rc = strcmp(left->path, right->path);
	if (!rc)
		rc = left->build_id_bytes - right->build_id_bytes;
	return rc || !left->build_id_bytes
		       ? rc
		       : memcmp(left->build_id, right->build_id,
				left->build_id_bytes);
}

struct prf_files *
prf_files_new(const struct prf_objectfile_way *way)
{
	struct prf_files *files = calloc(1, sizeof *files);

	if (!files)
		return NULL;
	TAILQ_INIT(&files->unused);
	files->rows.max_bytes = PRF_CFI_CACHE_BYTES;
	if (way)
		files->way = *way;
	if (!files->way.open && !files->way.finder) {
		files->own_finder = prf_objectfile_finder_new();
		files->way.finder = files->own_finder;
		if (!files->own_finder) {
			free(files);
			return NULL;
		}
	}
	if (files->way.ask)
		files->servers = prf_debuginfod_new();
	return files;
}

static void
forget(struct prf_file *file)
{
	struct prf_files *files = file->files;

	if (!file->is_replaced)
		tdelete(file, &files->known, by_identity);
	files->n_open -= file->fd >= 0;
	prf_file_free(file);
}

static void
forget_unused(struct prf_files *files, struct prf_file *file)
{
	TAILQ_REMOVE(&files->unused, file, unused);
	files->n_unused--;
	forget(file);
}

void
prf_files_free(struct prf_files *files)
{
	if (!files)
		return;
	while (!TAILQ_EMPTY(&files->unused))
		forget_unused(files, TAILQ_FIRST(&files->unused));
	prf_objectfile_finder_free(files->own_finder);
	prf_debuginfod_free(files->servers);
	prf_cfi_cache_free(&files->rows);
	free(files);
}

/* --- Who uses what */

struct prf_file *
prf_files_hold(struct prf_file *file)
{
	struct prf_files *files = file->files;

	if (file->n_users++ == 0) {
		TAILQ_REMOVE(&files->unused, file, unused);
		files->n_unused--;
	}
	return file;
}

/* What nothing was read of is not worth keeping: the next one may have more. */
void
prf_files_drop(struct prf_file *file)
{
	if (!file || --file->n_users > 0)
		return;

	struct prf_files *files = file->files;
	if ((!file->image && !file->code) || file->is_replaced) {
		forget(file);
		return;
	}
	TAILQ_INSERT_HEAD(&files->unused, file, unused);
	if (++files->n_unused > MAX_UNUSED)
		forget_unused(files, TAILQ_LAST(&files->unused, unused));
}

static struct prf_file *
add(struct prf_files *files, struct prf_file *file,
    const struct prf_mapping *map)
{
	if (!tsearch(file, &files->known, by_identity)) {
		prf_file_free(file);
		return NULL;
	}
	file->files = files;
	file->index = files->n_added++;
	file->way = files->way;
	file->servers = files->servers;
	file->rows = &files->rows;
	file->n_users = 1;
	if (files->n_open < MAX_OPEN &&
	    !prf_objectfile_may_be_silent(files->way.finder, map))
		prf_file_open(file, map);
	files->n_open += file->fd >= 0;
	return file;
}

/* Is what was read of FILE what MAP, of the same numbers, is of?  While somebody
 * holds a file that is not read yet, it is open; what was read can be written
 * again in its place, as by cp(1), or its numbers can be another file's.  Recorded
 * files are as they are. */
static bool
is_still(const struct prf_files *files, const struct prf_file *file,
	 const struct prf_mapping *map)
{
	if (file->n_users == 0)
		return prf_file_is_same(file, map);
	return files->way.open || (!file->image && !file->code) ||
	       !prf_file_has_changed(file, map);
}

/* FILE's numbers are another's now; those who hold it keep it. */
static void
replace(struct prf_files *files, struct prf_file *file)
{
	if (file->n_users == 0) {
		forget_unused(files, file);
		return;
	}
	tdelete(file, &files->known, by_identity);
	file->is_replaced = true;
}

/* MAP's, as far as it is known by its numbers. */
static struct prf_file *
find(struct prf_files *files, const struct prf_file *like,
     const struct prf_mapping *map)
{
	struct prf_file *const *found = tfind(like, &files->known, by_identity);

	if (!found)
		return NULL;
	if (is_still(files, *found, map))
		return prf_files_hold(*found);
	replace(files, *found);
	return NULL;
}

/* A program of the other class has another vDSO than we have: its numbers
 * differ, and it is not read. */
static void
tell_vdsos_apart(struct prf_file *file, uint8_t addr_bytes)
{
	file->dev = 0;
	file->inode = addr_bytes;
	file->is_read = file->code_is_read = addr_bytes != sizeof(void *);
}

struct prf_file *
prf_files_take(struct prf_files *files, const struct prf_mapping *map,
	       uint8_t addr_bytes)
{
	struct prf_file *file = prf_file_new(map);

	if (!file)
		return NULL;
	if (file->is_vdso)
		tell_vdsos_apart(file, addr_bytes);
	struct prf_file *found = find(files, file, map);
	if (!found)
		return add(files, file, map);
	prf_file_free(file);
	return found;
}

struct prf_code *
prf_files_code(struct prf_file *file, const struct prf_mapping *map)
{
	bool was_open = file->fd >= 0;
	struct prf_code *code = prf_file_code(file, map);

	file->files->n_open += !was_open && file->fd >= 0;
	return code;
}

void
prf_files_read(struct prf_file *file, const struct prf_mapping *map,
	       struct prf_error *warning)
{
	file->files->n_open -= file->fd >= 0;
	prf_file_read(file, map, warning);
}
