#include "view/mergedfiles.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon_writer.h"
#include "core/scope.h"

PRF_DEFINE_AUTO(prf_gmon_writer, prf_gmon_writer_free);

/* What is written, and how it is to be called there. */
struct output {
	const struct prf_merge *merge;
	struct prf_gmon_writer *writer;
	bool any; /* a histogram has been written */
};

static int
write_hist(struct output *output, const struct prf_gmon_hist *hist,
	   struct prf_error *err)
{
	const struct prf_merge *merge = output->merge;

	output->any = true;
	return prf_gmon_writer_hist(output->writer, hist, merge->dimension,
				    merge->abbreviation, err);
}

static int
write_block(struct output *output, const struct prf_block *block,
	    uint64_t shift, struct prf_error *err)
{
	const struct prf_gmon_hist hist = {
		.lo_vaddr = block->vaddr + shift,
		.hi_vaddr = block->vaddr + shift + PRF_GMON_BLOCK_BYTES,
		.counts = block->counts,
		.n_bins = PRF_BLOCK_BINS,
	};

	if (hist.hi_vaddr < hist.lo_vaddr)
		return prf_error_set(err, -EOVERFLOW,
				     "ticks at the end of the address space, "
				     "which gmon.out cannot express");
	return write_hist(output, &hist, err);
}

static int
write_blocks(struct output *output, const struct prf_blocks *blocks,
	     uint64_t shift, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free)
	const struct prf_block **sorted = prf_blocks_sorted(blocks);
	int rc = 0;

	if (!sorted)
		return prf_error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; !rc && i < blocks->n; i++)
		rc = write_block(output, sorted[i], shift, err);
	return rc;
}

/* A function's own place; what a counter cannot hold goes on in the next, as
 * the manual of gmon.syms has it. */
static int
count_placed(struct prf_blocks *blocks, const struct prf_merged_placed *placed)
{
	enum { N_COUNTERS = 8 };
	uint64_t left = placed->function->ticks;

	for (unsigned i = 0; left; i++) {
		uint64_t addr = placed->addr + 2 * i;
		struct prf_block *block = prf_blocks_at(blocks, addr);
		bool last = i + 1 == N_COUNTERS || left <= PRF_GMON_MAX_TICKS;

		if (!block)
			return -ENOMEM;
		uint64_t here = last ? left : PRF_GMON_MAX_TICKS;
		block->counts[(addr - block->vaddr) / 2] += here;
		left -= here;
	}
	return 0;
}

static int
write_by_name(struct output *output, const struct prf_merged_place *place,
	      struct prf_error *err)
{
	PRF_AUTO(prf_blocks_clear) struct prf_blocks blocks = {0};

	for (size_t i = 0; i < place->n_placed; i++)
		if (count_placed(&blocks, &place->placed[i]))
			return prf_error_set(err, -ENOMEM, "out of memory");
	return write_blocks(output, &blocks, 0, err);
}

/* --- Arcs */

static uint64_t
shift_of(const struct prf_merged_layout *layout,
	 const struct prf_merged_object *object)
{
	for (size_t i = 0; i < layout->n; i++)
		if (layout->places[i].object == object)
			return layout->places[i].shift;
	return 0;
}

static int
by_addresses(const void *a, const void *b)
{
	const struct prf_gmon_arc *left = a, *right = b;

	if (left->from_vaddr != right->from_vaddr)
		return left->from_vaddr < right->from_vaddr ? -1 : 1;
	return (left->to_vaddr > right->to_vaddr) -
	       (left->to_vaddr < right->to_vaddr);
}

static int
write_arcs(const struct output *output, const struct prf_merged_layout *layout,
	   struct prf_error *err)
{
	size_t n = output->merge->n_arcs;
	PRF_AUTO(prf_auto_free)
	struct prf_gmon_arc *arcs = calloc(n + 1, sizeof *arcs);
	int rc = 0;

	if (!arcs)
		return prf_error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++) {
		const struct prf_merged_arc *arc = &output->merge->arcs[i];

		arcs[i] = (struct prf_gmon_arc){
			.from_vaddr =
				arc->from + shift_of(layout, arc->from_object),
			.to_vaddr = arc->to + shift_of(layout, arc->to_object),
			.count = arc->count,
		};
	}
	qsort(arcs, n, sizeof *arcs, by_addresses);
	for (size_t i = 0; !rc && i < n; i++)
		rc = prf_gmon_writer_arc(output->writer, arcs[i].from_vaddr,
					 arcs[i].to_vaddr, arcs[i].count, err);
	return rc;
}

/* --- gmon.out */

/* gprof refuses a file without a histogram: one says that there is nothing. */
static int
write_nothing(struct output *output, const struct prf_merged_layout *layout,
	      struct prf_error *err)
{
	uint64_t lo = layout->n ? layout->places[0].lo : 0;
	const struct prf_block none = {
		.vaddr = lo - lo % PRF_GMON_BLOCK_BYTES,
	};

	return write_block(output, &none, 0, err);
}

static int
write_hists(struct output *output, const struct prf_merged_layout *layout,
	    struct prf_error *err)
{
	const struct prf_merge *merge = output->merge;
	int rc = 0;

	for (size_t i = 0; !rc && i < merge->n_hists; i++)
		rc = write_hist(output, &merge->hists[i], err);
	if (!rc && !merge->has_lists && merge->n_objects)
		rc = write_blocks(output, &merge->objects[0]->blocks, 0, err);
	for (size_t i = 0; !rc && i < layout->n; i++) {
		const struct prf_merged_place *place = &layout->places[i];

		rc = place->object->by_name
			     ? write_by_name(output, place, err)
			     : write_blocks(output, &place->object->blocks,
					    place->shift, err);
	}
	/* A file of arcs alone says nothing of a rate, and stays one. */
	if (!rc && !output->any && merge->rate_hz)
		rc = write_nothing(output, layout, err);
	return rc;
}

int
prf_mergedfiles_write_ticks(const struct prf_merge *merge,
			    const struct prf_merged_layout *layout, FILE *out,
			    struct prf_error *err)
{
	const struct prf_gmon_target target = {
		.addr_bytes =
			merge->has_reading ? merge->reading.addr_bytes : 8,
		.big_endian = merge->reading.big_endian,
		.rate_hz = merge->rate_hz ? merge->rate_hz : 1,
	};
	PRF_AUTO(prf_gmon_writer_auto) struct prf_gmon_writer *writer = NULL;
	int rc = prf_gmon_writer_new(out, &target, &writer, err);
	struct output output = {.merge = merge, .writer = writer};

	if (!rc)
		rc = write_hists(&output, layout, err);
	if (!rc)
		rc = write_arcs(&output, layout, err);
	return rc ? rc : prf_gmon_writer_finish(writer, err);
}

/* --- gmon.syms */

static void
write_symbol(uint64_t addr, const char *name, FILE *out)
{
	fprintf(out, "%016" PRIx64 " T %s\n", addr, name);
}

static void
write_symbols(const struct prf_merged_place *place, FILE *out)
{
	const struct prf_merged_object *object = place->object;

	for (size_t i = 0; i < place->n_placed; i++)
		write_symbol(place->placed[i].addr,
			     place->placed[i].function->name, out);
	for (size_t i = 0; i < object->n_symbols; i++)
		write_symbol(object->symbols[i].vaddr + place->shift,
			     object->symbols[i].function->name, out);
}

int
prf_mergedfiles_write_syms(const struct prf_merged_layout *layout, FILE *out,
			   struct prf_error *err)
{
	errno = 0;
	fputs("# gmon.syms 1\n", out);
	for (size_t i = 0; i < layout->n; i++) {
		const struct prf_merged_place *place = &layout->places[i];

		if (place->lo == place->hi)
			continue;
		fprintf(out,
			"# object %" PRIx64 " %" PRIx64 " %" PRIx64 " %s %s\n",
			place->lo, place->hi, place->shift,
			place->object->build_id, place->object->path);
	}
	for (size_t i = 0; i < layout->n; i++)
		write_symbols(&layout->places[i], out);
	write_symbol(layout->end, "[end]", out);
	if (fflush(out) || ferror(out))
		return prf_error_set(err, errno ? -errno : -EIO,
				     "the symbols cannot be written: %s",
				     strerror(errno ? errno : EIO));
	return 0;
}
