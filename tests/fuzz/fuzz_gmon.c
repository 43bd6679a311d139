/* A gmon.out, of any reading. */
#include <stdlib.h>

#include "core/gmon_read.h"
#include "fuzz/fuzz.h"

static void
must(bool ok)
{
	if (!ok)
		abort();
}

/* What gmon_read.h promises. */
static void
check(const struct prf_gmon *gmon)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < gmon->n_hists; i++) {
		const struct prf_gmon_hist *hist = &gmon->hists[i];

		must(hist->lo_vaddr < hist->hi_vaddr);
		must(i == 0 || hist[-1].hi_vaddr <= hist->lo_vaddr);
		must(prf_gmon_bin_vaddr(hist, hist->n_bins) == hist->hi_vaddr);
		for (uint32_t bin = 0; bin < hist->n_bins; bin++)
			ticks += hist->counts[bin];
	}
	must(ticks == gmon->ticks);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	struct prf_gmon *gmon = NULL;
	struct prf_error err = {0};

	if (prf_gmon_parse(bytes, n_bytes, NULL, &gmon, &err)) {
		must(err.code < 0 && err.text[0]);
		return 0;
	}
	check(gmon);
	prf_gmon_free(gmon);
	return 0;
}
