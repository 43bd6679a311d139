#include "image/cfi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/cfi_program.h"
#include "image/debugfile.h"
#include "image/frames.h"
#include "image/frames_header.h"
#include "image/object.h"

/* Which FDE claims a range of text. */
struct claim {
	uint64_t vaddr, size;
	uint64_t at; /* of the FDE in the data */
};

/* One .eh_frame or .debug_frame. */
struct source {
	struct source *next;
	struct prf_object *object; /* the file that it is in */
	struct prf_frames frames;
	struct prf_lazy lazy;
	/* All that it claims, ascending; read when it is first needed. */
	bool indexed;
	struct claim *claims;
	size_t n_claims, capacity;
};

struct prf_cfi {
	char *path;
	struct prf_object object;
	bool has_object;
	struct prf_frames_header header;
	struct prf_lazy header_lazy;
	struct source *sources; /* in the order in which they are asked */
	size_t n_sources;
	struct prf_cfi_cache *cache; /* or NULL */
	uint32_t cache_file;         /* its number there */
	bool debugfile_is_read, has_debugfile;
	struct prf_debugfile debugfile;
	struct prf_debug_way way; /* to that */
	struct prf_names names;   /* of debug files */
	struct prf_cfi_stats stats;
	union prf_cfi_program_row made; /* the latest row; it stays last */
};

PRF_DEFINE_AUTO(prf_cfi, prf_cfi_close);

/* Each is asked for each address; some linkers leave two of a kind. */
enum { SOURCES_MAX = 32 };

static void
append_source(struct prf_cfi *cfi, struct source *source)
{
	struct source **end = &cfi->sources;

	while (*end)
		end = &(*end)->next;
	*end = source;
	cfi->n_sources++;
}

/* Adds what a section of OBJECT says, of which FRAMES has all but the data: the
 * SIZE bytes of the file from OFF on, or, if SECTION is not NULL, what it is
 * unpacked to, as those of Go are.  What cannot be read is left out. */
static int
add_source(struct prf_cfi *cfi, struct prf_object *object,
	   const struct prf_frames *frames, uint64_t off, uint64_t size,
	   Elf_Scn *section, const GElf_Shdr *header)
{
	struct source *source = calloc(1, sizeof *source);

	if (!source)
		return -ENOMEM;
	source->object = object;
	source->frames = *frames;
	if (section)
		source->frames.data =
			prf_object_section_unpacked(object, section, header);
	else if (!prf_frames_open(&source->frames, object, off, size,
				  &source->lazy))
		source->frames.data = NULL;
	if (source->frames.data)
		append_source(cfi, source);
	else
		free(source);
	return 0;
}

/* Adds the sections of OBJECT called NAME; some linkers leave two. */
static int
add_sections(struct prf_cfi *cfi, struct prf_object *object, const char *name,
	     bool is_debug)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int rc = 0;

	while (rc == 0 && cfi->n_sources < SOURCES_MAX &&
	       (section = prf_object_next_section(object, section, &header))) {
		const struct prf_frames frames = {
			.vaddr = header.sh_addr,
			.has_end = true,
			.is_debug = is_debug,
		};
		bool is_packed = header.sh_flags & SHF_COMPRESSED;

		if (strcmp(prf_object_section_name(object, &header), name) ==
			    0 &&
		    header.sh_type != SHT_NOBITS && header.sh_size != 0 &&
		    (is_packed ||
		     prf_object_take_section(object, section, &header)))
			rc = add_source(cfi, object, &frames, header.sh_offset,
					header.sh_size,
					is_packed ? section : NULL, &header);
	}
	if (rc == 0 && cfi->n_sources == SOURCES_MAX)
		prf_object_warn(object,
				"too many sections of call frame "
				"information; the first %d are read",
				SOURCES_MAX);
	return rc;
}

/* Adds the .eh_frame that the header leads to. */
static int
add_segment(struct prf_cfi *cfi)
{
	const struct prf_frames frames = {.vaddr = cfi->header.frames_vaddr};
	struct prf_object *object = &cfi->object;
	uint64_t off, room;

	if (prf_object_offset_of(object, frames.vaddr, &off, &room))
		return add_source(cfi, object, &frames, off, room, NULL, NULL);
	prf_object_warn(object, ".eh_frame_hdr points outside of the file");
	return 0;
}

/* Finds all that is ever read of the file. */
static int
read_object(struct prf_cfi *cfi)
{
	struct prf_object *object = &cfi->object;
	bool has_header =
		prf_frames_header_read(&cfi->header, object, &cfi->header_lazy);
	int rc = add_sections(cfi, object, ".eh_frame", false);

	if (rc == 0 && !cfi->sources && has_header)
		rc = add_segment(cfi);
	if (rc == 0)
		rc = add_sections(cfi, object, ".debug_frame", true);
	return rc;
}

/* The same of its debug file, once, when the file itself does not have an answer:
 * what it was stripped of.  False: there is none. */
static bool
read_debugfile(struct prf_cfi *cfi)
{
	struct prf_debugfile *debugfile = &cfi->debugfile;

	if (cfi->debugfile_is_read || cfi->object.fd < 0)
		return false;
	cfi->debugfile_is_read = true;
	cfi->has_debugfile =
		prf_debugfile_open(debugfile, &cfi->object, PRF_DEBUG_ROOT,
				   &cfi->way, &cfi->names);
	return cfi->has_debugfile &&
	       add_sections(cfi, &debugfile->object, ".debug_frame", true) == 0;
}

static int
new_cfi(const char *path, struct prf_cfi_cache *cache, struct prf_cfi **out,
	struct prf_error *err)
{
	struct prf_cfi *cfi = calloc(1, sizeof *cfi);

	*out = cfi;
	if (cfi)
		cfi->path = strdup(path);
	if (!cfi || !cfi->path)
		return prf_error_set(err, -ENOMEM, "%s: %m", path);
	cfi->cache = cache;
	if (cache)
		cfi->cache_file = prf_cfi_cache_add_file(cache);
	return 0;
}

/* Reads what CFI's object has, now that it is open. */
static int
read_cfi(struct prf_cfi *cfi, struct prf_error *err)
{
	cfi->has_object = true;
	int rc = read_object(cfi);
	if (rc != 0)
		return prf_error_set(err, rc, "%s: call frame information: %s",
				     cfi->path, strerror(-rc));
	return 0;
}

int
prf_cfi_open_fd(int fd, const char *path, const struct prf_debug_way *way,
		struct prf_cfi_cache *cache, struct prf_cfi **out,
		struct prf_error *err)
{
	PRF_AUTO(prf_cfi_auto) struct prf_cfi *cfi = NULL;
	int rc = new_cfi(path, cache, &cfi, err);

	if (rc == 0 && way)
		cfi->way = *way;
	if (rc == 0)
		rc = prf_object_open_fd(&cfi->object, fd, cfi->path, err);
	if (rc == 0)
		rc = read_cfi(cfi, err);
	if (rc == 0)
		*out = PRF_TAKE(cfi);
	return rc;
}

int
prf_cfi_open_memory(const void *bytes, size_t size, const char *name,
		    struct prf_cfi_cache *cache, struct prf_cfi **out,
		    struct prf_error *err)
{
	PRF_AUTO(prf_cfi_auto) struct prf_cfi *cfi = NULL;
	int rc = new_cfi(name, cache, &cfi, err);

	if (rc == 0)
		rc = prf_object_open_memory(&cfi->object, bytes, size,
					    cfi->path, err);
	if (rc == 0)
		rc = read_cfi(cfi, err);
	if (rc == 0)
		*out = PRF_TAKE(cfi);
	return rc;
}

void
prf_cfi_close(struct prf_cfi *cfi)
{
	if (!cfi)
		return;
	while (cfi->sources) {
		struct source *source = cfi->sources;

		cfi->sources = source->next;
		prf_lazy_close(&source->lazy);
		free(source->claims);
		free(source);
	}
	prf_lazy_close(&cfi->header_lazy);
	if (cfi->has_debugfile)
		prf_debugfile_close(&cfi->debugfile);
	prf_names_free(&cfi->names);
	if (cfi->has_object)
		prf_object_close(&cfi->object);
	free(cfi->path);
	free(cfi);
}

static int
add_claim(void *arg, uint64_t at, uint64_t vaddr, uint64_t size)
{
	struct source *source = arg;

	if (source->n_claims == source->capacity) {
		size_t capacity = source->capacity * 2 + 64;
		struct claim *claims =
			reallocarray(source->claims, capacity, sizeof *claims);
		if (!claims)
			return -ENOMEM;
		source->claims = claims;
		source->capacity = capacity;
	}
	source->claims[source->n_claims++] =
		(struct claim){.vaddr = vaddr, .size = size, .at = at};
	return 0;
}

/* Of those that begin together the largest comes last, and is found. */
static int
by_vaddr(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;

	if (x->vaddr != y->vaddr)
		return x->vaddr < y->vaddr ? -1 : 1;
	return (x->size > y->size) - (x->size < y->size);
}

/* Once, whether it can be read or not. */
static void
make_index(struct source *source)
{
	size_t n_fdes;

	source->indexed = true;
	if (prf_frames_read(&source->frames, source->object, add_claim, source,
			    &n_fdes) != 0)
		prf_object_warn(source->object,
				"no memory for all of the call frame "
				"information");
	if (source->n_claims > 0)
		qsort(source->claims, source->n_claims, sizeof(struct claim),
		      by_vaddr);
}

/* The FDE in SOURCE that may claim VADDR, by its index. */
static bool
find_in_index(struct source *source, uint64_t vaddr, uint64_t *at)
{
	if (!source->indexed)
		make_index(source);
	size_t lo = 0, hi = source->n_claims;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (source->claims[mid].vaddr <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0)
		return false;
	*at = source->claims[lo - 1].at;
	return true;
}

/* The same, by the table of .eh_frame_hdr, which is of all .eh_frame. */
static bool
find_in_table(const struct prf_cfi *cfi, const struct source *source,
	      uint64_t vaddr, uint64_t *at)
{
	uint64_t fde;

	if (!prf_frames_header_find(&cfi->header, &cfi->object, vaddr, &fde) ||
	    fde < source->frames.vaddr)
		return false;
	*at = fde - source->frames.vaddr;
	return *at < source->frames.data->d_size;
}

/* Finds the FDE that claims VADDR, in SOURCE or one after it. */
static const struct source *
find_entry(struct prf_cfi *cfi, struct source *source, uint64_t vaddr,
	   struct prf_frames_entry *entry)
{
	for (; source; source = source->next) {
		bool by_table =
			cfi->header.n_rows > 0 && !source->frames.is_debug;
		uint64_t at;

		if ((by_table ? find_in_table(cfi, source, vaddr, &at)
			      : find_in_index(source, vaddr, &at)) &&
		    prf_frames_entry_at(source->object, &source->frames, at,
					entry) &&
		    vaddr >= entry->vaddr && vaddr - entry->vaddr < entry->size)
			return source;
	}
	return NULL;
}

/* Makes the row of VADDR; NULL: there is none. */
static const struct prf_cfi_row *
make_row(struct prf_cfi *cfi, uint64_t vaddr)
{
	struct prf_frames_entry entry;
	const struct source *source =
		find_entry(cfi, cfi->sources, vaddr, &entry);

	if (!source && read_debugfile(cfi))
		source = find_entry(cfi, cfi->sources, vaddr, &entry);
	if (!source)
		return NULL;
	if (!prf_cfi_program_run(source->object, &source->frames, &entry, vaddr,
				 &cfi->made, &cfi->stats.n_program_bytes)) {
		cfi->stats.n_damaged++;
		return NULL;
	}
	cfi->made.row.is_last = vaddr - entry.vaddr == entry.size - 1;
	return &cfi->made.row;
}

const struct prf_cfi_row *
prf_cfi_row(struct prf_cfi *cfi, uint64_t vaddr)
{
	struct prf_cfi_cache *cache = cfi->cache;
	const struct prf_cfi_answer *answer = NULL;

	cfi->stats.n_lookups++;
	if (cache)
		answer = prf_cfi_cache_find(cache, cfi->cache_file, vaddr);
	if (answer) {
		cfi->stats.n_cached++;
		return answer->row;
	}
	const struct prf_cfi_row *row = make_row(cfi, vaddr);
	return cache ? prf_cfi_cache_add(cache, cfi->cache_file, vaddr, row)
		     : row;
}

struct prf_object *
prf_cfi_object(struct prf_cfi *cfi)
{
	return &cfi->object;
}

uint16_t
prf_cfi_machine(const struct prf_cfi *cfi)
{
	return cfi->object.ehdr.e_machine;
}

struct prf_cfi_stats
prf_cfi_stats(const struct prf_cfi *cfi)
{
	return cfi->stats;
}
