#include "core/gmon.h"

#include "core/byteorder.h"
#include "core/gmon/gmon_format.h"
#include "core/gmon/gmon_writer.h"
#include "core/scope.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What gprof reads correctly without guesses: see gmon.out(5). */
#define UNIT_BYTES 2
#define N_BINS (PRF_GMON_BLOCK_BYTES / UNIT_BYTES)
#define BIN_MAX UINT16_MAX

#define RECORD_MAX_BYTES                                                       \
	(1 + 2 * 8 + PRF_GMON_HIST_FIXED_BYTES + N_BINS * PRF_GMON_BIN_BYTES)

enum stage { STAGE_TICKS, STAGE_ARCS, STAGE_FINISHED };

struct prf_gmon_writer {
	FILE *out;
	struct prf_gmon_target target; /* with all of its defaults */
	enum stage stage;
	int write_errno; /* of the first write that failed, or 0 */
	uint64_t last_vaddr;
	uint64_t block_vaddr;   /* of the block that is being counted */
	bool block_begun;       /* it is to be written, if only with zeros */
	uint32_t ticks[N_BINS]; /* in it, and not written yet */
};

PRF_DEFINE_AUTO(prf_gmon_writer, prf_gmon_writer_free);

/* A record, put together before any of it is written. */
struct record {
	uint8_t bytes[RECORD_MAX_BYTES];
	size_t size_bytes;
	struct prf_gmon_target target;
};

static void
put(struct record *record, uint64_t value, unsigned n_bytes)
{
	prf_byteorder_put(record->bytes + record->size_bytes, value, n_bytes,
			  record->target.big_endian);
	record->size_bytes += n_bytes;
}

static void
put_vaddr(struct record *record, uint64_t vaddr)
{
	put(record, vaddr, record->target.addr_bytes);
}

/* TEXT, filled up with NUL or cut to N_BYTES. */
static void
put_text(struct record *record, const char *text, size_t n_bytes)
{
	uint8_t *at = record->bytes + record->size_bytes;

	memset(at, 0, n_bytes);
	memcpy(at, text, strnlen(text, n_bytes));
	record->size_bytes += n_bytes;
}

/* 0 while all writes went well; the file ends at the first that did not. */
static int
write_status(const struct prf_gmon_writer *writer, struct prf_error *err)
{
	if (!writer->write_errno)
		return 0;
	errno = writer->write_errno;
	return prf_error_set(err, -errno, "cannot write gmon.out: %m");
}

int
prf_gmon_writer_put(struct prf_gmon_writer *writer, const void *bytes,
		    size_t size_bytes, struct prf_error *err)
{
	if (writer->write_errno)
		return write_status(writer, err);

	errno = 0;
	if (fwrite(bytes, size_bytes, 1, writer->out) != 1)
		writer->write_errno = errno ? errno : EIO;
	return write_status(writer, err);
}

static int
write_record(struct prf_gmon_writer *writer, const struct record *record,
	     struct prf_error *err)
{
	return prf_gmon_writer_put(writer, record->bytes, record->size_bytes,
				   err);
}

static int
write_header(struct prf_gmon_writer *writer, struct prf_error *err)
{
	struct record record = {.target = writer->target};

	put_text(&record, PRF_GMON_COOKIE, PRF_GMON_COOKIE_BYTES);
	put(&record, PRF_GMON_VERSION, 4);
	put_text(&record, writer->target.mark, PRF_GMON_SPARE_BYTES);
	return write_record(writer, &record, err);
}

/* Moves what a counter of the file can hold out of each bin of the block.
 * Returns whether anything is left. */
static bool
put_bins(struct record *record, uint32_t *ticks)
{
	const bool big_endian = record->target.big_endian;
	uint8_t *at = record->bytes + record->size_bytes;
	uint32_t left = 0;

	for (size_t i = 0; i < N_BINS; i++, at += PRF_GMON_BIN_BYTES) {
		uint32_t part = ticks[i] < BIN_MAX ? ticks[i] : BIN_MAX;

		prf_byteorder_put(at, part, PRF_GMON_BIN_BYTES, big_endian);
		ticks[i] -= part;
		left |= ticks[i];
	}
	record->size_bytes += N_BINS * PRF_GMON_BIN_BYTES;
	return left > 0;
}

/* Writes the block's record, again and again until nothing of it is left. */
static int
write_block(struct prf_gmon_writer *writer, struct prf_error *err)
{
	while (writer->block_begun) {
		struct record record = {.target = writer->target};

		put(&record, PRF_GMON_TAG_HIST, 1);
		put_vaddr(&record, writer->block_vaddr);
		put_vaddr(&record, writer->block_vaddr + PRF_GMON_BLOCK_BYTES);
		put(&record, N_BINS, 4);
		put(&record, writer->target.rate_hz, 4);
		put_text(&record, writer->target.dimension,
			 PRF_GMON_DIMENSION_BYTES);
		put(&record, (unsigned char)writer->target.abbreviation, 1);
		writer->block_begun = put_bins(&record, writer->ticks);

		int status = write_record(writer, &record, err);
		if (status)
			return status;
	}
	return 0;
}

int
prf_gmon_writer_end_ticks(struct prf_gmon_writer *writer, struct prf_error *err)
{
	if (writer->stage != STAGE_TICKS)
		return prf_error_set(err, -EINVAL,
				     "a histogram after arcs or the end of "
				     "gmon.out");
	return write_block(writer, err);
}

const struct prf_gmon_target *
prf_gmon_writer_target(const struct prf_gmon_writer *writer)
{
	return &writer->target;
}

static uint64_t
highest_vaddr(const struct prf_gmon_writer *writer)
{
	return writer->target.addr_bytes == 4 ? UINT32_MAX : UINT64_MAX;
}

static int
check_fits(const struct prf_gmon_writer *writer, uint64_t vaddr,
	   struct prf_error *err)
{
	if (vaddr <= highest_vaddr(writer))
		return 0;
	return prf_error_set(err, -EOVERFLOW,
			     "0x%" PRIx64 " does not fit addresses of %u bytes",
			     vaddr, writer->target.addr_bytes);
}

/* Whether a file can have ticks at VADDR, after those it has. */
static int
check_place(const struct prf_gmon_writer *writer, uint64_t vaddr,
	    struct prf_error *err)
{
	int status = write_status(writer, err);
	if (status)
		return status;
	if (writer->stage != STAGE_TICKS)
		return prf_error_set(err, -EINVAL,
				     "ticks at 0x%" PRIx64
				     " after arcs or the end of gmon.out",
				     vaddr);

	status = check_fits(writer, vaddr, err);
	if (status)
		return status;
	if (vaddr > highest_vaddr(writer) - PRF_GMON_BLOCK_BYTES)
		return prf_error_set(err, -EOVERFLOW,
				     "0x%" PRIx64
				     " is in the last block of the address "
				     "space, whose end gmon.out cannot express",
				     vaddr);
	if (vaddr / UNIT_BYTES < writer->last_vaddr / UNIT_BYTES)
		return prf_error_set(err, -EINVAL,
				     "ticks at 0x%" PRIx64
				     " after those at 0x%" PRIx64,
				     vaddr, writer->last_vaddr);
	return 0;
}

static int
enter_block(struct prf_gmon_writer *writer, uint64_t block_vaddr,
	    struct prf_error *err)
{
	if (block_vaddr == writer->block_vaddr)
		return 0;

	int status = write_block(writer, err);
	if (status)
		return status;
	writer->block_vaddr = block_vaddr;
	return 0;
}

static int
check_target(const struct prf_gmon_target *target, struct prf_error *err)
{
	if (target->addr_bytes != 4 && target->addr_bytes != 8)
		return prf_error_set(err, -EINVAL,
				     "gmon.out has addresses of 4 or 8 bytes, "
				     "not %u",
				     target->addr_bytes);
	if (!target->rate_hz)
		return prf_error_set(err, -EINVAL,
				     "a rate of 0 gives ticks no length");
	return 0;
}

/* What TARGET leaves out is what most files have. */
static struct prf_gmon_target
with_defaults(struct prf_gmon_target target)
{
	if (!target.dimension) {
		target.dimension = "seconds";
		target.abbreviation = 's';
	}
	if (!target.mark)
		target.mark = "";
	return target;
}

int
prf_gmon_writer_new(FILE *out, const struct prf_gmon_target *target,
		    struct prf_gmon_writer **writer, struct prf_error *err)
{
	int status = check_target(target, err);
	if (status)
		return status;

	PRF_AUTO(prf_gmon_writer_auto)
	struct prf_gmon_writer *begun = calloc(1, sizeof *begun);
	if (!begun)
		return prf_error_set(err, -ENOMEM, "no memory for gmon.out");
	begun->out = out;
	begun->target = with_defaults(*target);

	status = write_header(begun, err);
	if (status)
		return status;
	*writer = PRF_TAKE(begun);
	return 0;
}

int
prf_gmon_writer_ticks(struct prf_gmon_writer *writer, uint64_t vaddr,
		      uint64_t ticks, struct prf_error *err)
{
	int status = check_place(writer, vaddr, err);
	if (status)
		return status;

	/* A call that is refused must change nothing: all checks come before
	 * the block is left. */
	uint64_t block_vaddr = vaddr - vaddr % PRF_GMON_BLOCK_BYTES;
	size_t bin = (size_t)(vaddr - block_vaddr) / UNIT_BYTES;
	uint32_t before =
		block_vaddr == writer->block_vaddr ? writer->ticks[bin] : 0;
	if (ticks > PRF_GMON_MAX_TICKS - before)
		return prf_error_set(err, -EOVERFLOW,
				     "more than %" PRIu32 " ticks at 0x%" PRIx64
				     ": gprof adds in 32 bits",
				     (uint32_t)PRF_GMON_MAX_TICKS, vaddr);

	status = enter_block(writer, block_vaddr, err);
	if (status)
		return status;
	writer->ticks[bin] += (uint32_t)ticks;
	writer->block_begun = true;
	writer->last_vaddr = vaddr;
	return write_status(writer, err);
}

static bool
are_zero(const uint32_t *ticks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ticks[i])
			return false;
	return true;
}

/* For N units, all of one block: if the first is allowed, the others are. */
static int
add_units(struct prf_gmon_writer *writer, uint64_t vaddr, const uint32_t *ticks,
	  size_t n, struct prf_error *err)
{
	int status = prf_gmon_writer_ticks(writer, vaddr, ticks[0], err);
	if (status)
		return status;

	size_t bin = (size_t)(vaddr - writer->block_vaddr) / UNIT_BYTES;
	memcpy(&writer->ticks[bin + 1], &ticks[1], (n - 1) * sizeof *ticks);
	writer->last_vaddr = vaddr + (n - 1) * UNIT_BYTES;
	return 0;
}

int
prf_gmon_writer_units(struct prf_gmon_writer *writer, uint64_t vaddr,
		      const uint32_t *ticks, size_t n, struct prf_error *err)
{
	int status = 0;

	while (!status && n > 0) {
		size_t bin =
			(size_t)(vaddr % PRF_GMON_BLOCK_BYTES) / UNIT_BYTES;
		size_t part = n < N_BINS - bin ? n : N_BINS - bin;

		if (!are_zero(ticks, part))
			status = add_units(writer, vaddr, ticks, part, err);
		vaddr += part * UNIT_BYTES;
		ticks += part;
		n -= part;
	}
	return status;
}

static int
check_arc(const struct prf_gmon_writer *writer, uint64_t from_vaddr,
	  uint64_t to_vaddr, uint64_t count, struct prf_error *err)
{
	int status = write_status(writer, err);
	if (status)
		return status;
	if (writer->stage == STAGE_FINISHED)
		return prf_error_set(err, -EINVAL,
				     "an arc after the end of gmon.out");

	status = check_fits(writer, from_vaddr, err);
	if (status)
		return status;
	status = check_fits(writer, to_vaddr, err);
	if (status)
		return status;
	if (count > (uint64_t)UINT32_MAX * PRF_GMON_MAX_ARC_RECORDS)
		return prf_error_set(err, -EOVERFLOW,
				     "an arc from 0x%" PRIx64 " to 0x%" PRIx64
				     " cannot be written %" PRIu64 " times",
				     from_vaddr, to_vaddr, count);
	return 0;
}

int
prf_gmon_writer_arc(struct prf_gmon_writer *writer, uint64_t from_vaddr,
		    uint64_t to_vaddr, uint64_t count, struct prf_error *err)
{
	int status = check_arc(writer, from_vaddr, to_vaddr, count, err);
	if (status)
		return status;

	status = write_block(writer, err);
	if (status)
		return status;
	writer->stage = STAGE_ARCS;

	while (count) {
		uint32_t part =
			count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
		struct record record = {.target = writer->target};

		put(&record, PRF_GMON_TAG_ARC, 1);
		put_vaddr(&record, from_vaddr);
		put_vaddr(&record, to_vaddr);
		put(&record, part, 4);
		status = write_record(writer, &record, err);
		if (status)
			return status;
		count -= part;
	}
	return write_status(writer, err);
}

int
prf_gmon_writer_finish(struct prf_gmon_writer *writer, struct prf_error *err)
{
	int status = write_block(writer, err);
	if (status)
		return status;
	writer->stage = STAGE_FINISHED;

	if (!writer->write_errno && fflush(writer->out) != 0)
		writer->write_errno = errno ? errno : EIO;
	/* A failure of OUT that another has met, whatever its reason. */
	if (!writer->write_errno && ferror(writer->out))
		writer->write_errno = EIO;
	return write_status(writer, err);
}

void
prf_gmon_writer_free(struct prf_gmon_writer *writer)
{
	free(writer);
}
