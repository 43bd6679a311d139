#include "core/gmon/gmon_cursor.h"

#include "core/byteorder.h"

#include <stdlib.h>

int
prf_gmon_cursor_need(const struct prf_gmon_cursor *cursor, const char *what,
		     uint64_t start, uint64_t n_bytes)
{
	uint64_t left = cursor->size_bytes - cursor->off;

	if (n_bytes <= left)
		return 0;
	return PRF_GMON_COMPLAIN(cursor, start,
				 "%s is cut: the file has %" PRIu64
				 " of the %" PRIu64
				 " bytes that follow offset %" PRIu64,
				 what, left, n_bytes, cursor->off);
}

uint64_t
prf_gmon_cursor_take(struct prf_gmon_cursor *cursor, unsigned n_bytes)
{
	uint64_t value = prf_byteorder_get(cursor->bytes + cursor->off, n_bytes,
					   cursor->scan->reading.big_endian);

	cursor->off += n_bytes;
	return value;
}

uint64_t
prf_gmon_cursor_take_vaddr(struct prf_gmon_cursor *cursor)
{
	return prf_gmon_cursor_take(cursor, cursor->scan->reading.addr_bytes);
}

/* Room for one more element; the array is at most twice what it has to be. */
static int
grow(void **array, size_t n, size_t *max, size_t element_bytes,
     struct prf_error *err)
{
	if (n < *max)
		return 0;

	size_t more = *max ? *max * 2 : 16;
	void *grown = reallocarray(*array, more, element_bytes);
	if (!grown)
		return prf_error_set(err, -ENOMEM,
				     "no memory for %zu records of gmon.out",
				     more);
	*array = grown;
	*max = more;
	return 0;
}

int
prf_gmon_cursor_add_arc(struct prf_gmon_cursor *cursor,
			const struct prf_gmon_arc *arc)
{
	struct prf_gmon_scan *scan = cursor->scan;
	void *arcs = scan->arcs;
	int status = grow(&arcs, scan->n_arcs, &scan->max_arcs,
			  sizeof *scan->arcs, cursor->err);

	scan->arcs = arcs;
	if (status)
		return status;
	scan->arcs[scan->n_arcs++] = *arc;
	return 0;
}

/* gprof's measure: units of 2 bytes in a bin. */
static double
scale_of(const struct prf_gmon_range *range)
{
	return (double)(range->hi_vaddr - range->lo_vaddr) / 2 / range->n_bins;
}

static bool
scales_differ(const struct prf_gmon_range *a, const struct prf_gmon_range *b)
{
	double difference = scale_of(a) - scale_of(b);

	/* The tolerance is gprof's, and absolute, as there. */
	return difference > 0.000001 || difference < -0.000001;
}

int
prf_gmon_cursor_add_range(struct prf_gmon_cursor *cursor,
			  const struct prf_gmon_range *range)
{
	struct prf_gmon_scan *scan = cursor->scan;

	if (range->lo_vaddr >= range->hi_vaddr)
		return PRF_GMON_COMPLAIN(cursor, range->off,
					 "a histogram from 0x%" PRIx64
					 " to 0x%" PRIx64 " has no text",
					 range->lo_vaddr, range->hi_vaddr);
	if (range->n_bins == 0 ||
	    range->n_bins > range->hi_vaddr - range->lo_vaddr)
		return PRF_GMON_COMPLAIN(
			cursor, range->off,
			"a histogram of %" PRIu32
			" counters cannot cover %" PRIu64 " bytes",
			range->n_bins, range->hi_vaddr - range->lo_vaddr);
	if (scan->n_ranges && scales_differ(range, &scan->ranges[0]))
		return PRF_GMON_COMPLAIN(
			cursor, range->off,
			"different scales in histogram records: %g "
			"bytes for a counter, %g at offset %" PRIu64,
			2 * scale_of(range), 2 * scale_of(&scan->ranges[0]),
			scan->ranges[0].off);

	void *ranges = scan->ranges;
	int status = grow(&ranges, scan->n_ranges, &scan->max_ranges,
			  sizeof *scan->ranges, cursor->err);
	scan->ranges = ranges;
	if (status)
		return status;
	scan->ranges[scan->n_ranges++] = *range;
	return 0;
}

static int
by_place(const void *a_, const void *b_)
{
	const struct prf_gmon_range *a = a_, *b = b_;

	if (a->lo_vaddr != b->lo_vaddr)
		return a->lo_vaddr < b->lo_vaddr ? -1 : 1;
	if (a->hi_vaddr != b->hi_vaddr)
		return a->hi_vaddr < b->hi_vaddr ? -1 : 1;
	return (a->off > b->off) - (a->off < b->off);
}

/* B follows A in the order of by_place(). */
static int
check_neighbours(const struct prf_gmon_cursor *cursor,
		 const struct prf_gmon_range *a, const struct prf_gmon_range *b)
{
	bool equal = a->lo_vaddr == b->lo_vaddr && a->hi_vaddr == b->hi_vaddr;

	if (!equal && b->lo_vaddr < a->hi_vaddr)
		return PRF_GMON_COMPLAIN(
			cursor, a->off > b->off ? a->off : b->off,
			"overlapping histogram records: 0x%" PRIx64
			" to 0x%" PRIx64 " and 0x%" PRIx64 " to 0x%" PRIx64,
			a->lo_vaddr, a->hi_vaddr, b->lo_vaddr, b->hi_vaddr);
	/* gprof lets these pass within its tolerance, and then reads on in the
	 * middle of a record. */
	if (equal && a->n_bins != b->n_bins)
		return PRF_GMON_COMPLAIN(
			cursor, b->off,
			"different scales in histogram records: %" PRIu32
			" counters from 0x%" PRIx64 " to 0x%" PRIx64
			", %" PRIu32 " at offset %" PRIu64,
			b->n_bins, b->lo_vaddr, b->hi_vaddr, a->n_bins, a->off);
	return 0;
}

int
prf_gmon_cursor_sort_ranges(struct prf_gmon_cursor *cursor)
{
	const struct prf_gmon_scan *scan = cursor->scan;

	if (scan->n_ranges == 0)
		return 0;
	qsort(scan->ranges, scan->n_ranges, sizeof *scan->ranges, by_place);
	for (size_t i = 1; i < scan->n_ranges; i++) {
		int status = check_neighbours(cursor, &scan->ranges[i - 1],
					      &scan->ranges[i]);
		if (status)
			return status;
	}
	return 0;
}
