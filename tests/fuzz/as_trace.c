#include "fuzz/as_trace.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/byteorder.h"
#include "core/pctrace/crc32.h"
#include "core/pctrace/pctrace_format.h"

enum {
	BLOCK_OFF = PRF_PCTRACE_HEADER_BYTES,
	PAYLOAD_OFF = BLOCK_OFF + PRF_PCTRACE_BLOCK_HEADER_BYTES,
};

static void
put_headers(uint8_t *file, size_t n_payload)
{
	uint8_t *block = file + BLOCK_OFF;
	struct prf_crc32 crc;

	prf_crc32_init(&crc);
	memcpy(file, PRF_PCTRACE_MAGIC, PRF_PCTRACE_MAGIC_BYTES);
	prf_byteorder_put(file + PRF_PCTRACE_VERSION_OFF, PRF_PCTRACE_VERSION,
			  2, false);
	prf_byteorder_put(file + PRF_PCTRACE_SUM_OFF,
			  prf_crc32_of(&crc, file, PRF_PCTRACE_SUM_OFF), 4,
			  false);
	memcpy(block, PRF_PCTRACE_MARKER, PRF_PCTRACE_MARKER_BYTES);
	prf_byteorder_put(block + PRF_PCTRACE_BLOCK_BYTES_OFF, n_payload, 4,
			  false);
	prf_byteorder_put(block + PRF_PCTRACE_BLOCK_SUM_OFF,
			  prf_crc32_of(&crc, file + PAYLOAD_OFF, n_payload), 4,
			  false);
	prf_byteorder_put(
		block + PRF_PCTRACE_BLOCK_HEADER_SUM_OFF,
		prf_crc32_of(&crc, block, PRF_PCTRACE_BLOCK_HEADER_SUM_OFF), 4,
		false);
}

uint8_t *
prf_as_trace(const uint8_t *bytes, size_t n_bytes, size_t *n_trace)
{
	if (n_bytes == 0 || n_bytes > PRF_PCTRACE_MAX_PAYLOAD_BYTES)
		return NULL;
	bool is_whole = bytes[0] == (uint8_t)PRF_PCTRACE_MAGIC[0];
	size_t before = is_whole ? 0 : PAYLOAD_OFF;
	uint8_t *file = calloc(1, before + n_bytes);

	if (!file)
		return NULL;
	memcpy(file + before, bytes, n_bytes);
	if (!is_whole)
		put_headers(file, n_bytes);
	*n_trace = before + n_bytes;
	return file;
}
