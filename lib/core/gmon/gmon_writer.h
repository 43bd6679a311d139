/* gmon_writer.h - what the parts of gmon.h's writer share, the ticks of many
 * units at once, and a histogram written as it is. */
#ifndef PRF_CORE_GMON_GMON_WRITER_H
#define PRF_CORE_GMON_GMON_WRITER_H

#include "core/gmon.h"
#include "core/gmon_read.h"

/* Ends the ticks: what is pending is written.  -EINVAL: arcs or the end have
 * been written. */
int prf_gmon_writer_end_ticks(struct prf_gmon_writer *writer,
			      struct prf_error *err) PRF_MUST_CHECK;
const struct prf_gmon_target *
prf_gmon_writer_target(const struct prf_gmon_writer *writer);
int prf_gmon_writer_put(struct prf_gmon_writer *writer, const void *bytes,
			size_t size_bytes,
			struct prf_error *err) PRF_MUST_CHECK;

/* Does what prf_gmon_writer_ticks() does, for each of N units from the one at
 * VADDR on, but blocks in which all of them are 0 are left out. */
int prf_gmon_writer_units(struct prf_gmon_writer *writer, uint64_t vaddr,
			  const uint32_t *ticks, size_t n,
			  struct prf_error *err) PRF_MUST_CHECK;

/* Writes HIST with its range and bins as they are, after all ticks and before
 * the arcs.  No other range of the file may overlap it.  -EINVAL: the call is
 * out of order; -EOVERFLOW: a bin above PRF_GMON_MAX_TICKS, or a range that
 * does not fit the target's pointer.  A call that is refused has written
 * nothing. */
int prf_gmon_writer_hist(struct prf_gmon_writer *writer,
			 const struct prf_gmon_hist *hist,
			 struct prf_error *err) PRF_MUST_CHECK;

#endif
