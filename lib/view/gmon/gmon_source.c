#include "view/gmon/gmon_source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/gmon/gmon_list.h"
#include "view/gmon/run_lines.h"

/* How many lists are kept: as many as there are kinds of ranks, mostly. */
enum { MAX_LISTS = 8 };

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

struct prf_gmon_source {
	struct prf_profile *profile;
	prf_gmon_share *share;
	void *arg;
	uint64_t n_files;
	bool has_lists; /* all files have one, or none has */
	double scale;   /* as gprof reckons it; 1: blocks are used; 0: no
			 * histogram yet */
	struct prf_gmon_list lists[MAX_LISTS]; /* those met lately */
	size_t next_list;
};

struct prf_gmon_source *
prf_gmon_source_new(struct prf_profile *profile, prf_gmon_share *share,
		    void *arg)
{
	struct prf_gmon_source *source = calloc(1, sizeof *source);

	if (!source)
		return NULL;
	source->profile = profile;
	source->share = share;
	source->arg = arg;
	return source;
}

void
prf_gmon_source_free(struct prf_gmon_source *source)
{
	if (!source)
		return;
	for (size_t i = 0; i < MAX_LISTS; i++)
		prf_gmon_list_clear(&source->lists[i]);
	free(source);
}

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

/* --- Does it fit? */

/* As gprof has it: units of 2 bytes for a counter. */
static double
scale_of(const struct prf_gmon_hist *hist)
{
	uint64_t units = (hist->hi_vaddr - hist->lo_vaddr) / 2;

	if (hist->lo_vaddr % 2 == 0 && hist->hi_vaddr % 2 == 0 &&
	    units == hist->n_bins)
		return 1;
	/* What is 1 to gprof, and is no whole number of units, is not 1. */
	double scale = (double)units / hist->n_bins;
	return scale == 1 ? 1.0000005 : scale;
}

int
prf_gmon_source_set_unit(struct prf_profile *profile,
			 const struct prf_gmon *gmon, struct prf_error *err)
{
	struct prf_profile_unit unit = {
		.rate_hz = gmon->rate_hz,
		.abbreviation = gmon->abbreviation[0],
	};

	if (!gmon->rate_hz)
		return prf_error_set(err, -EINVAL,
				     "does not tell how long a tick is");
	if (gmon->rates_differ)
		return prf_error_set(err, -EINVAL,
				     "offset %" PRIu64
				     ": a record of another rate than the "
				     "first; ticks of two lengths do not add",
				     gmon->rates_differ_off);
	memcpy(unit.dimension, gmon->dimension, sizeof unit.dimension);
	return prf_profile_set_unit(profile, &unit, err);
}

/* gmon_read.h promises one scale in all of a file. */
static int
take_scale(struct prf_gmon_source *source, const struct prf_gmon *gmon,
	   bool has_list, struct prf_error *err)
{
	double scale = scale_of(&gmon->hists[0]);

	for (size_t i = 1; i < gmon->n_hists && scale == 1; i++)
		scale = scale_of(&gmon->hists[i]);
	if (has_list && scale != 1)
		return prf_error_set(err, -EINVAL,
				     "a counter for %g bytes, and a list of "
				     "symbols, which goes with 2",
				     2 * scale);
	if (source->scale == 0)
		source->scale = scale;
	/* The tolerance is gprof's. */
	double off = scale - source->scale;
	if (off > 1e-6 || off < -1e-6 || (scale == 1) != (source->scale == 1))
		return prf_error_set(err, -EINVAL,
				     "a counter for %g bytes of text, for %g "
				     "before",
				     2 * scale, 2 * source->scale);
	return 0;
}

int
prf_gmon_source_next(struct prf_gmon_source *source, bool has_list,
		     struct prf_error *err)
{
	if (source->n_files++ == 0)
		source->has_lists = has_list;
	if (source->has_lists == has_list)
		return 0;
	return prf_error_set(err, -EINVAL,
			     "%s list of symbols beside it, unlike the files "
			     "before: their addresses mean something else",
			     has_list ? "a" : "no");
}

static int
check_fits(struct prf_gmon_source *source, const struct prf_gmon *gmon,
	   bool has_list, struct prf_error *err)
{
	struct prf_profile *profile = source->profile;
	int rc = 0;

	/* In a file without records it was a guess. */
	if (gmon->n_hists || gmon->n_arcs)
		rc = prf_profile_set_machine(profile, gmon->reading.addr_bytes,
					     gmon->reading.big_endian, err);
	if (!rc && gmon->n_hists)
		rc = prf_gmon_source_set_unit(profile, gmon, err);
	if (!rc && gmon->n_hists)
		rc = take_scale(source, gmon, has_list, err);
	if (!rc)
		rc = prf_gmon_source_next(source, has_list, err);
	if (rc)
		return rc;
	if (!prf_ticks_fit(profile->total.ticks, gmon->ticks))
		return prf_error_set(err, -EOVERFLOW,
				     "more ticks than 63 bits hold");
	return 0;
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
	const struct prf_gmon_list *list; /* NULL: there is none */
	struct prf_binary *whole;         /* without a list: has all */
	size_t object, next_symbol;
};

/* Four at a time: nearly all of a sum is this and add_counts(). */
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

/* All ticks of a profile fit 64 bits, so that no counter wraps. */
static int
add_to_block(struct prf_binary *binary, uint64_t vaddr, const uint64_t *counts,
	     size_t n, struct prf_error *err)
{
	struct prf_block *block = prf_blocks_at(&binary->blocks, vaddr);

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
	const struct prf_gmon_list *list = walk->list;

	if (is_all_zero(part->counts, part->n))
		return 0;
	if (!list)
		return add_to_block(walk->whole, part->addr, part->counts,
				    part->n, err);
	const struct prf_syms *syms = list->syms;
	while (walk->object < syms->n_objects &&
	       syms->objects[walk->object].hi <= part->addr)
		walk->object++;
	if (walk->object == syms->n_objects)
		return refuse_stray(part, err);
	int rc = check_end(walk, *part, err);
	if (!rc)
		rc = add_to_symbols(walk, *part, err);
	struct prf_binary *binary = list->binaries[walk->object];
	if (rc || binary->form == PRF_BINARY_BY_NAME)
		return rc;
	return add_to_block(binary,
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

/* --- What each function has */

static int
count_symbol(const struct prf_gmon_source *source,
	     const struct prf_gmon_list *list, size_t i)
{
	struct prf_binary *binary =
		list->binaries[list->syms->symbols[i].object];
	const char *name = prf_gmon_list_name(list, i);
	/* How many samples those were the file does not tell. */
	const struct prf_count count = {list->ticks[i], (double)list->ticks[i]};
	int rc = 0;

	if (binary->form == PRF_BINARY_BY_NAME)
		rc = prf_binary_count_name(binary, name, &count);
	else
		prf_count_merge(&binary->total, &count);
	return rc || !source->share
		       ? rc
		       : source->share(source->arg, binary, name, count.ticks);
}

static int
count_symbols(const struct prf_gmon_source *source,
	      const struct prf_gmon_list *list)
{
	size_t n = list->syms->n_symbols;
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++)
		if (list->ticks[i])
			rc = count_symbol(source, list, i);
	memset(list->ticks, 0, n * sizeof *list->ticks);
	return rc;
}

/* What the processes of each program have: of a list that does not tell, all
 * TICKS of the file are its program's. */
static void
count_programs(const struct prf_gmon_list *list, uint64_t ticks)
{
	const struct prf_syms *syms = list->syms;

	for (size_t i = 0; i < syms->n_objects; i++)
		if (syms->objects[i].is_program)
			list->binaries[i]->program_ticks +=
				syms->version == 1
					? ticks
					: syms->objects[i].program_ticks;
}

static int
add_hists(struct prf_gmon_source *source, const struct prf_gmon *gmon,
	  struct walk *walk, struct prf_error *err)
{
	const struct prf_count count = {gmon->ticks, (double)gmon->ticks};
	const size_t n_before = source->profile->n_blocks;
	int rc = 0;

	for (size_t i = 0; !rc && i < gmon->n_hists; i++) {
		rc = source->scale == 1
			     ? add_blocks(walk, &gmon->hists[i], err)
			     : prf_profile_add_hist(source->profile,
						    &gmon->hists[i], err);
		if (!rc)
			rc = prf_blocks_check(
				source->profile->n_blocks - n_before, err);
	}
	if (rc)
		return rc;
	if (walk->list && count_symbols(source, walk->list))
		return no_memory(err);
	if (walk->list)
		count_programs(walk->list, gmon->ticks);
	if (!walk->list && source->scale == 1)
		prf_count_merge(&walk->whole->total, &count);
	prf_count_merge(&source->profile->total, &count);
	return 0;
}

/* --- Arcs */

static int
find_end(const struct walk *walk, uint64_t addr, struct prf_arc_end *end,
	 struct prf_error *err)
{
	if (walk->list)
		return prf_gmon_list_end(walk->list, addr, end, err);
	*end = (struct prf_arc_end){walk->whole, addr};
	return 0;
}

static int
add_arc(struct prf_profile *profile, const struct walk *walk,
	const struct prf_gmon_arc *from, struct prf_error *err)
{
	struct prf_arc arc = {.count = from->count};
	int rc = find_end(walk, from->from_vaddr, &arc.from, err);

	if (!rc)
		rc = find_end(walk, from->to_vaddr, &arc.to, err);
	if (rc)
		return rc;
	rc = prf_arcs_add(&profile->arcs, &arc);
	return rc == -EOVERFLOW ? prf_error_set(err, rc,
						"more calls from 0x%" PRIx64
						" than 64 bits hold",
						from->from_vaddr)
	       : rc             ? no_memory(err)
				: 0;
}

/* --- A file */

/* Is TEXT the list that LIST was read from, but perhaps of another run? */
static bool
is_same_list(const struct prf_gmon_list *list, const char *text, size_t n_bytes)
{
	const size_t first = strlen("# gmon.syms 2\n");

	if (!list->text || n_bytes < first ||
	    memcmp(list->text, text, first) != 0)
		return false;
	size_t old = prf_run_lines_end(list->text, list->n_bytes);
	size_t new = prf_run_lines_end(text, n_bytes);
	return list->n_bytes - old ==
	       n_bytes - new &&memcmp(list->text + old, text + new,
				      n_bytes - new) ==
	       0;
}

static int
find_list(struct prf_gmon_source *source, const char *text, size_t n_bytes,
	  const struct prf_gmon_list **out, struct prf_error *err)
{
	for (size_t i = 0; i < MAX_LISTS; i++) {
		const struct prf_gmon_list *list = &source->lists[i];

		if (is_same_list(list, text, n_bytes)) {
			*out = list;
			return 0;
		}
	}
	struct prf_gmon_list *list = &source->lists[source->next_list];
	prf_gmon_list_clear(list);
	source->next_list = (source->next_list + 1) % MAX_LISTS;
	*out = list;
	return prf_gmon_list_read(list, source->profile, text, n_bytes, err);
}

/* The runs that lists tell of become the profile's. */
static int
join_origin(struct prf_profile *profile, const char *text, size_t n_bytes,
	    struct prf_error *err)
{
	PRF_AUTO(prf_origin_clear) struct prf_origin origin = {0};

	if (prf_run_lines_read(text, n_bytes, &origin))
		return no_memory(err);
	int rc = prf_profile_set_clock(profile, origin.clock, err);
	return !rc && prf_origin_join(&profile->origin, &origin)
		       ? no_memory(err)
		       : rc;
}

/* Without lists there is one binary, of which nothing is known. */
static int
find_whole(struct prf_profile *profile, struct walk *walk,
	   struct prf_error *err)
{
	struct prf_binary *binary = prf_binary_new(PRF_BINARY_FILE, "");

	if (binary) {
		binary->is_program = true;
		binary = prf_profile_take(profile, binary);
	}
	walk->whole = binary;
	return binary ? 0 : no_memory(err);
}

/* Adds GMON, which fits, at once. */
static int
add_file(struct prf_gmon_source *source, const struct prf_gmon *gmon,
	 const char *syms_text, size_t syms_bytes, struct prf_error *err)
{
	struct prf_profile *profile = source->profile;
	struct walk walk = {0};
	int rc = syms_text ? find_list(source, syms_text, syms_bytes,
				       &walk.list, err)
			   : find_whole(profile, &walk, err);

	if (!rc && syms_text)
		rc = join_origin(profile, syms_text, syms_bytes, err);
	if (!rc)
		rc = add_hists(source, gmon, &walk, err);
	for (size_t i = 0; !rc && i < gmon->n_arcs; i++)
		rc = add_arc(profile, &walk, &gmon->arcs[i], err);
	profile->n_bbs += gmon->n_bbs;
	return rc;
}

/* Adds it as a profile of its own, so that the call tree, if there is to be one,
 * has its ticks, too. */
static int
add_profile(struct prf_gmon_source *source, const struct prf_gmon *gmon,
	    const char *syms_text, size_t syms_bytes, struct prf_error *err)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();
	struct prf_gmon_source own = {
		.profile = profile,
		.share = source->share,
		.arg = source->arg,
		.scale = source->scale,
	};
	int rc = profile ? add_file(&own, gmon, syms_text, syms_bytes, err)
			 : no_memory(err);

	for (size_t i = 0; i < MAX_LISTS; i++)
		prf_gmon_list_clear(&own.lists[i]);
	return rc ? rc : prf_profile_add(source->profile, profile, err);
}

int
prf_gmon_source_add(struct prf_gmon_source *source, const struct prf_gmon *gmon,
		    const char *syms_text, size_t syms_bytes,
		    struct prf_error *err)
{
	const struct prf_profile *profile = source->profile;
	bool is_alike = !profile->n_binaries ||
			(profile->arcs.n > 0) == (gmon->n_arcs > 0);
	int rc = check_fits(source, gmon, syms_text, err);

	if (rc)
		return rc;
	return (profile->calls || !is_alike ? add_profile : add_file)(
		source, gmon, syms_text, syms_bytes, err);
}
