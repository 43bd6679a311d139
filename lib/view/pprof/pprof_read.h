/* pprof_read.h - a pprof file, of profrun or of others, read into a profile.
 *
 * Its binaries count by address, so that they can be added to those of runs;
 * those for which it tells of inlined calls, by name.  Names that it does not
 * have are read from the binaries, where these are the same still. */
#ifndef PRF_VIEW_PPROF_PPROF_READ_H
#define PRF_VIEW_PPROF_PPROF_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/profile.h"
#include "space/objectfile.h"

/* Can the N BYTES, all of a file, be one?  Any that are compressed can. */
bool prf_pprof_read_is_it(const void *bytes, size_t n);

/* Reads N BYTES.  Binaries are found by WAY.  -EBADMSG: they are no pprof file,
 * or damaged; -EINVAL: it tells of something else than time, or of a difference;
 * -EFBIG, -EOVERFLOW: more than can be counted; -ENOMEM.  OUT is the
 * caller's. */
int prf_pprof_read(const void *bytes, size_t n,
		   const struct prf_objectfile_way *way,
		   struct prf_profile **out,
		   struct prf_error *err) PRF_MUST_CHECK;

#endif
