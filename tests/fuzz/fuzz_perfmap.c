/* The map of a JIT compiler. */
#include <stdlib.h>

#include "fuzz/fuzz.h"
#include "image/perfmap.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	struct prf_perfmap *map = NULL;
	struct prf_error err = {0};

	if (prf_perfmap_parse((const char *)bytes, n_bytes, &map, &err))
		abort(); /* never but for want of memory */
	for (uint64_t addr = 1; addr && addr < UINT64_MAX / 3; addr *= 3) {
		const struct prf_perfmap_entry *entry =
			prf_perfmap_at(map, addr);

		if (entry &&
		    (addr < entry->addr || addr - entry->addr >= entry->size ||
		     !entry->name))
			abort();
	}
	prf_perfmap_free(map);
	return 0;
}
