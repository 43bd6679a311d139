/* gmon_read.h - gmon.out read: all that gprof(1) reads, from any machine.
 *
 * The "gmon" format with any number of records, 4.4BSD's (FreeBSD's wider
 * counters, too) and old BSD's; addresses of 4 or 8 bytes, either byte order.
 * The formats are described in gmon.out(5).
 *
 * Any input is safe: it is an error with the offset and the reason, never a
 * crash; what is allocated is a small multiple of what was really there. */
#ifndef PRF_CORE_GMON_READ_H
#define PRF_CORE_GMON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "attr.h"
#include "error.h"

PRF_BEGIN_DECLS

enum prf_gmon_format {
	PRF_GMON_FORMAT_MAGIC, /* "gmon" and tagged records */
	PRF_GMON_FORMAT_BSD44, /* one histogram with its rate, then arcs */
	PRF_GMON_FORMAT_BSD    /* the same without a rate or a version */
};

/* How numbers stand in a file.  No field of it says so. */
struct prf_gmon_reading {
	uint8_t addr_bytes; /* 4 or 8 */
	bool big_endian;
};

/* All records of one range of text, added. */
struct prf_gmon_hist {
	uint64_t lo_vaddr, hi_vaddr; /* [lo, hi), not empty */
	const uint64_t *counts;      /* n_bins of them, in prf_gmon.counts */
	uint32_t n_bins;             /* 1 to hi - lo */
	uint32_t n_records;          /* >= 1 */
	uint64_t off;                /* of the first of them in the file */
};

/* All records of one arc, added.  A count of 0 is an arc to gprof, too. */
struct prf_gmon_arc {
	uint64_t from_vaddr, to_vaddr;
	uint64_t count;
};

struct prf_gmon {
	enum prf_gmon_format format;
	struct prf_gmon_reading reading;
	/* How many readings make sense of the whole file.  Above 1 the choice
	 * was a guess (8 bytes before 4, then little-endian before big): the
	 * file is nearly empty. */
	uint8_t n_readings;

	/* Of the first histogram record.  0: the file does not tell; old BSD
	 * never does.  gprof believes the first record and ignores what the
	 * others say: where rates_differ, counts are not of one unit. */
	uint32_t rate_hz;
	bool rates_differ;
	uint64_t rates_differ_off; /* of the first record that differs */
	/* What a count is: "seconds", "s".  Control characters became '?'. */
	char dimension[16];
	char abbreviation[2];

	struct prf_gmon_hist *hists; /* ascending, disjoint, one bin size */
	size_t n_hists;
	uint64_t n_hist_records;
	uint64_t *counts; /* of all histograms, one after the other */
	uint64_t ticks;   /* sum of them */

	struct prf_gmon_arc *arcs; /* ascending by from, then to; no repeats */
	size_t n_arcs;
	uint64_t n_arc_records;

	/* Basic-block counts are skipped. */
	uint64_t n_bb_records, n_bbs;
};

enum prf_gmon_order {
	PRF_GMON_ORDER_UNKNOWN,
	PRF_GMON_ORDER_LITTLE,
	PRF_GMON_ORDER_BIG
};

/* What is known of the program, from its ELF header. */
struct prf_gmon_hint {
	uint8_t addr_bytes; /* 4, 8, or 0: not known */
	enum prf_gmon_order order;
};

/* prf_gmon_read() refuses a file that is as long or longer. */
#define PRF_GMON_MAX_FILE_BYTES ((uint64_t)1 << 32)

/* Reads a file that is in memory.  What HINT (or NULL) leaves open is found
 * out: the readings are tried on the whole file.  OUT is the caller's to free.
 * -EBADMSG: not a gmon.out, damaged, of another reading than HINT says, or
 * refused by gprof, too: records that overlap without being equal, other bin
 * sizes, other dimensions.  -EOVERFLOW: counts that do not add up in 64 bits.
 * -EINVAL: HINT has addresses of another size.  -ENOMEM. */
int prf_gmon_parse(const void *bytes, size_t size_bytes,
		   const struct prf_gmon_hint *hint, struct prf_gmon **out,
		   struct prf_error *err) PRF_MUST_CHECK;
/* The same of all that IN has left; a pipe will do.  Also -EFBIG, and what
 * reading failed with. */
int prf_gmon_read(FILE *in, const struct prf_gmon_hint *hint,
		  struct prf_gmon **out, struct prf_error *err) PRF_MUST_CHECK;
/* Takes NULL. */
void prf_gmon_free(struct prf_gmon *gmon);

/* Where bin BIN (< n_bins) begins; for n_bins itself, hi_vaddr.  Exact where
 * the bins divide the range, else rounded down. */
uint64_t prf_gmon_bin_vaddr(const struct prf_gmon_hist *hist, uint32_t bin);

PRF_END_DECLS

#endif
