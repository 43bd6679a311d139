#include "view/gmon/gmon_named.h"

#include <errno.h>

#include "view/gmon/gmon_source.h"

static int
add_bin(struct prf_binary *binary, const struct prf_gmon_hist *hist,
	uint32_t bin)
{
	uint64_t lo = prf_gmon_bin_vaddr(hist, bin);
	uint64_t hi = prf_gmon_bin_vaddr(hist, bin + 1);
	uint64_t middle = lo + (hi - lo) / 2;
	struct prf_block *block = prf_blocks_at(&binary->blocks, middle);

	if (!block)
		return -ENOMEM;
	block->counts[(middle - block->vaddr) / 2] += hist->counts[bin];
	return 0;
}

static int
add_hist(struct prf_binary *binary, const struct prf_gmon_hist *hist)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < hist->n_bins; i++)
		if (hist->counts[i])
			rc = add_bin(binary, hist, i);
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
	for (size_t i = 0; !rc && i < gmon->n_hists; i++)
		rc = add_hist(binary, &gmon->hists[i]);
	prf_count_merge(&binary->total, &count);
	prf_count_merge(&profile->total, &count);
	if (!rc)
		rc = add_arcs(profile, binary, gmon);
	if (rc == -EOVERFLOW)
		return prf_error_set(err, rc, "more calls than 64 bits hold");
	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}
