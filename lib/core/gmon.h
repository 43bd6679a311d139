/* gmon.h - gmon.out, the file that gprof(1) reads, written.
 *
 * The format is described byte by byte in gmon.out(5); gmon_read.h reads it. */
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
	/* What rate_hz ticks make: up to 15 bytes, and a character for it.
	 * NULL: "seconds", and 's'. */
	const char *dimension;
	char abbreviation;
	/* Who writes the file, for the spare bytes of its header, which readers
	 * pass over: up to 12 bytes.  NULL: they are 0. */
	const char *mark;
	uint64_t later[2]; /* all 0 */
};

/* --- Writing.  Records are sparse: fixed, aligned blocks of text in which
 * something was counted, so that any two files have equal or disjoint ranges
 * and can be added.  A counter above 65535 is carried by repeating its
 * block's record; gprof adds them.
 *
 * Calls come in this order: ticks, then arcs, then finish; a call out of order
 * is -EINVAL.  A call that is refused (-EINVAL, -EOVERFLOW) changes nothing,
 * and the file can be continued.  A write that fails is the end of the file:
 * that call, or a later one and finish at the latest, returns its negative
 * errno value (such as -ENOSPC), and so does every call after it. */

/* Bytes of text that one record covers; its start is a multiple of this. */
#define PRF_GMON_BLOCK_BYTES 1024
/* gprof adds the records of a range in 32 bits: the most for one address. */
#define PRF_GMON_MAX_TICKS UINT32_MAX
/* An arc above UINT32_MAX takes several records; this many at most. */
#define PRF_GMON_MAX_ARC_RECORDS 65536

struct prf_gmon_writer;

/* Begins a file on OUT, which stays the caller's, and writes its header.  The
 * texts of TARGET must last as long as the writer.  -EINVAL: TARGET is not
 * valid; -ENOMEM; or what the write failed with. */
int prf_gmon_writer_new(FILE *out, const struct prf_gmon_target *target,
			struct prf_gmon_writer **writer,
			struct prf_error *err) PRF_MUST_CHECK;
/* TICKS were counted at VADDR (its 2-byte unit).  Units must ascend or repeat:
 * -EINVAL.  0 ticks are written, too: the file then has the block, and says
 * that nothing was counted in it.  -EOVERFLOW: VADDR does not fit the target's
 * pointer; or it is in the last block of the address space, whose end does not
 * fit; or its ticks add up to more than PRF_GMON_MAX_TICKS. */
int prf_gmon_writer_ticks(struct prf_gmon_writer *writer, uint64_t vaddr,
			  uint64_t ticks, struct prf_error *err) PRF_MUST_CHECK;
/* The arc from the call at FROM to the function at TO was seen COUNT times.
 * Arcs come after all ticks, in any order.  A COUNT of 0 writes nothing (it
 * could close a cycle), but ends the ticks, too.  -EOVERFLOW: an address does
 * not fit the target's pointer; or COUNT needs more than
 * PRF_GMON_MAX_ARC_RECORDS records. */
int prf_gmon_writer_arc(struct prf_gmon_writer *writer, uint64_t from_vaddr,
			uint64_t to_vaddr, uint64_t count,
			struct prf_error *err) PRF_MUST_CHECK;
/* Writes what is pending and flushes OUT: the kernel then has all of it, or ERR
 * has the reason.  A second finish does no harm.  A file without any block is
 * only a header; gprof refuses to make a table of it ("missing histogram"). */
int prf_gmon_writer_finish(struct prf_gmon_writer *writer,
			   struct prf_error *err) PRF_MUST_CHECK;
/* Takes NULL; a writer not finished leaves an incomplete file. */
void prf_gmon_writer_free(struct prf_gmon_writer *writer);

PRF_END_DECLS

#endif
