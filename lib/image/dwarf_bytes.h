/* dwarf_bytes.h - numbers as DWARF writes them, read one after the other and
 * never from behind the end. */
#ifndef PRF_IMAGE_DWARF_BYTES_H
#define PRF_IMAGE_DWARF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left to read.  Where it does not suffice, 0 is read, nothing is left,
 * and it has failed for good. */
struct prf_dwarf_bytes {
	const uint8_t *at, *end;
	bool big_endian;
	bool failed;
};

/* An unsigned number of N bytes, at most 8. */
uint64_t prf_dwarf_number(struct prf_dwarf_bytes *bytes, unsigned n);
/* A signed one. */
int64_t prf_dwarf_signed(struct prf_dwarf_bytes *bytes, unsigned n);
/* LEB128: 7 bits in a byte.  Bits above 64 are cut off. */
uint64_t prf_dwarf_uleb(struct prf_dwarf_bytes *bytes);
int64_t prf_dwarf_sleb(struct prf_dwarf_bytes *bytes);
void prf_dwarf_skip(struct prf_dwarf_bytes *bytes, uint64_t n);

static inline bool
prf_dwarf_at_end(const struct prf_dwarf_bytes *bytes)
{
	return bytes->at >= bytes->end;
}

#endif
