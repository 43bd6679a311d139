/* What the kernel writes into a ring; the first byte says where it begins. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "live/ring/ring_records.h"

enum { RING_BYTES = 1 << 12, N_REGISTERS = 4 };

/* Nothing of a record is told that is not there. */
static void
check(const struct prf_ring_record *record)
{
	if (record->kind == PRF_RING_MAPPING &&
	    (strlen(record->mapping.name) >= PRF_RING_RECORD_BYTES ||
	     !record->mapping.size))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	uint8_t *ring = calloc(1, RING_BYTES);
	uint8_t *joined = malloc(PRF_RING_RECORD_BYTES);
	uint64_t begin = n_bytes ? bytes[0] * 16u : 0;
	struct prf_ring_record record;

	if (!ring || !joined)
		abort();
	for (size_t i = 0; i < n_bytes; i++)
		ring[(begin + i) % RING_BYTES] = bytes[i];
	struct prf_ring_records records = {
		.bytes = ring,
		.size = RING_BYTES,
		.head = begin + n_bytes,
		.tail = begin + (n_bytes > 0),
		.record = joined,
		.n_registers = N_REGISTERS,
	};
	while (prf_ring_records_next(&records, &record) == 1)
		check(&record);
	if (records.tail != records.head)
		abort();
	free(ring);
	free(joined);
	return 0;
}
