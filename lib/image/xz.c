/* xz.c - walks "The .xz File Format" 1.1.0: a stream header, blocks of LZMA2
 * chunks, an index. */
#include "image/xz.h"

#include <string.h>

enum {
	STREAM_HEADER_BYTES = 12,
	FILTER_LZMA2 = 0x21,
	HAS_PACKED_SIZE = 0x40,
	HAS_UNPACKED_SIZE = 0x80,
};

/* What is still to be read. */
struct reader {
	const uint8_t *at;
	size_t left;
};

static bool
skip(struct reader *reader, uint64_t n)
{
	if (n > reader->left)
		return false;
	reader->at += n;
	reader->left -= (size_t)n;
	return true;
}

static bool
read_byte(struct reader *reader, uint8_t *byte)
{
	*byte = reader->left > 0 ? *reader->at : 0;
	return skip(reader, 1);
}

/* Seven bits in each byte, the lowest first. */
static bool
read_number(struct reader *reader, uint64_t *number)
{
	uint8_t byte = 0x80;

	*number = 0;
	for (unsigned shift = 0; byte & 0x80; shift += 7) {
		if (shift > 56 || !read_byte(reader, &byte))
			return false;
		*number |= (uint64_t)(byte & 0x7f) << shift;
	}
	return true;
}

/* Whether the last filter, the one nearest to the file, is LZMA2; those before
 * it turn bytes into as many bytes. */
static bool
block_is_lzma2(struct reader header, uint8_t flags)
{
	uint64_t id = 0, number;

	if ((flags & HAS_PACKED_SIZE && !read_number(&header, &number)) ||
	    (flags & HAS_UNPACKED_SIZE && !read_number(&header, &number)))
		return false;
	for (int i = 0; i <= (flags & 3); i++)
		if (!read_number(&header, &id) ||
		    !read_number(&header, &number) || !skip(&header, number))
			return false;
	return id == FILTER_LZMA2;
}

/* The chunks of a block, up to the byte that ends them. */
static bool
walk_chunks(struct reader *reader, uint64_t *size_out)
{
	uint8_t control, high, low;

	while (read_byte(reader, &control) && control != 0) {
		if (!read_byte(reader, &high) || !read_byte(reader, &low))
			return false;
		uint64_t unpacked = ((uint64_t)high << 8 | low) + 1;
		uint64_t packed = unpacked;

		if (control >= 0x80) {
			unpacked += (uint64_t)(control & 0x1f) << 16;
			if (!read_byte(reader, &high) ||
			    !read_byte(reader, &low))
				return false;
			packed = ((uint64_t)high << 8 | low) + 1 +
				 (control >= 0xc0);
		} else if (control > 2) {
			return false;
		}
		*size_out += unpacked;
		if (!skip(reader, packed))
			return false;
	}
	return control == 0;
}

bool
prf_xz_size(const uint8_t *bytes, size_t size, uint64_t *size_out)
{
	static const uint8_t check_bytes[16] = {0,  4,  4,  4,  8,  8,  8,  16,
						16, 16, 32, 32, 32, 64, 64, 64};
	struct reader reader = {bytes, size};

	*size_out = 0;
	if (size < STREAM_HEADER_BYTES || memcmp(bytes,
						 "\xfd"
						 "7zXZ",
						 6) != 0)
		return false;
	uint8_t n_check = check_bytes[bytes[7] & 15];
	skip(&reader, STREAM_HEADER_BYTES);

	/* A header of size 0 is the index: all blocks have been seen. */
	while (reader.left > 0 && reader.at[0] != 0) {
		size_t n_header = ((size_t)reader.at[0] + 1) * 4;
		struct reader header = {reader.at, n_header};
		uint8_t flags;

		if (!skip(&reader, n_header) || !skip(&header, 1) ||
		    !read_byte(&header, &flags) ||
		    !block_is_lzma2(header, flags))
			return false;
		size_t before = reader.left;
		if (!walk_chunks(&reader, size_out))
			return false;
		size_t padding = -(before - reader.left) & 3;
		if (!skip(&reader, padding + n_check))
			return false;
	}
	return reader.left > 0;
}
