/* procmap.h - PROCMAP_QUERY: one mapping of a process, asked of the kernel by
 * its address (Linux 6.11). */
#ifndef PRF_LIVE_PROC_PROCMAP_H
#define PRF_LIVE_PROC_PROCMAP_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "image/maps.h"

/* A path, and what the kernel appends to one. */
enum { PRF_PROCMAP_NAME_BYTES = PATH_MAX + 16 };

struct prf_procmap {
	uint64_t addr, size, file_off, dev, inode;
	bool is_shared;
};

/* Does the kernel answer such questions by MAPS_FD, an open /proc/PID/maps? */
bool prf_procmap_is_answered(int maps_fd);

/* What is mapped at ADDR; NAME, unless it is NULL, gets its name, of at most
 * PRF_PROCMAP_NAME_BYTES; "" if it has none. -ENOENT: nothing is; else why
 * the kernel does not tell. */
int prf_procmap_query(int maps_fd, uint64_t addr, struct prf_procmap *map,
		      char *name) PRF_MUST_CHECK;

/* The executable mapping at ADDR, or else the next one above it. -ENOENT: there
 * is none. */
int prf_procmap_query_code(int maps_fd, uint64_t addr,
			   struct prf_procmap *map) PRF_MUST_CHECK;
/* The same where the kernel cannot be asked, in TEXT, of N_BYTES and a NUL, which the
 * maps file had. */
int prf_procmap_find(const char *text, size_t n_bytes, uint64_t addr,
		     struct prf_procmap *map, char *name) PRF_MUST_CHECK;

/* MAP, called NAME and executable, as /proc/PID/maps would have it: one parser
 * knows what names and kinds mean.  *MAPS is the caller's.  -ENAMETOOLONG,
 * -ENOMEM. */
int prf_procmap_parse(const struct prf_procmap *map, const char *name,
		      pid_t pid, struct prf_maps **maps) PRF_MUST_CHECK;

#endif
