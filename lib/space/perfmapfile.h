/* perfmapfile.h - the map that a JIT compiler has left of its code. */
#ifndef PRF_SPACE_PERFMAPFILE_H
#define PRF_SPACE_PERFMAPFILE_H

#include <sys/types.h>
#include <time.h>

#include "core/attr.h"
#include "core/error.h"
#include "image/perfmap.h"

/* A map of more bytes is none. */
enum { PRF_PERFMAP_BYTES_MAX = 64 << 20 };

/* The process whose code it is. */
struct prf_jit {
	pid_t pid;
	uid_t uid;    /* PRF_NO_USER: not known */
	time_t begun; /* when it became its program */
};

/* Reads DIR/perf-PID.map, which is believed if it belongs to root, to the user of
 * JIT, or to ours.  *MAP is the caller's to free.  -ENOENT: there is none;
 * -ESTALE: it was last written before JIT had begun, by some other process that
 * had this number; -EPERM: it is another user's; -ELOOP: it is a symbolic link;
 * -EINVAL: it is no regular file; -EFBIG: it is larger than any map; -ENOMEM; or
 * what reading failed with. */
int prf_perfmapfile_read(const char *dir, const struct prf_jit *jit,
			 struct prf_perfmap **map,
			 struct prf_error *err) PRF_MUST_CHECK;
/* The same of a process that lives: first in /tmp of its own root (a container),
 * under its number in its own PID namespace, as PROC, where /proc is mounted,
 * tells of them; then in DIR.  -EAGAIN: it is on a file system that may never answer
 * (mounts.h), and was not looked for. */
int prf_perfmapfile_find(const char *proc, const char *dir,
			 const struct prf_jit *jit, struct prf_perfmap **map,
			 struct prf_error *err) PRF_MUST_CHECK;

#endif
