#include "core/pctrace/crc32.h"

#include <endian.h>
#include <string.h>

#define POLYNOMIAL UINT32_C(0xedb88320) /* reversed */

void
prf_crc32_init(struct prf_crc32 *crc)
{
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t sum = byte;

		for (unsigned bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? POLYNOMIAL : 0);
		crc->table[0][byte] = sum;
	}
	/* table[k]: the same byte, with k bytes of 0 behind it. */
	for (unsigned k = 1; k < 8; k++)
		for (unsigned byte = 0; byte < 256; byte++) {
			uint32_t sum = crc->table[k - 1][byte];

			crc->table[k][byte] =
				sum >> 8 ^ crc->table[0][sum & 0xff];
		}
}

uint32_t
prf_crc32_of(const struct prf_crc32 *crc, const void *bytes, size_t n_bytes)
{
	const uint32_t(*table)[256] = crc->table;
	const uint8_t *at = bytes;
	uint32_t sum = UINT32_MAX;

	for (; n_bytes >= 8; n_bytes -= 8, at += 8) {
		uint32_t low, high;

		memcpy(&low, at, 4);
		memcpy(&high, at + 4, 4);
		low = le32toh(low) ^ sum;
		high = le32toh(high);

		sum = table[7][low & 0xff] ^ table[6][low >> 8 & 0xff] ^
		      table[5][low >> 16 & 0xff] ^ table[4][low >> 24] ^
		      table[3][high & 0xff] ^ table[2][high >> 8 & 0xff] ^
		      table[1][high >> 16 & 0xff] ^ table[0][high >> 24];
	}
	for (; n_bytes > 0; n_bytes--, at++)
		sum = sum >> 8 ^ table[0][(sum ^ *at) & 0xff];
	return ~sum;
}
