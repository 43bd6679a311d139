/* What the kernel writes into a ring; the first byte says where it begins, and
 * whether samples have stacks and the clock of a group. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "live/ring/ring_records.h"

enum { RING_BYTES = 1 << 12 };

/* All of it is there. */
static void
read_stack(const struct prf_ring_sample *sample)
{
	uint8_t copy[RING_BYTES];

	if (sample->stack_bytes > sizeof copy)
		abort();
	memcpy(copy, sample->stack, sample->stack_bytes);
}

/* Nothing of a record is told that is not there. */
static void
check(const struct prf_ring_record *record)
{
	if (record->kind == PRF_RING_MAPPING &&
	    (strlen(record->mapping.name) >= PRF_RING_RECORD_BYTES ||
	     !record->mapping.size))
		abort();
	if (record->kind == PRF_RING_SAMPLE && record->sample.stack_bytes)
		read_stack(&record->sample);
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
		.registers = 0x185,
		.with_stacks = n_bytes && bytes[0] & 1,
		.is_in_group = n_bytes && !(bytes[0] & 2),
	};
	while (prf_ring_records_next(&records, &record) == 1)
		check(&record);
	if (records.tail != records.head)
		abort();
	free(ring);
	free(joined);
	return 0;
}
