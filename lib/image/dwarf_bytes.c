#include "image/dwarf_bytes.h"

#include "core/byteorder.h"

/* Takes N bytes; false if there are fewer. */
static bool
take(struct prf_dwarf_bytes *bytes, uint64_t n)
{
	if (n > (uint64_t)(bytes->end - bytes->at)) {
		bytes->failed = true;
		bytes->at = bytes->end;
		return false;
	}
	bytes->at += n;
	return true;
}

uint64_t
prf_dwarf_number(struct prf_dwarf_bytes *bytes, unsigned n)
{
	if (!take(bytes, n))
		return 0;
	return prf_byteorder_get(bytes->at - n, n, bytes->big_endian);
}

int64_t
prf_dwarf_signed(struct prf_dwarf_bytes *bytes, unsigned n)
{
	uint64_t sign = (uint64_t)1 << (n * 8 - 1);

	return (int64_t)((prf_dwarf_number(bytes, n) ^ sign) - sign);
}

/* Reads LEB128; *N_BITS are those that were written, at least 7. */
static uint64_t
read_leb(struct prf_dwarf_bytes *bytes, unsigned *n_bits)
{
	uint64_t number = 0;
	uint8_t byte;

	*n_bits = 0;
	do {
		byte = (uint8_t)prf_dwarf_number(bytes, 1);
		if (*n_bits < 64) {
			number |= (uint64_t)(byte & 0x7f) << *n_bits;
			*n_bits += 7;
		}
	} while (byte & 0x80);
	return bytes->failed ? 0 : number;
}

uint64_t
prf_dwarf_uleb(struct prf_dwarf_bytes *bytes)
{
	unsigned n_bits;

	return read_leb(bytes, &n_bits);
}

int64_t
prf_dwarf_sleb(struct prf_dwarf_bytes *bytes)
{
	unsigned n_bits;
	uint64_t number = read_leb(bytes, &n_bits);

	if (n_bits < 64 && number >> (n_bits - 1) & 1)
		number |= UINT64_MAX << n_bits;
	return (int64_t)number;
}

void
prf_dwarf_skip(struct prf_dwarf_bytes *bytes, uint64_t n)
{
	take(bytes, n);
}
