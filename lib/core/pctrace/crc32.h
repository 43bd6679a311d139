/* crc32.h - the checksum of zlib, PNG and Ethernet: CRC-32, polynomial
 * 0x04c11db7, bits reversed, initial value and final exclusive or all ones. */
#ifndef PRF_CORE_PCTRACE_CRC32_H
#define PRF_CORE_PCTRACE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Tables for eight bytes at a time; made once for many checksums. */
struct prf_crc32 {
	uint32_t table[8][256];
};

void prf_crc32_init(struct prf_crc32 *crc);

/* The checksum of N bytes. */
uint32_t prf_crc32_of(const struct prf_crc32 *crc, const void *bytes,
		      size_t n_bytes);

#endif
