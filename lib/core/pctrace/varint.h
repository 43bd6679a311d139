/* varint.h - numbers in as few bytes as they need: seven bits a byte, the
 * lowest first, the top bit set in each byte but the last (LEB128). */
#ifndef PRF_CORE_PCTRACE_VARINT_H
#define PRF_CORE_PCTRACE_VARINT_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The bytes of the largest number. */
#define PRF_VARINT_MAX_BYTES 10

/* Writes VALUE; returns the address behind it. */
static inline uint8_t *
prf_varint_put(uint8_t *at, uint64_t value)
{
	while (value >= 0x80) {
		*at++ = (uint8_t)value | 0x80;
		value >>= 7;
	}
	*at++ = (uint8_t)value;
	return at;
}

/* Differences near 0 in either direction are small numbers: 0, -1, 1, -2... */
static inline uint64_t
prf_varint_fold(uint64_t difference)
{
	return difference << 1 ^ (0 - (difference >> 63));
}

static inline uint64_t
prf_varint_unfold(uint64_t folded)
{
	return folded >> 1 ^ (0 - (folded & 1));
}

/* Bytes that are being read. */
struct prf_varint_in {
	const uint8_t *at, *end;
	bool bad; /* a number was cut short, or too long */
};

/* Does what prf_varint_take() does, near the end of the bytes. */
static inline uint64_t
prf_varint_take_slowly(struct prf_varint_in *in)
{
	uint64_t value = 0;

	for (unsigned shift = 0; in->at < in->end && shift < 64; shift += 7) {
		uint8_t byte = *in->at++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80 && (shift < 63 || byte <= 1))
			return value;
	}
	in->bad = true;
	return 0;
}

/* The next number; 0 if there is none.  Lengths change from one number to the
 * next, which no branch prediction guesses: up to eight bytes are put together
 * without a branch. */
static inline uint64_t
prf_varint_take(struct prf_varint_in *in)
{
	const uint64_t tops = UINT64_C(0x8080808080808080);
	uint64_t word;

	if (in->end - in->at < (ptrdiff_t)sizeof word)
		return prf_varint_take_slowly(in);
	memcpy(&word, in->at, sizeof word);
	word = le64toh(word);
	uint64_t lasts = ~word & tops;
	if (!lasts)
		return prf_varint_take_slowly(in);
	in->at += __builtin_ctzll(lasts) / 8 + 1;
	/* The bytes up to the last, without the top bits; then by pairs. */
	word &= (lasts ^ (lasts - 1)) & ~tops;
	word = (word & UINT64_C(0x007f007f007f007f)) |
	       (word & UINT64_C(0x7f007f007f007f00)) >> 1;
	word = (word & UINT64_C(0x00003fff00003fff)) |
	       (word & UINT64_C(0x3fff00003fff0000)) >> 2;
	return (word & UINT64_C(0x000000000fffffff)) |
	       (word & UINT64_C(0x0fffffff00000000)) >> 4;
}

/* The next number, which may be at most MAX. */
static inline uint64_t
prf_varint_take_max(struct prf_varint_in *in, uint64_t max)
{
	uint64_t value = prf_varint_take(in);

	if (value <= max)
		return value;
	in->bad = true;
	return 0;
}

static inline uint8_t
prf_varint_take_byte(struct prf_varint_in *in)
{
	if (in->at < in->end)
		return *in->at++;
	in->bad = true;
	return 0;
}

#endif
