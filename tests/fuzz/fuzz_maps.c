/* The text of /proc/PID/maps. */
#include <stdlib.h>

#include "fuzz/fuzz.h"
#include "image/maps.h"

static void
must(bool ok)
{
	if (!ok)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	struct prf_maps *maps = NULL;
	struct prf_error err = {0};
	size_t n;

	if (prf_maps_parse((const char *)bytes, n_bytes, 1, &maps, &err)) {
		must(err.code < 0 && err.text[0]);
		return 0;
	}
	const struct prf_mapping *all = prf_maps_all(maps, &n);
	for (size_t i = 0; i < n; i++) {
		must(all[i].size > 0 && all[i].path);
		must(all[i].addr <= UINT64_MAX - (all[i].size - 1));
		must(i == 0 ||
		     all[i - 1].addr + (all[i - 1].size - 1) < all[i].addr);
		must(prf_maps_at(maps, all[i].addr) == &all[i]);
	}
	prf_maps_free(maps);
	return 0;
}
