/* gmon_scanned.h - the records of a gmon.out, as far as one reading of it has found
 * them. */
#ifndef PRF_CORE_GMON_GMON_SCANNED_H
#define PRF_CORE_GMON_GMON_SCANNED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/gmon_read.h"

/* How wide a counter of a histogram is, and whether it has a sign. */
struct prf_gmon_counter {
	uint8_t n_bytes; /* 1, 2, 4 or 8 */
	bool is_signed;
};

/* One histogram record. */
struct prf_gmon_range {
	uint64_t lo_vaddr, hi_vaddr;
	uint32_t n_bins;
	uint64_t off;        /* of the record in the file */
	uint64_t counts_off; /* all n_bins counters are inside the file */
};

struct prf_gmon_scan {
	struct prf_gmon_reading reading;
	enum prf_gmon_format format;
	struct prf_gmon_counter counter;
	uint32_t rate_hz; /* as in struct prf_gmon */
	bool rates_differ;
	uint64_t rates_differ_off;
	char dimension[16]; /* as it stands in the file */
	char abbreviation[2];
	struct prf_gmon_range *ranges; /* by lo, hi, off; equal or disjoint */
	size_t n_ranges, max_ranges;
	struct prf_gmon_arc *arcs; /* a record each, as they stand */
	size_t n_arcs, max_arcs;
	uint64_t n_bb_records, n_bbs;
	/* How far the file made sense; 0: not even its header did. */
	uint64_t good_bytes;
};

#endif
