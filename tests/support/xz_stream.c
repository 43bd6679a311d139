#include "support/xz_stream.h"

#include <check.h>
#include <lzma.h>
#include <stdlib.h>

uint8_t *
xz_stream(const void *bytes, size_t size, size_t *stream_size)
{
	size_t room = lzma_stream_buffer_bound(size);
	uint8_t *stream = malloc(room);

	*stream_size = 0;
	ck_assert_ptr_nonnull(stream);
	ck_assert_int_eq(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL,
						 bytes, size, stream,
						 stream_size, room),
			 LZMA_OK);
	return stream;
}

uint8_t *
xz_stream_claiming(uint64_t claim, uint32_t dict_bytes, size_t *stream_size)
{
	enum { ROOM = 256 };
	uint8_t *stream = calloc(1, ROOM);
	size_t at = LZMA_STREAM_HEADER_SIZE;
	lzma_options_lzma options = {.dict_size = dict_bytes};
	lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options},
				 {LZMA_VLI_UNKNOWN, NULL}};
	lzma_block block = {
		.check = LZMA_CHECK_NONE,
		.compressed_size = LZMA_VLI_UNKNOWN,
		.uncompressed_size = LZMA_VLI_UNKNOWN,
		.filters = filters,
	};
	lzma_stream_flags flags = {.check = LZMA_CHECK_NONE};
	lzma_index *index = lzma_index_init(NULL);

	ck_assert(stream && index);
	ck_assert_int_eq(lzma_stream_header_encode(&flags, stream), LZMA_OK);
	ck_assert_int_eq(lzma_block_header_size(&block), LZMA_OK);
	ck_assert_int_eq(lzma_block_header_encode(&block, stream + at),
			 LZMA_OK);
	/* A byte of 0 ends the block; three more fill it up. */
	at += block.header_size + 4;
	ck_assert_int_eq(
		lzma_index_append(index, NULL, block.header_size + 1, claim),
		LZMA_OK);
	flags.backward_size = lzma_index_size(index);
	ck_assert_int_eq(lzma_index_buffer_encode(index, stream, &at, ROOM),
			 LZMA_OK);
	lzma_index_end(index, NULL);
	ck_assert_int_eq(lzma_stream_footer_encode(&flags, stream + at),
			 LZMA_OK);
	*stream_size = at + LZMA_STREAM_HEADER_SIZE;
	return stream;
}
