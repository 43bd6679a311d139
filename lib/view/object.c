#include "view/object.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "core/scope.h"
#include "view/objectfile.h"

static const char *const kind_names[PRF_N_OBJECT_KINDS] = {
	[PRF_OBJECT_VDSO] = "[vdso]",
	[PRF_OBJECT_JIT] = "[jit]",
	[PRF_OBJECT_KERNEL] = "[kernel]",
	[PRF_OBJECT_UNKNOWN] = "[unknown]",
};

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

struct prf_object *
prf_object_new(enum prf_object_kind kind, const struct prf_mapping *map)
{
	struct prf_object *object = calloc(1, sizeof *object);

	if (!object)
		return NULL;
	object->kind = kind;
	object->fd = -1;
	object->path = strdup(kind == PRF_OBJECT_FILE ? map->path : "");
	if (!object->path) {
		free(object);
		return NULL;
	}
	object->name =
		kind_names[kind] ? kind_names[kind] : last_part(object->path);
	if (kind == PRF_OBJECT_FILE) {
		object->dev = map->dev;
		object->inode = map->inode;
		object->fd = prf_objectfile_open(map);
	}
	return object;
}

void
prf_object_free(struct prf_object *object)
{
	if (!object)
		return;
	for (size_t i = 0; i < object->n_made_names; i++)
		free(object->made_names[i]);
	free(object->made_names);
	free(object->functions);
	free(object->pieces);
	free(object->points);
	free(object->text_counts);
	prf_tally_clear(&object->tally);
	prf_hist_free(object->hist);
	prf_image_close(object->image);
	if (object->fd >= 0)
		close(object->fd);
	free(object->path);
	free(object);
}

/* --- Reading the names */

/* Regions for the histogram: the image's texts, one for one. */
static int
make_hist(struct prf_object *object, struct prf_error *err)
{
	size_t n;
	const struct prf_text *texts = prf_image_texts(object->image, &n);

	if (!n)
		return prf_error_set(err, -ENOEXEC,
				     "%s: has no executable text",
				     object->path);
	PRF_AUTO(prf_auto_free)
	struct prf_span *spans = calloc(n, sizeof *spans);
	object->text_counts = calloc(n, sizeof *object->text_counts);
	if (!spans || !object->text_counts)
		return prf_error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++)
		spans[i] = (struct prf_span){texts[i].lo, texts[i].hi};
	return prf_hist_new(spans, n, &object->hist, err);
}

/* Where SIZE bytes from OFF on end, if that is above END. */
static uint64_t
reach(uint64_t end, uint64_t off, uint64_t size)
{
	return off + size > end ? off + size : end;
}

/* How much memory the vDSO of this process takes, as its own headers tell.
 * They come from the kernel, and are believed. */
static uint64_t
vdso_size(const ElfW(Ehdr) * ehdr)
{
	const ElfW(Phdr) *phdrs =
		(const void *)((const char *)ehdr + ehdr->e_phoff);
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t end = (uint64_t)ehdr->e_shnum * ehdr->e_shentsize;

	end = ehdr->e_shoff ? reach(0, ehdr->e_shoff, end) : 0;
	for (size_t i = 0; i < ehdr->e_phnum; i++)
		if (phdrs[i].p_type == PT_LOAD)
			end = reach(end, phdrs[i].p_offset, phdrs[i].p_filesz);
	return (end + page - 1) & ~(page - 1);
}

/* The kernel maps one vDSO into all processes of a class, this one too. */
static int
open_vdso(const struct prf_mapping *map, struct prf_image **image,
	  struct prf_error *err)
{
	const void *own = (const void *)getauxval(AT_SYSINFO_EHDR);

	if (!own || vdso_size(own) != map->size)
		return prf_error_set(err, -ENOENT,
				     "[vdso]: not the one that is here, too; "
				     "its time has no names");
	return prf_image_open_memory(own, map->size, "[vdso]", image, err);
}

static int
open_image(struct prf_object *object, const struct prf_mapping *map,
	   struct prf_error *err)
{
	if (object->kind == PRF_OBJECT_VDSO)
		return open_vdso(map, &object->image, err);
	if (object->fd < 0)
		return prf_error_set(err, -ENOENT,
				     "%s: cannot be opened any more, or is "
				     "another file by now; its time has no "
				     "names",
				     object->path);
	return prf_image_open_fd(object->fd, object->path, &object->image, err);
}

void
prf_object_read(struct prf_object *object, const struct prf_mapping *map,
		struct prf_error *warning)
{
	warning->code = 0;
	if (object->is_read || (object->kind != PRF_OBJECT_FILE &&
				object->kind != PRF_OBJECT_VDSO))
		return;
	object->is_read = true;
	int rc = open_image(object, map, warning);
	if (!rc)
		rc = make_hist(object, warning);
	if (rc) {
		prf_image_close(object->image);
		object->image = NULL;
	} else if (prf_image_warning(object->image)) {
		prf_error_set(warning, -EINVAL, "%s",
			      prf_image_warning(object->image));
	}
	if (object->fd >= 0)
		close(object->fd);
	object->fd = -1;
}

/* Without names an address is known by its offset in what was mapped. */
static int
map_offsets(struct prf_object *object, const struct prf_mapping *map,
	    uint64_t *bias)
{
	uint64_t lo = map->file_off & ~1ULL, hi = map->file_off + map->size;

	if (hi < lo || hi > UINT64_MAX - 1)
		return -ENOENT;
	hi += hi & 1;
	if (object->lo == object->hi)
		object->lo = object->hi = lo;
	if (lo < object->lo)
		object->lo = lo;
	if (hi > object->hi)
		object->hi = hi;
	*bias = map->addr - map->file_off;
	return 0;
}

int
prf_object_map(struct prf_object *object, const struct prf_mapping *map,
	       uint64_t *bias)
{
	if (object->image)
		return prf_image_bias(object->image, map->addr, map->size,
				      map->file_off, bias);
	if (object->kind != PRF_OBJECT_JIT)
		return map_offsets(object, map, bias);
	*bias = 0;
	return 0;
}

/* --- Counting */

static int
add_to_hist(struct prf_object *object, uint64_t vaddr, uint32_t ticks,
	    uint32_t certain)
{
	size_t text = prf_hist_add(object->hist, vaddr, ticks);

	if (text == PRF_HIST_OUTSIDE)
		return -ERANGE;
	prf_count_add(&object->text_counts[text], ticks, certain);
	return 0;
}

int
prf_object_add(struct prf_object *object, uint64_t vaddr, uint32_t ticks,
	       uint32_t certain)
{
	int rc = object->hist
			 ? add_to_hist(object, vaddr, ticks, certain)
			 : prf_tally_add(&object->tally, vaddr, ticks, certain);

	if (!rc)
		prf_count_add(&object->total, ticks, certain);
	return rc;
}
