#include "image/buildid.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/object.h"

uint8_t
prf_buildid_read(int fd, uint8_t bytes[PRF_BUILDID_MAX_BYTES])
{
	struct prf_object object;
	const void *id = NULL;

	if (prf_object_open_fd(&object, fd, "", NULL))
		return 0;
	ssize_t n_bytes = dwelf_elf_gnu_build_id(object.elf, &id);
	if (n_bytes < 0 || n_bytes > PRF_BUILDID_MAX_BYTES)
		n_bytes = 0;
	if (n_bytes > 0)
		memcpy(bytes, id, (size_t)n_bytes);
	prf_object_close(&object);
	return (uint8_t)n_bytes;
}

/* --- The sink */

/* A file whose build-id was looked for. */
struct known {
	uint64_t dev, inode;
	uint8_t n_bytes; /* 0: it has none, or could not be read */
	uint8_t bytes[PRF_BUILDID_MAX_BYTES];
};

struct filler {
	struct prf_sink base;
	struct prf_sink *inner;
	prf_buildid_open *open;
	void *arg;
	struct known *known;
	size_t n_known, room;
};

static const struct known *
find_known(const struct filler *filler, const struct prf_mapping *map)
{
	for (size_t i = 0; i < filler->n_known; i++)
		if (filler->known[i].dev == map->dev &&
		    filler->known[i].inode == map->inode)
			return &filler->known[i];
	return NULL;
}

/* NULL: out of memory. */
static const struct known *
get_to_know(struct filler *filler, const struct prf_mapping *map)
{
	if (filler->n_known == filler->room) {
		size_t room = filler->room ? 2 * filler->room : 32;
		struct known *grown =
			reallocarray(filler->known, room, sizeof *grown);

		if (!grown)
			return NULL;
		filler->known = grown;
		filler->room = room;
	}

	PRF_AUTO(prf_auto_close) int fd = filler->open(filler->arg, map);
	struct known *known = &filler->known[filler->n_known++];
	*known = (struct known){.dev = map->dev, .inode = map->inode};
	if (fd >= 0)
		known->n_bytes = prf_buildid_read(fd, known->bytes);
	return known;
}

/* An event without a build-id is better than none. */
static int
fill_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	struct filler *filler = (struct filler *)sink;
	struct prf_mapping filled = *map;

	if (map->kind == PRF_MAPPING_FILE && map->build_id_bytes == 0) {
		const struct known *known = find_known(filler, map);

		if (!known)
			known = get_to_know(filler, map);
		if (known) {
			filled.build_id = known->bytes;
			filled.build_id_bytes = known->n_bytes;
		}
	}
	return filler->inner->ops->mapping(filler->inner, &filled);
}

static int
pass_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct prf_sink *inner = ((struct filler *)sink)->inner;

	return inner->ops->exec(inner, exec);
}

static int
pass_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct prf_sink *inner = ((struct filler *)sink)->inner;

	return inner->ops->sample(inner, sample);
}

static int
pass_life(struct prf_sink *sink, const struct prf_life *life)
{
	return prf_sink_life(((struct filler *)sink)->inner, life);
}

static int
pass_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	return prf_sink_figure(((struct filler *)sink)->inner, figure);
}

static int
pass_finish(struct prf_sink *sink, struct prf_error *err)
{
	struct prf_sink *inner = ((struct filler *)sink)->inner;

	return inner->ops->finish(inner, err);
}

static void
free_filler(struct prf_sink *sink)
{
	struct filler *filler = (struct filler *)sink;

	filler->inner->ops->free(filler->inner);
	free(filler->known);
	free(filler);
}

static const struct prf_sink_ops filler_ops = {
	.exec = pass_exec,
	.mapping = fill_mapping,
	.sample = pass_sample,
	.life = pass_life,
	.figure = pass_figure,
	.finish = pass_finish,
	.free = free_filler,
};

int
prf_buildid_sink_new(struct prf_sink *inner, prf_buildid_open *open, void *arg,
		     struct prf_sink **out, struct prf_error *err)
{
	struct filler *filler = calloc(1, sizeof *filler);

	if (!filler)
		return prf_error_set(err, -ENOMEM, "out of memory");
	filler->base.ops = &filler_ops;
	filler->inner = inner;
	filler->open = open;
	filler->arg = arg;
	*out = &filler->base;
	return 0;
}
