/* gmon.h - gmon.out, the file that gprof(1) reads, written and read.
 *
 * The format is described byte by byte in gmon.out(5). */
#ifndef PRF_CORE_GMON_H
#define PRF_CORE_GMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "attr.h"
#include "error.h"

PRF_BEGIN_DECLS

/* The machine that was profiled, not this one: as its ELF files say. */
struct prf_gmon_target {
	uint8_t addr_bytes; /* 4 or 8 */
	bool big_endian;
	uint32_t rate_hz; /* > 0; what one tick is, 1/rate_hz s */
};

/* --- Writing.  Records are sparse: fixed, aligned blocks of text in which
 * something was counted, so that any two files have equal or disjoint ranges
 * and can be added.  A counter above 65535 is carried by repeating its
 * block's record. */

/* Bytes of text that one record covers, and that its start is a multiple of. */
#define PRF_GMON_BLOCK_BYTES 1024

struct prf_gmon_writer;

/* Begins a file on OUT, which stays the caller's.  -EINVAL, -EIO, -ENOMEM. */
int prf_gmon_writer_new(FILE *out, const struct prf_gmon_target *target,
			struct prf_gmon_writer **writer,
			struct prf_error *err) PRF_MUST_CHECK;
/* TICKS were counted at VADDR (its 2-byte unit).  Addresses must ascend or
 * repeat: -EINVAL; -EOVERFLOW if VADDR does not fit the target's pointer. */
int prf_gmon_writer_ticks(struct prf_gmon_writer *writer, uint64_t vaddr,
			  uint64_t ticks, struct prf_error *err) PRF_MUST_CHECK;
/* The arc from the call at FROM to the function at TO was seen COUNT times.
 * Arcs come after all ticks.  A COUNT of 0 writes nothing. */
int prf_gmon_writer_arc(struct prf_gmon_writer *writer, uint64_t from_vaddr,
			uint64_t to_vaddr, uint64_t count,
			struct prf_error *err) PRF_MUST_CHECK;
/* Writes what is pending and checks that all of it reached OUT.  -EIO. */
int prf_gmon_writer_finish(struct prf_gmon_writer *writer,
			   struct prf_error *err) PRF_MUST_CHECK;
/* Takes NULL; a writer not finished leaves an incomplete file. */
void prf_gmon_writer_free(struct prf_gmon_writer *writer);

/* --- Reading lives in gmon_read.h. */

PRF_END_DECLS

#endif
