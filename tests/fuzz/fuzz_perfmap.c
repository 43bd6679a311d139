/* The map of a JIT compiler. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "image/perfmap.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	struct prf_perfmap *map = NULL;
	struct prf_error err = {0};

	char *text = malloc(n_bytes + 1);
	if (text && n_bytes)
		memcpy(text, bytes, n_bytes);
	if (!text || prf_perfmap_parse(text, n_bytes, &map, &err))
		abort(); /* never but for want of memory */
	for (uint64_t addr = 1; addr && addr < UINT64_MAX / 3; addr *= 3) {
		const struct prf_perfmap_entry *entry =
			prf_perfmap_at(map, addr);

		if (entry &&
		    (addr < entry->addr || addr - entry->addr >= entry->size ||
		     !entry->name))
			abort();
	}
	prf_perfmap_drop(map);
	return 0;
}
