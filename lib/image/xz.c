#include "image/xz.h"

#include <errno.h>
#include <lzma.h>
#include <stdlib.h>

#include "core/scope.h"

/* What a decoder may take for itself.  "xz -9" makes it take 65 MiB. */
#define DECODER_MAX ((uint64_t)256 << 20)

static int
fault(lzma_ret why, struct prf_error *err)
{
	switch (why) {
	case LZMA_MEM_ERROR:
		return prf_error_set(err, -ENOMEM, "out of memory");
	case LZMA_MEMLIMIT_ERROR:
		return prf_error_set(err, -EFBIG, "it needs too much memory");
	case LZMA_FORMAT_ERROR:
		return prf_error_set(err, -EINVAL, "not an xz stream");
	default:
		return prf_error_set(err, -EINVAL, "damaged, or cut short");
	}
}

/* Reads how much the stream holds from the index that stands before its
 * footer. */
static lzma_ret
read_index(const uint8_t *bytes, size_t size, uint64_t *unpacked_size)
{
	uint64_t memory_max = DECODER_MAX;
	lzma_stream_flags footer;
	lzma_index *index;

	if (size < 2 * LZMA_STREAM_HEADER_SIZE)
		return LZMA_FORMAT_ERROR;
	size_t end = size - LZMA_STREAM_HEADER_SIZE;
	lzma_ret rc = lzma_stream_footer_decode(&footer, bytes + end);
	if (rc != LZMA_OK)
		return rc;
	if (footer.backward_size > end)
		return LZMA_DATA_ERROR;
	size_t at = end - (size_t)footer.backward_size;
	rc = lzma_index_buffer_decode(&index, &memory_max, NULL, bytes, &at,
				      end);
	if (rc != LZMA_OK)
		return rc;
	*unpacked_size = lzma_index_uncompressed_size(index);
	lzma_index_end(index, NULL);
	return LZMA_OK;
}

int
prf_xz_unpack(const uint8_t *bytes, size_t size, size_t max, void **unpacked,
	      size_t *unpacked_size, struct prf_error *err)
{
	uint64_t memory_max = DECODER_MAX, n;
	size_t n_in = 0, n_out = 0;
	lzma_ret rc = read_index(bytes, size, &n);

	if (rc != LZMA_OK)
		return fault(rc, err);
	if (n > max)
		return prf_error_set(err, -EFBIG, "it holds too much");
	PRF_AUTO(prf_auto_free) uint8_t *out = malloc(n ? (size_t)n : 1);
	if (!out)
		return fault(LZMA_MEM_ERROR, err);
	rc = lzma_stream_buffer_decode(&memory_max, 0, NULL, bytes, &n_in, size,
				       out, &n_out, (size_t)n);
	if (rc == LZMA_OK && (n_in != size || n_out != n))
		rc = LZMA_DATA_ERROR;
	if (rc != LZMA_OK)
		return fault(rc, err);
	*unpacked = PRF_TAKE(out);
	*unpacked_size = n_out;
	return 0;
}
