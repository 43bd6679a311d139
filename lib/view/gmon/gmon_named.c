#include "view/gmon/gmon_named.h"

#include <errno.h>

#include "view/gmon/gmon_source.h"

/* Counters of more bytes of text say nothing of a place in a function: all that
 * a function has is counted at one place, since each may take a block. */
enum { NARROW_BYTES = 16 };

/* Where the walk through the histograms, which ascends, has come to. */
struct walk {
	struct prf_binary *binary;
	size_t symbol;  /* that wide counters were counted in; NONE */
	uint64_t vaddr; /* where */
};

#define NONE ((size_t)-2) /* -1 is what is below the first */

/* Where a wide counter with its middle at VADDR is counted. */
static uint64_t
place_of(struct walk *walk, uint64_t vaddr)
{
	size_t symbol = prf_symbol_list_at(&walk->binary->symbols,
					   vaddr | (PRF_HIST_BIN_BYTES - 1));

	if (symbol != walk->symbol) {
		walk->symbol = symbol;
		walk->vaddr = vaddr;
	}
	return walk->vaddr;
}

static int
add_bin(struct walk *walk, const struct prf_gmon_hist *hist, uint32_t bin)
{
	uint64_t lo = prf_gmon_bin_vaddr(hist, bin);
	uint64_t hi = prf_gmon_bin_vaddr(hist, bin + 1);
	uint64_t vaddr = lo + (hi - lo) / 2;

	if (hi - lo > NARROW_BYTES)
		vaddr = place_of(walk, vaddr);
	struct prf_block *block = prf_blocks_at(&walk->binary->blocks, vaddr);
	if (!block)
		return -ENOMEM;
	block->counts[(vaddr - block->vaddr) / PRF_HIST_BIN_BYTES] +=
		hist->counts[bin];
	return 0;
}

static int
add_hist(struct walk *walk, const struct prf_gmon_hist *hist)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < hist->n_bins; i++)
		if (hist->counts[i])
			rc = add_bin(walk, hist, i);
	return rc;
}

static int
add_arcs(struct prf_profile *profile, struct prf_binary *binary,
	 const struct prf_gmon *gmon)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < gmon->n_arcs; i++) {
		const struct prf_gmon_arc *from = &gmon->arcs[i];
		const struct prf_arc arc = {
			.from = {binary, from->from_vaddr},
			.to = {binary, from->to_vaddr},
			.count = from->count,
		};

		rc = prf_arcs_add(&profile->arcs, &arc);
	}
	return rc;
}

int
prf_gmon_named_add(struct prf_profile *profile, const struct prf_gmon *gmon,
		   const char *path, struct prf_symbol_list *symbols,
		   struct prf_error *err)
{
	const struct prf_count count = {gmon->ticks, (double)gmon->ticks};
	int rc = gmon->n_hists ? prf_gmon_source_set_unit(profile, gmon, err)
			       : 0;

	if (rc)
		return rc;
	struct prf_binary *binary = prf_binary_new(PRF_BINARY_FILE, path);
	if (binary)
		binary = prf_profile_take(profile, binary);
	if (!binary)
		return prf_error_set(err, -ENOMEM, "out of memory");
	binary->is_program = true;
	binary->symbols = *symbols;
	*symbols = (struct prf_symbol_list){0};
	struct walk walk = {.binary = binary, .symbol = NONE};
	for (size_t i = 0; !rc && i < gmon->n_hists; i++) {
		rc = add_hist(&walk, &gmon->hists[i]);
		if (!rc && prf_blocks_check(profile->n_blocks, err))
			return -EFBIG;
	}
	prf_count_merge(&binary->total, &count);
	prf_count_merge(&profile->total, &count);
	if (!rc)
		rc = add_arcs(profile, binary, gmon);
	if (rc == -EOVERFLOW)
		return prf_error_set(err, rc, "more calls than 64 bits hold");
	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}
