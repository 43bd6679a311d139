#include "core/gmon/gmon_scan.h"

#include "core/gmon/gmon_cursor.h"
#include "core/gmon/gmon_format.h"

#include <stdlib.h>
#include <string.h>

/* --- The format that begins with "gmon" --- */

/* The rate and the unit's names, which all records should share. */
static int
scan_unit(struct prf_gmon_cursor *cursor, uint64_t record_off)
{
	struct prf_gmon_scan *scan = cursor->scan;
	uint32_t rate_hz = (uint32_t)prf_gmon_cursor_take(cursor, 4);
	char dimension[PRF_GMON_DIMENSION_BYTES + 1] = "";
	char abbreviation[2] = "";

	memcpy(dimension, cursor->bytes + cursor->off,
	       PRF_GMON_DIMENSION_BYTES);
	cursor->off += PRF_GMON_DIMENSION_BYTES;
	abbreviation[0] = (char)prf_gmon_cursor_take(cursor, 1);

	if (scan->n_ranges == 0) {
		scan->rate_hz = rate_hz;
		strcpy(scan->dimension, dimension);
		strcpy(scan->abbreviation, abbreviation);
		return 0;
	}
	if (strcmp(dimension, scan->dimension) != 0 ||
	    abbreviation[0] != scan->abbreviation[0])
		return PRF_GMON_COMPLAIN(
			cursor, record_off,
			"dimension changed between histogram records, "
			"from \"%s\" (\"%s\") to \"%s\" (\"%s\")",
			scan->dimension, scan->abbreviation, dimension,
			abbreviation);
	if (rate_hz != scan->rate_hz && !scan->rates_differ) {
		scan->rates_differ = true;
		scan->rates_differ_off = record_off;
	}
	return 0;
}

static int
scan_hist(struct prf_gmon_cursor *cursor, uint64_t record_off)
{
	const char *what = "a histogram record";
	unsigned addr_bytes = cursor->scan->reading.addr_bytes;
	int status = prf_gmon_cursor_need(cursor, what, record_off,
					  2 * addr_bytes +
						  PRF_GMON_HIST_FIXED_BYTES);
	if (status)
		return status;

	struct prf_gmon_range range = {.off = record_off};
	range.lo_vaddr = prf_gmon_cursor_take_vaddr(cursor);
	range.hi_vaddr = prf_gmon_cursor_take_vaddr(cursor);
	range.n_bins = (uint32_t)prf_gmon_cursor_take(cursor, 4);
	status = scan_unit(cursor, record_off);
	if (status)
		return status;

	uint64_t counts_bytes = (uint64_t)range.n_bins * PRF_GMON_BIN_BYTES;
	status = prf_gmon_cursor_need(cursor, what, record_off, counts_bytes);
	if (status)
		return status;
	range.counts_off = cursor->off;
	cursor->off += counts_bytes;
	return prf_gmon_cursor_add_range(cursor, &range);
}

static int
scan_arc(struct prf_gmon_cursor *cursor, uint64_t record_off)
{
	unsigned addr_bytes = cursor->scan->reading.addr_bytes;
	int status = prf_gmon_cursor_need(cursor, "an arc record", record_off,
					  2 * addr_bytes + 4);
	if (status)
		return status;

	struct prf_gmon_arc arc = {0};
	arc.from_vaddr = prf_gmon_cursor_take_vaddr(cursor);
	arc.to_vaddr = prf_gmon_cursor_take_vaddr(cursor);
	arc.count = prf_gmon_cursor_take(cursor, 4);
	return prf_gmon_cursor_add_arc(cursor, &arc);
}

/* Pairs of an address and a count as wide as one, passed over. */
static int
scan_bbs(struct prf_gmon_cursor *cursor, uint64_t record_off)
{
	const char *what = "a basic-block record";
	int status = prf_gmon_cursor_need(cursor, what, record_off, 4);
	if (status)
		return status;

	uint64_t n_bbs = prf_gmon_cursor_take(cursor, 4);
	uint64_t n_bytes = n_bbs * 2 * cursor->scan->reading.addr_bytes;
	status = prf_gmon_cursor_need(cursor, what, record_off, n_bytes);
	if (status)
		return status;
	cursor->off += n_bytes;
	cursor->scan->n_bb_records++;
	cursor->scan->n_bbs += n_bbs;
	return 0;
}

static int
scan_record(struct prf_gmon_cursor *cursor)
{
	uint64_t record_off = cursor->off;
	uint64_t tag = prf_gmon_cursor_take(cursor, 1);

	switch (tag) {
	case PRF_GMON_TAG_HIST:
		return scan_hist(cursor, record_off);
	case PRF_GMON_TAG_ARC:
		return scan_arc(cursor, record_off);
	case PRF_GMON_TAG_BB:
		return scan_bbs(cursor, record_off);
	default:
		return PRF_GMON_COMPLAIN(cursor, record_off,
					 "%" PRIu64 " is no tag of a record",
					 tag);
	}
}

/* What the dynamic linker writes for LD_PROFILE begins like a gmon.out. */
#define LD_PROFILE_VERSION 0x1ffff

static int
scan_magic_header(struct prf_gmon_cursor *cursor)
{
	int status = prf_gmon_cursor_need(cursor, "the header", 0,
					  PRF_GMON_HEADER_BYTES);
	if (status)
		return status;

	cursor->off = PRF_GMON_COOKIE_BYTES;
	uint64_t version = prf_gmon_cursor_take(cursor, 4);
	if (version == LD_PROFILE_VERSION)
		return PRF_GMON_COMPLAIN(cursor, PRF_GMON_COOKIE_BYTES, "%s",
					 "a profile of the dynamic linker, for "
					 "sprof(1); not a gmon.out");
	if (version > PRF_GMON_VERSION)
		return PRF_GMON_COMPLAIN(cursor, PRF_GMON_COOKIE_BYTES,
					 "version %" PRIu64 " is not known",
					 version);
	cursor->off += PRF_GMON_SPARE_BYTES;
	return 0;
}

static int
scan_magic(struct prf_gmon_cursor *cursor)
{
	struct prf_gmon_scan *scan = cursor->scan;

	scan->format = PRF_GMON_FORMAT_MAGIC;
	scan->counter = (struct prf_gmon_counter){PRF_GMON_BIN_BYTES, false};
	scan->good_bytes = PRF_GMON_COOKIE_BYTES;

	int status = scan_magic_header(cursor);
	while (!status && cursor->off < cursor->size_bytes) {
		scan->good_bytes = cursor->off;
		status = scan_record(cursor);
	}
	return status;
}

/* --- BSD: one histogram with its header, arcs up to the end of the file --- */

#define BSD44_SPARE_BYTES 8

/* FreeBSD's counter type: its width in bits, negative where it has a sign; 0
 * in files that are older. */
static int
scan_counter_type(struct prf_gmon_cursor *cursor)
{
	uint64_t off = cursor->off;
	int32_t type = (int32_t)(uint32_t)prf_gmon_cursor_take(cursor, 4);
	bool is_signed = type < 0;

	switch (is_signed ? -(int64_t)type : type) {
	case 0:
		cursor->scan->counter = (struct prf_gmon_counter){2, false};
		return 0;
	case 8:
	case 16:
	case 32:
	case 64:
		cursor->scan->counter = (struct prf_gmon_counter){
			(uint8_t)(abs(type) / 8), is_signed};
		return 0;
	default:
		return PRF_GMON_COMPLAIN(cursor, off,
					 "%" PRId32 " is no type of counters",
					 type);
	}
}

/* The rest of the header of 4.4BSD, if there is one. */
static int
scan_bsd44_header(struct prf_gmon_cursor *cursor)
{
	struct prf_gmon_scan *scan = cursor->scan;

	scan->format = PRF_GMON_FORMAT_BSD;
	scan->counter = (struct prf_gmon_counter){2, false};
	if (cursor->size_bytes - cursor->off < 4)
		return 0;

	uint64_t old_header_bytes = cursor->off;
	if (prf_gmon_cursor_take(cursor, 4) != PRF_GMON_BSD44_VERSION) {
		cursor->off = old_header_bytes;
		return 0;
	}
	scan->format = PRF_GMON_FORMAT_BSD44;
	scan->good_bytes = old_header_bytes;

	int status = prf_gmon_cursor_need(cursor, "the header", 0,
					  4 + 4 + BSD44_SPARE_BYTES);
	if (status)
		return status;
	scan->rate_hz = (uint32_t)prf_gmon_cursor_take(cursor, 4);
	status = scan_counter_type(cursor);
	cursor->off += BSD44_SPARE_BYTES;
	return status;
}

/* The counters end END bytes into the file; the header has just been read. */
static int
scan_bsd_counters(struct prf_gmon_cursor *cursor, struct prf_gmon_range *range,
		  uint64_t end)
{
	const struct prf_gmon_scan *scan = cursor->scan;

	if (end < cursor->off || end > cursor->size_bytes ||
	    (end - cursor->off) % scan->counter.n_bytes)
		return PRF_GMON_COMPLAIN(
			cursor, 2 * scan->reading.addr_bytes,
			"header and counters cannot be %" PRIu64
			" bytes of a file of %" PRIu64,
			end, cursor->size_bytes);

	range->counts_off = cursor->off;
	range->n_bins = (uint32_t)((end - cursor->off) / scan->counter.n_bytes);
	cursor->off = end;
	/* Without counters a file can have arcs: the header is always there.
	 * Without a version, too, it would be anything. */
	if (range->n_bins == 0 && scan->format == PRF_GMON_FORMAT_BSD44)
		return 0;
	return prf_gmon_cursor_add_range(cursor, range);
}

static int
scan_bsd_arc(struct prf_gmon_cursor *cursor)
{
	unsigned addr_bytes = cursor->scan->reading.addr_bytes;
	int status = prf_gmon_cursor_need(cursor, "an arc", cursor->off,
					  3 * addr_bytes);
	if (status)
		return status;

	struct prf_gmon_arc arc = {0};
	arc.from_vaddr = prf_gmon_cursor_take_vaddr(cursor);
	arc.to_vaddr = prf_gmon_cursor_take_vaddr(cursor);
	arc.count = prf_gmon_cursor_take(cursor, addr_bytes);
	return prf_gmon_cursor_add_arc(cursor, &arc);
}

static int
scan_bsd(struct prf_gmon_cursor *cursor)
{
	struct prf_gmon_scan *scan = cursor->scan;
	int status = prf_gmon_cursor_need(cursor, "the header", 0,
					  2U * scan->reading.addr_bytes + 4);
	if (status)
		return status;

	struct prf_gmon_range range = {0};
	range.lo_vaddr = prf_gmon_cursor_take_vaddr(cursor);
	range.hi_vaddr = prf_gmon_cursor_take_vaddr(cursor);
	uint64_t end = prf_gmon_cursor_take(cursor, 4);
	status = scan_bsd44_header(cursor);
	if (status)
		return status;

	strcpy(scan->dimension, "seconds");
	strcpy(scan->abbreviation, "s");
	status = scan_bsd_counters(cursor, &range, end);
	while (!status && cursor->off < cursor->size_bytes) {
		scan->good_bytes = cursor->off;
		status = scan_bsd_arc(cursor);
	}
	return status;
}

int
prf_gmon_scan(const uint8_t *bytes, size_t size_bytes,
	      struct prf_gmon_reading reading, struct prf_gmon_scan *scan,
	      struct prf_error *err)
{
	struct prf_gmon_cursor cursor = {
		.bytes = bytes,
		.size_bytes = size_bytes,
		.scan = scan,
		.err = err,
	};
	bool is_magic =
		size_bytes >= PRF_GMON_COOKIE_BYTES &&
		memcmp(bytes, PRF_GMON_COOKIE, PRF_GMON_COOKIE_BYTES) == 0;

	*scan = (struct prf_gmon_scan){.reading = reading};
	int status = is_magic ? scan_magic(&cursor) : scan_bsd(&cursor);
	return status ? status : prf_gmon_cursor_sort_ranges(&cursor);
}

void
prf_gmon_scan_release(struct prf_gmon_scan *scan)
{
	free(scan->ranges);
	free(scan->arcs);
	scan->ranges = NULL;
	scan->arcs = NULL;
}
