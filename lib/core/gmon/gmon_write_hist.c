#include "core/gmon/gmon_writer.h"

#include "core/byteorder.h"
#include "core/gmon/gmon_format.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define HEAD_MAX_BYTES (1 + 2 * 8 + PRF_GMON_HIST_FIXED_BYTES)

/* Counters are put together before they are written. */
enum { PART_BINS = 2048 };

static uint64_t
largest_of(const struct prf_gmon_hist *hist, uint32_t *bin)
{
	uint64_t largest = 0;

	*bin = 0;
	for (uint32_t i = 0; i < hist->n_bins; i++) {
		if (hist->counts[i] > largest) {
			largest = hist->counts[i];
			*bin = i;
		}
	}
	return largest;
}

static int
check(const struct prf_gmon_writer *writer, const struct prf_gmon_hist *hist,
      uint64_t largest, uint32_t bin, struct prf_error *err)
{
	if (prf_gmon_writer_target(writer)->addr_bytes == 4 &&
	    hist->hi_vaddr > UINT32_MAX)
		return prf_error_set(err, -EOVERFLOW,
				     "0x%" PRIx64
				     " does not fit addresses of 4 bytes",
				     hist->hi_vaddr);
	if (largest > PRF_GMON_MAX_TICKS)
		return prf_error_set(err, -EOVERFLOW,
				     "%" PRIu64 " ticks at 0x%" PRIx64
				     " are more than the %" PRIu32
				     " that gprof can add",
				     largest, prf_gmon_bin_vaddr(hist, bin),
				     (uint32_t)PRF_GMON_MAX_TICKS);
	return 0;
}

static int
write_head(struct prf_gmon_writer *writer, const struct prf_gmon_hist *hist,
	   struct prf_error *err)
{
	const struct prf_gmon_target *target = prf_gmon_writer_target(writer);
	const unsigned width = target->addr_bytes;
	uint8_t head[HEAD_MAX_BYTES] = {PRF_GMON_TAG_HIST}, *at = head + 1;

	prf_byteorder_put(at, hist->lo_vaddr, width, target->big_endian);
	at += width;
	prf_byteorder_put(at, hist->hi_vaddr, width, target->big_endian);
	at += width;
	prf_byteorder_put(at, hist->n_bins, 4, target->big_endian);
	at += 4;
	prf_byteorder_put(at, target->rate_hz, 4, target->big_endian);
	at += 4;
	memcpy(at, target->dimension,
	       strnlen(target->dimension, PRF_GMON_DIMENSION_BYTES));
	at += PRF_GMON_DIMENSION_BYTES;
	*at++ = (uint8_t)target->abbreviation;
	return prf_gmon_writer_put(writer, head, (size_t)(at - head), err);
}

/* What is left of each count after BEFORE of it, as far as a counter can hold
 * it. */
static int
write_bins(struct prf_gmon_writer *writer, const struct prf_gmon_hist *hist,
	   uint64_t before, struct prf_error *err)
{
	bool big_endian = prf_gmon_writer_target(writer)->big_endian;
	uint8_t part[PART_BINS * PRF_GMON_BIN_BYTES];
	size_t n = 0;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < hist->n_bins; i++) {
		uint64_t count = hist->counts[i];
		uint64_t left = count > before ? count - before : 0;

		prf_byteorder_put(part + n,
				  left < UINT16_MAX ? left : UINT16_MAX,
				  PRF_GMON_BIN_BYTES, big_endian);
		n += PRF_GMON_BIN_BYTES;
		if (n == sizeof part || i + 1 == hist->n_bins) {
			rc = prf_gmon_writer_put(writer, part, n, err);
			n = 0;
		}
	}
	return rc;
}

int
prf_gmon_writer_hist(struct prf_gmon_writer *writer,
		     const struct prf_gmon_hist *hist, struct prf_error *err)
{
	uint32_t bin;
	uint64_t largest = largest_of(hist, &bin), written = 0;
	int rc = check(writer, hist, largest, bin, err);

	if (!rc)
		rc = prf_gmon_writer_end_ticks(writer, err);
	do {
		if (!rc)
			rc = write_head(writer, hist, err);
		if (!rc)
			rc = write_bins(writer, hist, written, err);
		written += UINT16_MAX;
	} while (!rc && written < largest);
	return rc;
}
