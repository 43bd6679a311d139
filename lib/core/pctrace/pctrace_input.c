#include "core/pctrace/pctrace_input.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "core/byteorder.h"

/* After searching so many bytes for blocks, in all, the reader gives the rest
 * up: a bound on the time that any file can take. */
#define VAIN_MAX_BYTES (UINT64_C(256) << 20)

/* --- Bytes */

static const uint8_t *
window(const struct prf_pctrace_input *input)
{
	return input->bytes + input->begin;
}

/* Reads until N_BYTES are in the window; returns how many are, if fewer. */
static size_t
need(struct prf_pctrace_input *input, size_t n_bytes)
{
	if (input->begin == input->end || /* which costs nothing */
	    n_bytes > sizeof input->bytes - input->begin) {
		memmove(input->bytes, window(input), input->end - input->begin);
		input->end -= input->begin;
		input->begin = 0;
	}
	while (input->end - input->begin < n_bytes && !input->ended) {
		errno = 0;
		input->end +=
			fread(input->bytes + input->end, 1,
			      n_bytes - (input->end - input->begin), input->in);
		if (ferror(input->in)) {
			input->failed = errno ? -errno : -EIO;
			input->ended = true;
		} else if (feof(input->in)) {
			input->ended = true;
		}
	}
	size_t there = input->end - input->begin;
	return there < n_bytes ? there : n_bytes;
}

static void
skip(struct prf_pctrace_input *input, size_t n_bytes)
{
	input->begin += n_bytes;
	input->off += n_bytes;
}

static uint64_t
number_at(const uint8_t *header, unsigned off, unsigned n_bytes)
{
	return prf_byteorder_get(header + off, n_bytes, false);
}

void
prf_pctrace_input_damage(struct prf_pctrace_report *report, uint64_t off,
			 const char *what)
{
	report->n_damaged++;
	if (!report->damage.code)
		prf_error_set(&report->damage, -EBADMSG,
			      "offset %" PRIu64 ": %s", off, what);
}

/* --- The file's header */

static int
complain(struct prf_error *err, int code, uint64_t off, const char *what)
{
	return prf_error_set(err, code, "offset %" PRIu64 ": %s", off, what);
}

static int
check_header(const struct prf_pctrace_input *input, size_t n_bytes,
	     struct prf_error *err)
{
	const uint8_t *header = window(input);
	size_t n_magic = n_bytes < PRF_PCTRACE_MAGIC_BYTES
				 ? n_bytes
				 : PRF_PCTRACE_MAGIC_BYTES;

	if (n_bytes == 0)
		return complain(err, -EBADMSG, 0,
				"the file is empty; not a pcsample trace");
	if (memcmp(header, PRF_PCTRACE_MAGIC, n_magic) != 0)
		return complain(err, -EBADMSG, 0, "not a pcsample trace");
	if (n_bytes < PRF_PCTRACE_HEADER_BYTES)
		return complain(err, -EBADMSG, n_bytes,
				"the file ends in the header of a pcsample "
				"trace");
	if (number_at(header, PRF_PCTRACE_SUM_OFF, 4) !=
	    prf_crc32_of(&input->crc, header, PRF_PCTRACE_SUM_OFF))
		return complain(err, -EBADMSG, PRF_PCTRACE_VERSION_OFF,
				"the header of this pcsample trace is damaged");

	unsigned version =
		(unsigned)number_at(header, PRF_PCTRACE_VERSION_OFF, 2);
	unsigned flags = (unsigned)number_at(header, PRF_PCTRACE_FLAGS_OFF, 2);
	if (version >= PRF_PCTRACE_OLDEST_VERSION &&
	    version <= PRF_PCTRACE_VERSION && flags == 0)
		return 0;
	return prf_error_set(err, -ENOTSUP,
			     "offset %u: a pcsample trace of version %u.%u; "
			     "only %u.0 to %u.0 can be read",
			     PRF_PCTRACE_VERSION_OFF, version, flags,
			     PRF_PCTRACE_OLDEST_VERSION, PRF_PCTRACE_VERSION);
}

int
prf_pctrace_input_begin(struct prf_pctrace_input *input, FILE *in,
			struct prf_error *err)
{
	input->in = in;
	prf_crc32_init(&input->crc);
	size_t n_bytes = need(input, PRF_PCTRACE_HEADER_BYTES);
	if (input->failed)
		return prf_error_set(err, input->failed,
				     "cannot read the trace: %s",
				     strerror(-input->failed));

	int rc = check_header(input, n_bytes, err);
	if (!rc)
		skip(input, PRF_PCTRACE_HEADER_BYTES);
	return rc;
}

/* --- Blocks */

static bool
is_header(const struct prf_pctrace_input *input, const uint8_t *at)
{
	return memcmp(at, PRF_PCTRACE_MARKER, PRF_PCTRACE_MARKER_BYTES) == 0 &&
	       number_at(at, PRF_PCTRACE_BLOCK_HEADER_SUM_OFF, 4) ==
		       prf_crc32_of(&input->crc, at,
				    PRF_PCTRACE_BLOCK_HEADER_SUM_OFF) &&
	       number_at(at, PRF_PCTRACE_BLOCK_BYTES_OFF, 4) <=
		       PRF_PCTRACE_MAX_PAYLOAD_BYTES;
}

/* Where in N_BYTES of the window, from FROM on, a header is; N_BYTES if there
 * is no complete one. */
static size_t
find_header(const struct prf_pctrace_input *input, size_t from, size_t n_bytes)
{
	const uint8_t *bytes = window(input), *at = bytes + from;
	const uint8_t *end = bytes + n_bytes;

	while (at < end) {
		at = memchr(at, PRF_PCTRACE_MARKER[0], (size_t)(end - at));
		if (!at || end - at < PRF_PCTRACE_BLOCK_HEADER_BYTES)
			return n_bytes;
		if (is_header(input, at))
			return (size_t)(at - bytes);
		at++;
	}
	return n_bytes;
}

/* Skips to the next header behind the window's first byte, or all there is. */
static void
search(struct prf_pctrace_input *input)
{
	enum { STRIDE_BYTES = 64 << 10 };
	bool found = false;

	for (size_t from = 1; !found && input->in_vain < VAIN_MAX_BYTES;
	     from = 0) {
		size_t n_bytes = need(input, STRIDE_BYTES);
		size_t at = find_header(input, from, n_bytes);

		found = at < n_bytes || n_bytes < STRIDE_BYTES;
		if (!found) /* One may begin here and not end. */
			at -= PRF_PCTRACE_BLOCK_HEADER_BYTES - 1;
		input->in_vain += at;
		skip(input, at);
	}
}

static void
damage_and_search(struct prf_pctrace_input *input,
		  struct prf_pctrace_report *report, const char *what)
{
	prf_pctrace_input_damage(report, input->off, what);
	search(input);
	if (input->in_vain >= VAIN_MAX_BYTES && !input->gave_up) {
		input->gave_up = true;
		prf_pctrace_input_damage(report, input->off,
					 "too much damage, the rest is not "
					 "read");
	}
}

/* The block at the beginning of the window, where a good header is.  False: it
 * is damaged. */
static bool
take_block(struct prf_pctrace_input *input, struct prf_pctrace_block *block,
	   struct prf_pctrace_report *report)
{
	enum { HEADER_BYTES = PRF_PCTRACE_BLOCK_HEADER_BYTES };
	size_t payload_bytes = (size_t)number_at(
		window(input), PRF_PCTRACE_BLOCK_BYTES_OFF, 4);
	size_t whole_bytes = HEADER_BYTES + payload_bytes;
	size_t n_bytes = need(input, whole_bytes);
	const uint8_t *header = window(input);

	block->off = input->off + HEADER_BYTES;
	block->time_ns = number_at(header, PRF_PCTRACE_BLOCK_TIME_OFF, 8);
	block->events_before =
		number_at(header, PRF_PCTRACE_BLOCK_EVENTS_OFF, 8);
	block->ticks_before = number_at(header, PRF_PCTRACE_BLOCK_TICKS_OFF, 8);
	block->payload = header + HEADER_BYTES;
	block->n_bytes = n_bytes - HEADER_BYTES;
	block->is_cut = n_bytes < whole_bytes;

	/* A file that has lost bytes elsewhere ends early, too. */
	if (block->is_cut &&
	    find_header(input, HEADER_BYTES, n_bytes) < n_bytes) {
		damage_and_search(input, report,
				  "bytes are missing from this block");
		return false;
	}
	if (!block->is_cut &&
	    number_at(header, PRF_PCTRACE_BLOCK_SUM_OFF, 4) !=
		    prf_crc32_of(&input->crc, block->payload, payload_bytes)) {
		input->in_vain += payload_bytes;
		damage_and_search(input, report,
				  "the checksum of this block does not hold");
		return false;
	}
	skip(input, n_bytes);
	return true;
}

bool
prf_pctrace_input_next(struct prf_pctrace_input *input,
		       struct prf_pctrace_block *block,
		       struct prf_pctrace_report *report)
{
	while (!input->gave_up) {
		size_t n_bytes = need(input, PRF_PCTRACE_BLOCK_HEADER_BYTES);

		if (n_bytes == 0)
			return false;
		if (n_bytes < PRF_PCTRACE_BLOCK_HEADER_BYTES) {
			/* As much of a header as was written. */
			if (memcmp(window(input), PRF_PCTRACE_MARKER,
				   n_bytes < PRF_PCTRACE_MARKER_BYTES
					   ? n_bytes
					   : PRF_PCTRACE_MARKER_BYTES) != 0)
				prf_pctrace_input_damage(report, input->off,
							 "no block begins "
							 "here");
			skip(input, n_bytes);
			return false;
		}
		if (!is_header(input, window(input)))
			damage_and_search(input, report,
					  "no block begins here");
		else if (take_block(input, block, report))
			return true;
	}
	return false;
}

bool
prf_pctrace_input_more(struct prf_pctrace_input *input)
{
	return need(input, 1) > 0;
}
