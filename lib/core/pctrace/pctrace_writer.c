#include "core/pctrace/pctrace_writer.h"

#include <errno.h>

#include "core/byteorder.h"

/* A block ends when it has PRF_PCTRACE_BLOCK_BYTES, or its events span this
 * time: it is what is lost when profrun is killed, and what each block
 * costs. */
#define BLOCK_NS UINT64_C(1000000000)

/* What a block repeats leaves room for any sample.  It is all of one block, and
 * may take more bytes than it took there, as its times are relative to
 * others. */
_Static_assert(3 * PRF_PCTRACE_BLOCK_BYTES + 2 * PRF_PCTRACE_MAX_STRING_BYTES +
			       PRF_PCTRACE_MAX_FRAMES * 11 +
			       PRF_PCTRACE_MAX_KERNEL *
				       (PRF_PCTRACE_MAX_KERNEL_NAME_BYTES +
					10) +
			       2048 <
		       PRF_PCTRACE_MAX_PAYLOAD_BYTES,
	       "a sample with the largest stack fits into a block");

int
prf_pctrace_writer_write(struct prf_pctrace_writer *writer, const void *bytes,
			 size_t n_bytes)
{
	errno = 0;
	if (fwrite(bytes, 1, n_bytes, writer->file) < n_bytes)
		writer->failed = errno ? -errno : -EIO;
	return writer->failed;
}

static void
begin_block(struct prf_pctrace_writer *writer)
{
	writer->events_before += writer->events;
	writer->ticks_before += writer->ticks;
	writer->events = writer->ticks = 0;
	writer->n_bytes = writer->n_again_bytes = 0;
}

int
prf_pctrace_writer_end_block(struct prf_pctrace_writer *writer)
{
	uint8_t header[PRF_PCTRACE_BLOCK_HEADER_BYTES] = PRF_PCTRACE_MARKER;

	if (writer->failed || writer->n_bytes == 0)
		return writer->failed;
	prf_byteorder_put(header + PRF_PCTRACE_BLOCK_BYTES_OFF, writer->n_bytes,
			  4, false);
	prf_byteorder_put(header + PRF_PCTRACE_BLOCK_TIME_OFF, writer->begin_ns,
			  8, false);
	prf_byteorder_put(header + PRF_PCTRACE_BLOCK_EVENTS_OFF,
			  writer->events_before, 8, false);
	prf_byteorder_put(header + PRF_PCTRACE_BLOCK_TICKS_OFF,
			  writer->ticks_before, 8, false);
	prf_byteorder_put(
		header + PRF_PCTRACE_BLOCK_SUM_OFF,
		prf_crc32_of(&writer->crc, writer->payload, writer->n_bytes), 4,
		false);
	prf_byteorder_put(header + PRF_PCTRACE_BLOCK_HEADER_SUM_OFF,
			  prf_crc32_of(&writer->crc, header,
				       PRF_PCTRACE_BLOCK_HEADER_SUM_OFF),
			  4, false);

	int rc = prf_pctrace_writer_write(writer, header, sizeof header);
	if (!rc)
		rc = prf_pctrace_writer_write(writer, writer->payload,
					      writer->n_bytes);
	errno = 0;
	if (!rc && fflush(writer->file))
		rc = writer->failed = errno ? -errno : -EIO;
	begin_block(writer);
	return rc;
}

static bool
is_full(const struct prf_pctrace_writer *writer, uint64_t time_ns,
	size_t n_bytes)
{
	bool is_late = time_ns > writer->begin_ns &&
		       time_ns - writer->begin_ns >= BLOCK_NS;

	return is_late ||
	       writer->n_bytes - writer->n_again_bytes >=
		       PRF_PCTRACE_BLOCK_BYTES ||
	       writer->n_bytes + n_bytes > sizeof writer->payload;
}

int
prf_pctrace_writer_room(struct prf_pctrace_writer *writer, uint64_t time_ns,
			size_t n_bytes)
{
	/* What is repeated is of one block, and there is room for it. */
	if (writer->failed || writer->tells_again)
		return writer->failed;
	if (is_full(writer, time_ns, n_bytes)) {
		int rc = prf_pctrace_writer_end_block(writer);
		if (rc)
			return rc;
	}
	if (writer->n_bytes > 0)
		return 0;
	writer->begin_ns = time_ns;
	memset(writer->slots, 0, sizeof writer->slots);
	prf_pctrace_state_begin(&writer->state, time_ns);
	return writer->tell_again(writer);
}
