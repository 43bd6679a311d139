/* gmon_file.h - a gmon.out put together by hand, in any format and reading.
 *
 * It shares nothing with lib/core: what the reader is tested with is spelled
 * here once more. */
#ifndef PRF_TESTS_CORE_GMON_FILE_H
#define PRF_TESTS_CORE_GMON_FILE_H

#include "core/gmon_read.h"

struct gmon_file {
	uint8_t bytes[4096];
	size_t n_bytes;
	struct prf_gmon_reading reading;
	/* Offsets at which the file could end: behind the header and behind
	 * each record. */
	size_t ends[32];
	size_t n_ends;
};

/* N_BYTES of VALUE in the file's order. */
void gmon_file_put(struct gmon_file *file, uint64_t value, unsigned n_bytes);
void gmon_file_put_vaddr(struct gmon_file *file, uint64_t vaddr);
/* TEXT and NUL up to N_BYTES. */
void gmon_file_put_text(struct gmon_file *file, const char *text,
			size_t n_bytes);
/* The file could end here. */
void gmon_file_end(struct gmon_file *file);

/* The "gmon" format: a header, then records. */
struct gmon_file gmon_file_magic(struct prf_gmon_reading reading);
void gmon_file_hist(struct gmon_file *file, uint64_t lo, uint64_t hi,
		    uint32_t n_bins, const uint16_t *bins);
void gmon_file_arc(struct gmon_file *file, uint64_t from, uint64_t to,
		   uint32_t count);
/* N_BBS blocks. */
void gmon_file_bbs(struct gmon_file *file, uint32_t n_bbs);
/* What gmon_file_hist() writes in front of the counters, to taste. */
struct gmon_file_hist_head {
	uint64_t lo, hi;
	uint32_t n_bins, rate_hz;
	const char *dimension, *abbreviation;
};
void gmon_file_hist_head(struct gmon_file *file,
			 const struct gmon_file_hist_head *head);

/* BSD: header and counters; arcs follow.  The counters are 10, 20 ...; TYPE
 * is FreeBSD's type of counters, their width in bits or 0. */
struct gmon_file gmon_file_bsd44(struct prf_gmon_reading reading, uint64_t lo,
				 uint64_t hi, uint32_t n_bins, int32_t type);
struct gmon_file gmon_file_bsd(struct prf_gmon_reading reading, uint64_t lo,
			       uint64_t hi, uint32_t n_bins);
void gmon_file_bsd_arc(struct gmon_file *file, uint64_t from, uint64_t to,
		       uint64_t count);

/* The four readings. */
#define GMON_FILE_N_READINGS 4
extern const struct prf_gmon_reading gmon_file_readings[GMON_FILE_N_READINGS];
/* A good file of each format with something of everything; KIND counts from 0
 * to GMON_FILE_N_KINDS - 1. */
#define GMON_FILE_N_KINDS 4
struct gmon_file gmon_file_sample(int kind, struct prf_gmon_reading reading);

/* The reading as a hint. */
struct prf_gmon_hint gmon_file_hint(struct prf_gmon_reading reading);

/* Each of these fails the test where it is wrong. */
/* What gmon_read.h promises of a profile holds. */
void gmon_file_check(const struct prf_gmon *gmon);
/* The file is good, and its reading is found out.  The caller's to free. */
struct prf_gmon *gmon_file_parse(const struct gmon_file *file);
/* The file is refused with CODE, and the reason begins with BEGINNING. */
void gmon_file_refuse(const struct gmon_file *file, int code,
		      const char *beginning);

#endif
