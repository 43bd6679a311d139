#include "image/fdes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "image/frames.h"
#include "image/frames_header.h"

/* The last even address: no FDE ends behind it. */
#define LAST_EVEN (UINT64_MAX - 1)

/* Adds SIZE bytes from VADDR on, rounded outward to even; 0 bytes are none.
 * What is added is neither sorted nor disjoint. */
static int
add(void *arg, uint64_t at, uint64_t vaddr, uint64_t size)
{
	struct prf_fdes *fdes = arg;
	(void)at;
	uint64_t room = LAST_EVEN - (vaddr < LAST_EVEN ? vaddr : LAST_EVEN);
	uint64_t hi = vaddr + (size < room ? size : room);

	if (size == 0 || room == 0)
		return 0;
	if (fdes->n == fdes->capacity) {
		size_t capacity = fdes->capacity * 2 + 64;
		struct prf_fde *all =
			reallocarray(fdes->all, capacity, sizeof *all);
		if (!all)
			return -ENOMEM;
		fdes->all = all;
		fdes->capacity = capacity;
	}
	fdes->all[fdes->n++] = (struct prf_fde){
		.lo = vaddr & ~(uint64_t)1,
		.hi = hi + (hi & 1),
	};
	return 0;
}

/* Reads all sections called .eh_frame; some linkers leave two. */
static int
read_sections(struct prf_fdes *fdes, struct prf_object *object, bool *found)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t n_fdes;
	int rc = 0;

	*found = false;
	while (rc == 0 &&
	       (section = prf_object_next_section(object, section, &header))) {
		if (strcmp(prf_object_section_name(object, &header),
			   ".eh_frame") != 0 ||
		    header.sh_type == SHT_NOBITS)
			continue;
		*found = true;
		struct prf_frames frames = {
			.data = prf_object_section_data(object, section,
							&header),
			.vaddr = header.sh_addr,
			.has_end = true,
		};
		if (frames.data)
			rc = prf_frames_read(&frames, object, add, fdes,
					     &n_fdes);
	}
	return rc;
}

/* Reads what the program headers lead to.  They tell where .eh_frame begins
 * and not where it ends. */
static int
read_segment(struct prf_fdes *fdes, struct prf_object *object)
{
	struct prf_frames_header header;
	uint64_t off, room;
	size_t n_fdes;

	if (!prf_frames_header_read(&header, object, NULL))
		return 0;
	struct prf_frames frames = {.vaddr = header.frames_vaddr};
	if (!prf_object_offset_of(object, frames.vaddr, &off, &room)) {
		prf_object_warn(object,
				".eh_frame_hdr points outside of the file");
		return 0;
	}
	frames.data = prf_object_data_at(object, off, room, ELF_T_BYTE);
	if (!frames.data)
		return 0;
	int rc = prf_frames_read(&frames, object, add, fdes, &n_fdes);
	if (rc == 0 && n_fdes < header.n_fdes)
		prf_object_warn(object,
				"%zu entries of .eh_frame can be read, not "
				"%" PRIu64,
				n_fdes, header.n_fdes);
	return rc;
}

static int
by_lo(const void *a, const void *b)
{
	const struct prf_fde *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return (x->hi > y->hi) - (x->hi < y->hi);
}

/* Sorts, and ends each FDE where the next one begins; of those that begin
 * together the longest stays. */
static void
make_disjoint(struct prf_fdes *fdes)
{
	struct prf_fde *all = fdes->all;
	size_t kept = 0;

	if (fdes->n > 0)
		qsort(all, fdes->n, sizeof *all, by_lo);
	for (size_t i = 0; i < fdes->n; i++) {
		if (kept > 0 && all[kept - 1].lo == all[i].lo)
			kept--;
		if (kept > 0 && all[kept - 1].hi > all[i].lo)
			all[kept - 1].hi = all[i].lo;
		all[kept++] = all[i];
	}
	fdes->n = kept;
}

int
prf_fdes_read(struct prf_fdes *fdes, struct prf_object *object,
	      struct prf_error *err)
{
	bool found;

	*fdes = (struct prf_fdes){0};
	int rc = read_sections(fdes, object, &found);
	if (rc == 0 && !found)
		rc = read_segment(fdes, object);
	if (rc != 0) {
		prf_fdes_free(fdes);
		return prf_error_set(err, rc, "%s: %m", object->path);
	}
	make_disjoint(fdes);
	return 0;
}

void
prf_fdes_free(struct prf_fdes *fdes)
{
	free(fdes->all);
	*fdes = (struct prf_fdes){0};
}
