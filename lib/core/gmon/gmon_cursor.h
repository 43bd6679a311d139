/* gmon_cursor.h - a walk over the bytes of a gmon.out, and what it finds.
 *
 * All that gmon_scan.c knows of memory is here: no byte is read without a check
 * that it is there, and nothing is allocated for what is not in the file. */
#ifndef PRF_CORE_GMON_GMON_CURSOR_H
#define PRF_CORE_GMON_GMON_CURSOR_H

#include <errno.h>
#include <inttypes.h>

#include "core/gmon/gmon_scanned.h"

struct prf_gmon_cursor {
	const uint8_t *bytes;
	uint64_t size_bytes;
	uint64_t off; /* of the next byte */
	struct prf_gmon_scan *scan;
	struct prf_error *err;
};

/* Fails with -EBADMSG; every complaint says where.  OFF is that of the record
 * or field it is about. */
#define PRF_GMON_COMPLAIN(cursor, off, format, ...)                            \
	prf_error_set((cursor)->err, -EBADMSG, "offset %" PRIu64 ": " format,  \
		      (uint64_t)(off), __VA_ARGS__)

/* Are there N_BYTES more of WHAT ("a record"), which began at START?
 * -EBADMSG. */
int prf_gmon_cursor_need(const struct prf_gmon_cursor *cursor, const char *what,
			 uint64_t start, uint64_t n_bytes) PRF_MUST_CHECK;
/* The next N_BYTES, or an address, as a number.  They must be there. */
uint64_t prf_gmon_cursor_take(struct prf_gmon_cursor *cursor, unsigned n_bytes);
uint64_t prf_gmon_cursor_take_vaddr(struct prf_gmon_cursor *cursor);

/* Add to what was found; a range must make sense, alone and beside the first.
 * -EBADMSG, -ENOMEM. */
int
prf_gmon_cursor_add_range(struct prf_gmon_cursor *cursor,
			  const struct prf_gmon_range *range) PRF_MUST_CHECK;
int prf_gmon_cursor_add_arc(struct prf_gmon_cursor *cursor,
			    const struct prf_gmon_arc *arc) PRF_MUST_CHECK;

/* Sorts the ranges; two may be equal, but not overlap.  -EBADMSG. */
int prf_gmon_cursor_sort_ranges(struct prf_gmon_cursor *cursor) PRF_MUST_CHECK;

#endif
