#include "image/buildid.h"

#include <errno.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "core/sink/filter.h"
#include "image/note.h"
#include "image/object.h"
#include "image/vdso.h"

/* The build-id of OBJECT, which is closed. */
static uint8_t
take_id(struct prf_object *object, uint8_t bytes[PRF_BUILDID_MAX_BYTES])
{
	size_t n_bytes =
		prf_note_build_id(object, bytes, PRF_BUILDID_MAX_BYTES);

	prf_object_close(object);
	return (uint8_t)n_bytes;
}

uint8_t
prf_buildid_read(int fd, uint8_t bytes[PRF_BUILDID_MAX_BYTES])
{
	struct prf_object object;

	if (prf_object_open_fd(&object, fd, "", NULL))
		return 0;
	return take_id(&object, bytes);
}

uint8_t
prf_buildid_of_vdso(uint8_t bytes[PRF_BUILDID_MAX_BYTES])
{
	struct prf_object object;
	size_t size;
	const void *vdso = prf_vdso(&size);

	if (!vdso || prf_object_open_memory(&object, vdso, size, "", NULL))
		return 0;
	return take_id(&object, bytes);
}

/* --- The sink */

/* A file whose build-id was looked for. */
struct known {
	uint64_t dev, inode;
	bool is_read;       /* else it was not to be had */
	bool is_silent;     /* or may be: its path is not asked for */
	int64_t size_bytes; /* when it was read */
	struct timespec mtime;
	uint8_t n_bytes; /* 0: it has none, or could not be read */
	uint8_t bytes[PRF_BUILDID_MAX_BYTES];
};

struct filler {
	struct prf_filter filter;
	struct prf_buildid_way way;
	void *known; /* a tree by device and inode, see tsearch(3) */
	struct known vdso;
};

static int
by_file(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return (x->inode > y->inode) - (x->inode < y->inode);
}

static struct known *
find_known(const struct filler *filler, const struct prf_mapping *map)
{
	const struct known key = {.dev = map->dev, .inode = map->inode};
	void *const *found = tfind(&key, &filler->known, by_file);

	return found ? *found : NULL;
}

/* Reads the build-id of MAP's file, which KNOWN is of, if it is to be had. */
static void
read_known(const struct filler *filler, struct known *known,
	   const struct prf_mapping *map)
{
	struct stat st;

	*known = (struct known){.dev = map->dev, .inode = map->inode};
	int n_bytes = filler->way.find(filler->way.arg, map, &st, known->bytes);
	if (n_bytes < 0)
		return;
	known->is_read = true;
	known->size_bytes = st.st_size;
	known->mtime = st.st_mtim;
	known->is_silent = st.st_ino == 0;
	known->n_bytes = (uint8_t)n_bytes;
}

/* Has MAP's file been written again since it was read, as by cp(1), or are its
 * numbers another's by now?  What is not at its path is as it was; so is what
 * may never answer. */
static bool
has_changed(const struct filler *filler, const struct known *known,
	    const struct prf_mapping *map)
{
	struct stat st;

	return !known->is_silent &&
	       filler->way.stat_path(filler->way.arg, map, &st) == 0 &&
	       st.st_ino == map->inode &&
	       (st.st_size != known->size_bytes ||
		st.st_mtim.tv_sec != known->mtime.tv_sec ||
		st.st_mtim.tv_nsec != known->mtime.tv_nsec);
}

/* NULL: out of memory. */
static const struct known *
get_to_know(struct filler *filler, const struct prf_mapping *map)
{
	struct known *known = calloc(1, sizeof *known);

	if (!known)
		return NULL;
	known->dev = map->dev;
	known->inode = map->inode;
	if (!tsearch(known, &filler->known, by_file)) {
		free(known);
		return NULL;
	}
	read_known(filler, known, map);
	return known;
}

/* A 32-bit program has its vDSO where a 64-bit one never has it. */
static bool
is_our_vdso(const struct prf_mapping *map)
{
	return map->kind == PRF_MAPPING_VDSO &&
	       (sizeof(void *) == 4 || map->addr > UINT32_MAX);
}

/* What is known of MAP's object; NULL: nothing. */
static const struct known *
know(struct filler *filler, const struct prf_mapping *map)
{
	if (is_our_vdso(map))
		return &filler->vdso;
	if (map->kind != PRF_MAPPING_FILE)
		return NULL;
	struct known *known = find_known(filler, map);
	if (!known)
		return get_to_know(filler, map);
	/* What could not be opened may be to be had by now, or is another file
	 * that has its numbers. */
	if (!known->is_read || has_changed(filler, known, map))
		read_known(filler, known, map);
	return known;
}

/* An event without a build-id is better than none. */
static int
fill_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	struct filler *filler = (struct filler *)sink;
	struct prf_mapping filled = *map;
	const struct known *known =
		map->build_id_bytes ? NULL : know(filler, map);

	if (known) {
		filled.build_id = known->bytes;
		filled.build_id_bytes = known->n_bytes;
	}
	return prf_filter_mapping(sink, &filled);
}

static void
free_filler(struct prf_sink *sink)
{
	struct filler *filler = (struct filler *)sink;

	tdestroy(filler->known, free);
	prf_filter_free(sink);
}

static const struct prf_sink_ops filler_ops = {
	.exec = prf_filter_exec,
	.mapping = fill_mapping,
	.sample = prf_filter_sample,
	.life = prf_filter_life,
	.figure = prf_filter_figure,
	.finish = prf_filter_finish,
	.free = free_filler,
};

int
prf_buildid_sink_new(struct prf_sink *inner, const struct prf_buildid_way *way,
		     struct prf_sink **out, struct prf_error *err)
{
	struct filler *filler = calloc(1, sizeof *filler);

	if (!filler)
		return prf_error_set(err, -ENOMEM, "out of memory");
	filler->filter = (struct prf_filter){{&filler_ops}, inner};
	filler->way = *way;
	filler->vdso.n_bytes = prf_buildid_of_vdso(filler->vdso.bytes);
	*out = &filler->filter.base;
	return 0;
}
