/* perfmapfile.h - the map that a JIT compiler has left of its code. */
#ifndef PRF_SPACE_PERFMAPFILE_H
#define PRF_SPACE_PERFMAPFILE_H

#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "core/attr.h"
#include "core/error.h"

/* The text of DIR/perf-PID.map, *BYTES of it, the caller's to free.  -ENOENT:
 * there is none; -ESTALE: it was last written before BEGUN, by some other
 * process that had this number; -EPERM: it is another user's; -EINVAL: it is
 * no regular file; -EFBIG: it is larger than any map; -ENOMEM; or what
 * reading failed with. */
int prf_perfmapfile_read(const char *dir, pid_t pid, time_t begun, char **text,
			 size_t *bytes, struct prf_error *err) PRF_MUST_CHECK;

#endif
