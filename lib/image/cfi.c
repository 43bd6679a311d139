#include "image/cfi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/cfi_program.h"
#include "image/cfi_rows.h"
#include "image/frames.h"
#include "image/frames_header.h"
#include "image/object.h"

/* No file of a compiler has as many rows that differ; one that has is out to
 * fill the memory, and its rows are forgotten. */
enum { ROWS_MAX = 4096 };

/* Cached answers: a power of 2 that grows with what is asked for. */
enum { CACHE_MIN = 64, CACHE_MAX = 16384 };

/* Which FDE claims a range of text. */
struct claim {
	uint64_t vaddr, size;
	uint64_t at; /* of the FDE in the data */
};

/* One .eh_frame or .debug_frame. */
struct source {
	struct source *next;
	struct prf_frames frames;
	struct prf_lazy lazy;
	/* All that it claims, ascending; read when it is first needed. */
	bool indexed;
	struct claim *claims;
	size_t n_claims, capacity;
};

/* An answer that was given before.  ROW NULL: there is no row. */
struct answer {
	uint64_t vaddr;
	const struct prf_cfi_row *row;
};

struct prf_cfi {
	char *path;
	struct prf_object object;
	bool has_object;
	struct prf_frames_header header;
	struct prf_lazy header_lazy;
	struct source *sources; /* in the order in which they are asked */
	struct prf_cfi_rows rows;
	struct answer *cache;
	size_t n_answers, n_given; /* slots; answers since it last grew */
	struct prf_cfi_stats stats;
};

PRF_DEFINE_AUTO(prf_cfi, prf_cfi_close);

static void
append_source(struct prf_cfi *cfi, struct source *source)
{
	struct source **end = &cfi->sources;

	while (*end)
		end = &(*end)->next;
	*end = source;
}

/* Adds FRAMES, which are the SIZE bytes of the file from OFF on; what cannot be
 * read is left out. */
static int
add_source(struct prf_cfi *cfi, const struct prf_frames *frames, uint64_t off,
	   uint64_t size)
{
	struct source *source = calloc(1, sizeof *source);

	if (!source)
		return -ENOMEM;
	source->frames = *frames;
	if (prf_frames_open(&source->frames, &cfi->object, off, size,
			    &source->lazy))
		append_source(cfi, source);
	else
		free(source);
	return 0;
}

/* The same of a section that is compressed, as those of Go are. */
static int
add_packed(struct prf_cfi *cfi, const struct prf_frames *frames,
	   Elf_Scn *section, const GElf_Shdr *header)
{
	struct source *source = calloc(1, sizeof *source);

	if (!source)
		return -ENOMEM;
	source->frames = *frames;
	source->frames.data =
		prf_object_section_unpacked(&cfi->object, section, header);
	if (source->frames.data)
		append_source(cfi, source);
	else
		free(source);
	return 0;
}

/* Adds the sections called NAME; some linkers leave two. */
static int
add_sections(struct prf_cfi *cfi, const char *name, bool is_debug)
{
	struct prf_object *object = &cfi->object;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int rc = 0;

	while (rc == 0 &&
	       (section = prf_object_next_section(object, section, &header))) {
		const struct prf_frames frames = {
			.vaddr = header.sh_addr,
			.has_end = true,
			.is_debug = is_debug,
		};

		if (strcmp(prf_object_section_name(object, &header), name) !=
			    0 ||
		    header.sh_type == SHT_NOBITS || header.sh_size == 0)
			continue;
		rc = header.sh_flags & SHF_COMPRESSED
			     ? add_packed(cfi, &frames, section, &header)
			     : add_source(cfi, &frames, header.sh_offset,
					  header.sh_size);
	}
	return rc;
}

/* Adds the .eh_frame that the header leads to. */
static int
add_segment(struct prf_cfi *cfi)
{
	const struct prf_frames frames = {.vaddr = cfi->header.frames_vaddr};
	uint64_t off, room;

	if (prf_object_offset_of(&cfi->object, frames.vaddr, &off, &room))
		return add_source(cfi, &frames, off, room);
	prf_object_warn(&cfi->object,
			".eh_frame_hdr points outside of the file");
	return 0;
}

/* Finds all that is ever read of the file. */
static int
read_object(struct prf_cfi *cfi)
{
	bool has_header = prf_frames_header_read(&cfi->header, &cfi->object,
						 &cfi->header_lazy);
	int rc = add_sections(cfi, ".eh_frame", false);

	if (rc == 0 && !cfi->sources && has_header)
		rc = add_segment(cfi);
	if (rc == 0)
		rc = add_sections(cfi, ".debug_frame", true);
	return rc;
}

static int
new_cfi(const char *path, struct prf_cfi **out, struct prf_error *err)
{
	struct prf_cfi *cfi = calloc(1, sizeof *cfi);

	if (cfi)
		cfi->path = strdup(path);
	*out = cfi;
	return cfi && cfi->path ? 0
				: prf_error_set(err, -ENOMEM, "%s: %m", path);
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
prf_cfi_open_fd(int fd, const char *path, struct prf_cfi **out,
		struct prf_error *err)
{
	PRF_AUTO(prf_cfi_auto) struct prf_cfi *cfi = NULL;
	int rc = new_cfi(path, &cfi, err);

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
		    struct prf_cfi **out, struct prf_error *err)
{
	PRF_AUTO(prf_cfi_auto) struct prf_cfi *cfi = NULL;
	int rc = new_cfi(name, &cfi, err);

	if (rc == 0)
		rc = prf_object_open_memory(&cfi->object, bytes, size,
					    cfi->path, err);
	if (rc == 0)
		rc = read_cfi(cfi, err);
	if (rc == 0)
		*out = PRF_TAKE(cfi);
	return rc;
}

/* Forgets all rows, and the answers that point to them. */
static void
forget_rows(struct prf_cfi *cfi)
{
	prf_cfi_rows_free(&cfi->rows);
	free(cfi->cache);
	cfi->cache = NULL;
	cfi->n_answers = cfi->n_given = 0;
}

void
prf_cfi_close(struct prf_cfi *cfi)
{
	if (!cfi)
		return;
	forget_rows(cfi);
	while (cfi->sources) {
		struct source *source = cfi->sources;

		cfi->sources = source->next;
		prf_lazy_close(&source->lazy);
		free(source->claims);
		free(source);
	}
	prf_lazy_close(&cfi->header_lazy);
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
make_index(struct prf_cfi *cfi, struct source *source)
{
	size_t n_fdes;

	source->indexed = true;
	if (prf_frames_read(&source->frames, &cfi->object, add_claim, source,
			    &n_fdes) != 0)
		prf_object_warn(&cfi->object,
				"no memory for all of the call frame "
				"information");
	if (source->n_claims > 0)
		qsort(source->claims, source->n_claims, sizeof(struct claim),
		      by_vaddr);
}

/* The FDE in SOURCE that may claim VADDR, by its index. */
static bool
find_in_index(struct prf_cfi *cfi, struct source *source, uint64_t vaddr,
	      uint64_t *at)
{
	if (!source->indexed)
		make_index(cfi, source);
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

/* Finds the FDE that claims VADDR. */
static const struct source *
find_entry(struct prf_cfi *cfi, uint64_t vaddr, struct prf_frames_entry *entry)
{
	for (struct source *source = cfi->sources; source;
	     source = source->next) {
		bool by_table =
			cfi->header.n_rows > 0 && !source->frames.is_debug;
		uint64_t at;

		if ((by_table ? find_in_table(cfi, source, vaddr, &at)
			      : find_in_index(cfi, source, vaddr, &at)) &&
		    prf_frames_entry_at(&cfi->object, &source->frames, at,
					entry) &&
		    vaddr >= entry->vaddr && vaddr - entry->vaddr < entry->size)
			return source;
	}
	return NULL;
}

/* Makes the row; 0 and NULL if there is none, -ENOMEM. */
static int
make_row(struct prf_cfi *cfi, uint64_t vaddr, const struct prf_cfi_row **row)
{
	struct prf_frames_entry entry;
	union prf_cfi_program_row made;

	*row = NULL;
	const struct source *source = find_entry(cfi, vaddr, &entry);
	if (!source)
		return 0;
	if (!prf_cfi_program_run(&cfi->object, &source->frames, &entry, vaddr,
				 &made)) {
		cfi->stats.n_damaged++;
		return 0;
	}
	if (cfi->rows.n >= ROWS_MAX)
		forget_rows(cfi);
	*row = prf_cfi_rows_add(&cfi->rows, &made.row);
	return *row ? 0 : -ENOMEM;
}

static struct answer *
cached(const struct prf_cfi *cfi, uint64_t vaddr)
{
	uint64_t hash = vaddr * UINT64_C(0x9e3779b97f4a7c15);

	return &cfi->cache[hash >> 32 & (cfi->n_answers - 1)];
}

/* Begins anew with a larger cache, when as many answers were given as the old
 * one has room for.  Without memory the old one has to do. */
static void
grow_cache(struct prf_cfi *cfi)
{
	size_t n = cfi->n_answers ? cfi->n_answers * 4 : CACHE_MIN;

	if (cfi->n_given < cfi->n_answers || n > CACHE_MAX)
		return;
	struct answer *old = cfi->cache, *cache = calloc(n, sizeof *cache);
	size_t n_old = cfi->n_answers;
	if (!cache)
		return;
	for (size_t i = 0; i < n; i++)
		cache[i].vaddr = UINT64_MAX; /* where no code is */
	cfi->cache = cache;
	cfi->n_answers = n;
	cfi->n_given = 0;
	for (size_t i = 0; i < n_old; i++)
		*cached(cfi, old[i].vaddr) = old[i];
	free(old);
}

const struct prf_cfi_row *
prf_cfi_row(struct prf_cfi *cfi, uint64_t vaddr)
{
	const struct prf_cfi_row *row;

	cfi->stats.n_lookups++;
	if (cfi->cache && cached(cfi, vaddr)->vaddr == vaddr) {
		cfi->stats.n_cached++;
		return cached(cfi, vaddr)->row;
	}
	if (make_row(cfi, vaddr, &row) != 0)
		return NULL;
	grow_cache(cfi);
	if (cfi->cache) {
		*cached(cfi, vaddr) = (struct answer){vaddr, row};
		cfi->n_given++;
	}
	return row;
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

const char *
prf_cfi_warning(const struct prf_cfi *cfi)
{
	return cfi->object.warning.code != 0 ? cfi->object.warning.text : NULL;
}

struct prf_cfi_stats
prf_cfi_stats(const struct prf_cfi *cfi)
{
	struct prf_cfi_stats stats = cfi->stats;

	stats.n_rows = cfi->rows.n;
	return stats;
}
