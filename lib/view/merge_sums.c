#include "view/merge_sums.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

/* --- Ticks in blocks */

/* Counters of one block, or of a part of it. */
struct part {
	uint64_t addr; /* of the first; in the file */
	const uint64_t *counts;
	size_t n;
};

/* Where the walk through a list is: what is added ascends. */
struct walk {
	struct prf_merge *merge;
	const struct prf_merge_list *list;
	size_t object, next_symbol;
};

/* Four at a time: nearly all of a merge is this and add_counts(). */
static uint64_t
sum_of(const uint64_t *counts, size_t n)
{
	uint64_t a = 0, b = 0, c = 0, d = 0;
	size_t i = 0;

	for (; i + 4 <= n; i += 4) {
		a += counts[i];
		b += counts[i + 1];
		c += counts[i + 2];
		d += counts[i + 3];
	}
	for (; i < n; i++)
		a += counts[i];
	return a + b + c + d;
}

static bool
is_all_zero(const uint64_t *counts, size_t n)
{
	size_t i = 0;

	while (i < n && !counts[i])
		i++;
	return i == n;
}

/* A whole block is what there is mostly; the compiler can make more of a number
 * that it knows. */
static void
add_counts(uint64_t *restrict sums, const uint64_t *restrict counts, size_t n)
{
	if (n == PRF_BLOCK_BINS)
		for (size_t i = 0; i < PRF_BLOCK_BINS; i++)
			sums[i] += counts[i];
	else
		for (size_t i = 0; i < n; i++)
			sums[i] += counts[i];
}

/* All of a merge's ticks fit 64 bits, so that no counter wraps. */
static int
add_to_block(struct prf_merged_object *object, uint64_t vaddr,
	     const uint64_t *counts, size_t n, struct prf_error *err)
{
	struct prf_block *block = prf_blocks_at(&object->blocks, vaddr);

	if (!block)
		return no_memory(err);
	add_counts(block->counts + (vaddr - block->vaddr) / 2, counts, n);
	return 0;
}

static int
refuse_stray(const struct part *part, struct prf_error *err)
{
	size_t i = 0;

	while (i + 1 < part->n && !part->counts[i])
		i++;
	return prf_error_set(err, -EBADMSG,
			     "ticks at 0x%" PRIx64
			     ", where its list of symbols has nothing: they do "
			     "not belong together",
			     part->addr + 2 * i);
}

/* How many counters of PART are below ADDR, which may be odd: a counter of
 * which it takes a half is not. */
static size_t
bins_below(const struct part *part, uint64_t addr)
{
	if (addr <= part->addr)
		return 0;
	uint64_t n = (addr - part->addr) / 2;
	return n < part->n ? (size_t)n : part->n;
}

/* Gives TICKS to the symbol that the walk is in. */
static bool
give(struct walk *walk, uint64_t ticks)
{
	const struct prf_syms *syms = walk->list->syms;

	if (!ticks)
		return true;
	if (!walk->next_symbol ||
	    syms->symbols[walk->next_symbol - 1].object != walk->object)
		return false;
	walk->list->ticks[walk->next_symbol - 1] += ticks;
	return true;
}

/* Gives the symbols what is in PART, which is in the walk's object. */
static int
add_to_symbols(struct walk *walk, struct part part, struct prf_error *err)
{
	const struct prf_syms *syms = walk->list->syms;

	while (part.n) {
		size_t n = part.n;

		if (walk->next_symbol < syms->n_symbols)
			n = bins_below(&part,
				       syms->symbols[walk->next_symbol].addr);
		if (n == 0) {
			walk->next_symbol++;
			continue;
		}
		if (!give(walk, sum_of(part.counts, n)))
			return refuse_stray(&part, err);
		part.addr += 2 * n;
		part.counts += n;
		part.n -= n;
	}
	return 0;
}

/* What of PART is behind the end of the walk's object must be nothing. */
static int
check_end(const struct walk *walk, struct part part, struct prf_error *err)
{
	uint64_t hi = walk->list->syms->objects[walk->object].hi;
	size_t n = hi < UINT64_MAX ? bins_below(&part, hi + 1) : part.n;

	part.addr += 2 * n;
	part.counts += n;
	part.n -= n;
	return is_all_zero(part.counts, part.n) ? 0 : refuse_stray(&part, err);
}

static int
add_part(struct walk *walk, const struct part *part, struct prf_error *err)
{
	const struct prf_merge_list *list = walk->list;

	if (is_all_zero(part->counts, part->n))
		return 0;
	if (!list)
		return add_to_block(walk->merge->objects[0], part->addr,
				    part->counts, part->n, err);
	const struct prf_syms *syms = list->syms;
	while (walk->object < syms->n_objects &&
	       syms->objects[walk->object].hi <= part->addr)
		walk->object++;
	if (walk->object == syms->n_objects)
		return refuse_stray(part, err);
	int rc = check_end(walk, *part, err);
	if (!rc)
		rc = add_to_symbols(walk, *part, err);
	const struct prf_merged_object *object = list->objects[walk->object];
	if (rc || object->by_name)
		return rc;
	return add_to_block(list->objects[walk->object],
			    part->addr - syms->objects[walk->object].shift,
			    part->counts, part->n, err);
}

static int
add_blocks(struct walk *walk, const struct prf_gmon_hist *hist,
	   struct prf_error *err)
{
	int rc = 0;

	for (size_t i = 0, n; !rc && i < hist->n_bins; i += n) {
		uint64_t addr = hist->lo_vaddr + 2 * i;
		size_t in_block = (size_t)(addr % PRF_GMON_BLOCK_BYTES) / 2;
		const struct part part = {
			.addr = addr,
			.counts = hist->counts + i,
			.n = PRF_BLOCK_BINS - in_block < hist->n_bins - i
				     ? PRF_BLOCK_BINS - in_block
				     : hist->n_bins - i,
		};

		n = part.n;
		rc = add_part(walk, &part, err);
	}
	return rc;
}

/* --- Ticks in histograms of another scale */

static int
insert_hist(struct prf_merge *merge, size_t at,
	    const struct prf_gmon_hist *hist, struct prf_error *err)
{
	struct prf_gmon_hist *grown =
		reallocarray(merge->hists, merge->n_hists + 1, sizeof *grown);
	uint64_t *counts = malloc(hist->n_bins * sizeof *counts);

	if (grown)
		merge->hists = grown;
	if (!grown || !counts) {
		free(counts);
		return no_memory(err);
	}
	memmove(grown + at + 1, grown + at,
		(merge->n_hists - at) * sizeof *grown);
	memcpy(counts, hist->counts, hist->n_bins * sizeof *counts);
	grown[at] = *hist;
	grown[at].counts = counts;
	merge->n_hists++;
	return 0;
}

static int
add_hist(struct prf_merge *merge, const struct prf_gmon_hist *hist,
	 struct prf_error *err)
{
	size_t at = 0;

	while (at < merge->n_hists &&
	       merge->hists[at].hi_vaddr <= hist->lo_vaddr)
		at++;
	if (at == merge->n_hists || hist->hi_vaddr <= merge->hists[at].lo_vaddr)
		return insert_hist(merge, at, hist, err);
	const struct prf_gmon_hist *old = &merge->hists[at];
	if (old->lo_vaddr != hist->lo_vaddr ||
	    old->hi_vaddr != hist->hi_vaddr || old->n_bins != hist->n_bins)
		return prf_error_set(
			err, -EINVAL,
			"offset %" PRIu64 ": a histogram of 0x%" PRIx64
			" to 0x%" PRIx64 " overlaps one of 0x%" PRIx64
			" to 0x%" PRIx64 " before: it is of another program, "
			"or the text was divided otherwise",
			hist->off, hist->lo_vaddr, hist->hi_vaddr,
			old->lo_vaddr, old->hi_vaddr);
	uint64_t *sums = (uint64_t *)old->counts;
	for (uint32_t i = 0; i < hist->n_bins; i++)
		sums[i] += hist->counts[i];
	return 0;
}

/* --- Who had them */

static int
add_share(struct prf_merge *merge, struct prf_merged_function *function,
	  uint64_t ticks, struct prf_error *err)
{
	if (merge->n_shares == merge->shares_room) {
		size_t room = merge->shares_room ? merge->shares_room * 2 : 256;
		struct prf_merged_share *grown =
			reallocarray(merge->shares, room, sizeof *grown);

		if (!grown)
			return no_memory(err);
		merge->shares = grown;
		merge->shares_room = room;
	}
	merge->shares[merge->n_shares++] = (struct prf_merged_share){
		.function = function->id,
		.file = merge->n_files,
		.ticks = ticks,
	};
	function->ticks += ticks;
	return 0;
}

static int
add_shares(struct prf_merge *merge, const struct prf_merge_list *list,
	   struct prf_error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < list->syms->n_symbols; i++)
		if (list->ticks[i])
			rc = add_share(merge, list->functions[i],
				       list->ticks[i], err);
	memset(list->ticks, 0, list->syms->n_symbols * sizeof *list->ticks);
	return rc;
}

int
prf_merge_add_hists(struct prf_merge *merge, const struct prf_gmon *gmon,
		    const struct prf_merge_list *list, struct prf_error *err)
{
	struct walk walk = {.merge = merge, .list = list};
	int rc = 0;

	for (size_t i = 0; !rc && i < gmon->n_hists; i++)
		rc = merge->scale == 1 ? add_blocks(&walk, &gmon->hists[i], err)
				       : add_hist(merge, &gmon->hists[i], err);
	return rc || !list ? rc : add_shares(merge, list, err);
}
