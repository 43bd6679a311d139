#include "image/layout.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

/* The last even address: ranges end at it at the latest. */
#define LAST_EVEN (UINT64_MAX - 1)

static uint64_t
min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The end of SIZE bytes from LO on, rounded up to even, never wrapping. */
static uint64_t
even_end(uint64_t lo, uint64_t size)
{
	uint64_t hi = lo + min_u64(size, LAST_EVEN - min_u64(lo, LAST_EVEN));

	return hi + (hi & 1);
}

/* Whether program header I is an executable segment with bytes in the file. */
static bool
read_segment(struct prf_object *object, size_t i, struct prf_segment *segment)
{
	GElf_Phdr phdr;

	if (!gelf_getphdr(object->elf, (int)i, &phdr)) {
		prf_object_warn(object, "program header %zu: %s", i,
				elf_errmsg(-1));
		return false;
	}
	if (phdr.p_type != PT_LOAD || !(phdr.p_flags & PF_X) ||
	    phdr.p_filesz == 0)
		return false;
	if (phdr.p_offset >= object->size || phdr.p_vaddr >= LAST_EVEN) {
		prf_object_warn(object,
				"segment %zu at offset %" PRIu64
				" lies outside of the file of %" PRIu64
				" bytes",
				i, phdr.p_offset, object->size);
		return false;
	}
	*segment = (struct prf_segment){
		.off = phdr.p_offset,
		.size = min_u64(phdr.p_filesz, object->size - phdr.p_offset),
		.vaddr = phdr.p_vaddr,
	};
	if (segment->size < phdr.p_filesz)
		prf_object_warn(object,
				"segment %zu reaches past the end of the file",
				i);
	segment->size = min_u64(segment->size, LAST_EVEN - segment->vaddr);
	return true;
}

int
prf_layout_read_segments(struct prf_layout *layout, struct prf_object *object,
			 struct prf_error *err)
{
	*layout = (struct prf_layout){0};
	if (object->n_segments == 0)
		return 0;
	layout->segments = calloc(object->n_segments, sizeof *layout->segments);
	if (!layout->segments)
		return prf_error_set(err, -ENOMEM, "%s: %m", object->path);
	for (size_t i = 0; i < object->n_segments; i++)
		if (read_segment(object, i,
				 &layout->segments[layout->n_segments]))
			layout->n_segments++;
	return 0;
}

static int
by_lo(const void *a, const void *b)
{
	const struct prf_range *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return (x->hi > y->hi) - (x->hi < y->hi);
}

/* Sorts N ranges and makes them disjoint: where two share bytes the later one
 * takes them, unless it lies within the other.  Returns how many are left. */
static size_t
make_disjoint(struct prf_range *ranges, size_t n)
{
	size_t kept = 0;

	if (n > 0)
		qsort(ranges, n, sizeof *ranges, by_lo);
	for (size_t i = 0; i < n; i++) {
		struct prf_range range = ranges[i];
		struct prf_range *before = &ranges[kept - (kept > 0)];

		if (range.lo >= range.hi)
			continue;
		if (kept > 0 && range.lo < before->hi) {
			if (range.hi <= before->hi)
				continue;
			before->hi = range.lo;
			if (before->lo == before->hi)
				kept--;
		}
		ranges[kept++] = range;
	}
	return kept;
}

/* The executable segments as ranges without sections. */
static size_t
segment_ranges(const struct prf_layout *layout, struct prf_range *ranges)
{
	for (size_t i = 0; i < layout->n_segments; i++) {
		const struct prf_segment *segment = &layout->segments[i];

		ranges[i] = (struct prf_range){
			.lo = segment->vaddr & ~(uint64_t)1,
			.hi = even_end(segment->vaddr, segment->size),
			.name = "[text]",
			.code = true,
		};
	}
	return make_disjoint(ranges, layout->n_segments);
}

/* The name of a section as that of its range.  Many headers can share a name, of
 * which there is a copy each: a long one is cut. */
static const char *
range_name(const struct prf_object *object, const GElf_Shdr *header,
	   struct prf_names *names)
{
	char name[256];

	snprintf(name, sizeof name, "%s",
		 prf_object_section_name(object, header));
	return prf_names_join(names, "[", name, "]");
}

/* The allocated sections with bytes in the file, as ranges. */
static int
section_ranges(struct prf_object *object, struct prf_names *names,
	       struct prf_range **out, size_t *n, struct prf_error *err)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t n_sections = 0;

	while ((section = prf_object_next_section(object, section, &header)))
		n_sections++;
	PRF_AUTO(prf_auto_free)
	struct prf_range *ranges = calloc(n_sections + 1, sizeof *ranges);
	if (!ranges)
		return prf_error_set(err, -ENOMEM, "%s: %m", object->path);

	*n = 0;
	while ((section = prf_object_next_section(object, section, &header))) {
		if (!(header.sh_flags & SHF_ALLOC) || header.sh_size == 0 ||
		    header.sh_type == SHT_NOBITS)
			continue;
		const char *name = range_name(object, &header, names);
		if (!name)
			return prf_error_set(err, -ENOMEM, "%s: %m",
					     object->path);
		ranges[(*n)++] = (struct prf_range){
			.lo = header.sh_addr & ~(uint64_t)1,
			.hi = even_end(header.sh_addr, header.sh_size),
			.name = name,
			.code = header.sh_flags & SHF_EXECINSTR,
		};
	}
	*n = make_disjoint(ranges, *n);
	*out = PRF_TAKE(ranges);
	return 0;
}

/* Adds the part of RANGE that lies in [lo, hi). */
static void
add_part(struct prf_layout *layout, struct prf_range range, uint64_t lo,
	 uint64_t hi)
{
	if (range.lo < lo)
		range.lo = lo;
	if (range.hi > hi)
		range.hi = hi;
	if (range.lo < range.hi)
		layout->ranges[layout->n_ranges++] = range;
}

/* Cuts SPANS, which are segments, at SECTIONS; both are in order. */
static void
cut_at_sections(struct prf_layout *layout, const struct prf_range *spans,
		size_t n_spans, const struct prf_range *sections,
		size_t n_sections)
{
	size_t s = 0;

	for (size_t i = 0; i < n_spans; i++) {
		uint64_t at = spans[i].lo;

		while (s < n_sections && sections[s].hi <= at)
			s++;
		/* A section can reach into the next segment: S stays on it. */
		for (; s < n_sections && sections[s].lo < spans[i].hi; s++) {
			add_part(layout, spans[i], at, sections[s].lo);
			add_part(layout, sections[s], at, spans[i].hi);
			at = sections[s].hi;
			if (at > spans[i].hi)
				break;
		}
		add_part(layout, spans[i], at, spans[i].hi);
	}
}

int
prf_layout_read(struct prf_layout *layout, struct prf_object *object,
		struct prf_names *names, struct prf_error *err)
{
	int rc = prf_layout_read_segments(layout, object, err);

	if (rc != 0 || layout->n_segments == 0)
		return rc;

	PRF_AUTO(prf_auto_free) struct prf_range *sections = NULL;
	size_t n_sections = 0;
	rc = section_ranges(object, names, &sections, &n_sections, err);
	if (rc != 0)
		return rc;
	PRF_AUTO(prf_auto_free)
	struct prf_range *spans = calloc(layout->n_segments, sizeof *spans);
	/* A section has a range of its own and one before it in each span that
	 * it touches; a span has one at its end. */
	layout->ranges = calloc(3 * layout->n_segments + 2 * n_sections,
				sizeof *layout->ranges);
	if (!spans || !layout->ranges)
		return prf_error_set(err, -ENOMEM, "%s: %m", object->path);
	size_t n_spans = segment_ranges(layout, spans);
	cut_at_sections(layout, spans, n_spans, sections, n_sections);
	return 0;
}

void
prf_layout_free(struct prf_layout *layout)
{
	free(layout->segments);
	free(layout->ranges);
	*layout = (struct prf_layout){0};
}

const struct prf_range *
prf_layout_code_at(const struct prf_layout *layout, uint64_t vaddr)
{
	size_t lo = 0, hi = layout->n_ranges;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct prf_range *range = &layout->ranges[mid];

		if (vaddr < range->lo)
			hi = mid;
		else if (vaddr >= range->hi)
			lo = mid + 1;
		else
			return range->code ? range : NULL;
	}
	return NULL;
}

/* Is it of the whole pages that SEGMENT lies in, on a machine with pages of any
 * size that Linux has?  (A trace may be of another machine than this one.) */
static bool
has_pages_of(const struct prf_segment *segment, uint64_t off, uint64_t end)
{
	enum { LEAST = 4 << 10, MOST = 64 << 10 };
	uint64_t segment_end = segment->off + segment->size;

	for (uint64_t page = LEAST; page <= MOST; page *= 2)
		if (off == (segment->off & ~(page - 1)) &&
		    end == ((segment_end + page - 1) & ~(page - 1)))
			return true;
	return false;
}

/* How well a mapping of [off, off + size) of the file fits SEGMENT: the bytes
 * they share; more than any file has, if its pages are the segment's. */
static uint64_t
fit(const struct prf_segment *segment, uint64_t off, uint64_t size)
{
	uint64_t end = size > UINT64_MAX - off ? UINT64_MAX : off + size;
	uint64_t segment_end = segment->off + segment->size;
	uint64_t lo = off > segment->off ? off : segment->off;
	uint64_t hi = min_u64(end, segment_end);

	if (lo >= hi)
		return 0;
	return has_pages_of(segment, off, end) ? UINT64_MAX : hi - lo;
}

int
prf_layout_bias(const struct prf_layout *layout, uint64_t addr, uint64_t size,
		uint64_t file_off, uint64_t *bias)
{
	const struct prf_segment *best = NULL;
	uint64_t best_fit = 0;

	/* Neighbours share a page of the file where one ends and the next
	 * begins within it, so that covering is a matter of degree. */
	for (size_t i = 0; i < layout->n_segments; i++) {
		uint64_t fits = fit(&layout->segments[i], file_off, size);

		if (fits > best_fit) {
			best = &layout->segments[i];
			best_fit = fits;
		}
	}
	if (!best)
		return -ENOENT;
	/* vaddr = best->vaddr + (file_off - best->off), modulo 2^64. */
	*bias = addr - (best->vaddr + file_off - best->off);
	return 0;
}
