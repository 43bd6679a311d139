/* mapped.h - what a process has mapped: its address space, and the files in
 * it, which it holds. */
#ifndef PRF_SPACE_MAPPED_H
#define PRF_SPACE_MAPPED_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/sample.h"
#include "space/files.h"
#include "space/space.h"

/* All zero: nothing is. */
struct prf_mapped {
	struct prf_space space;
	struct prf_file **files; /* all that were, since it was empty */
	size_t n_files;
};

/* No process ever maps more files; each mapping looks for its own among them. */
enum { PRF_MAPPED_FILES_MAX = 1 << 16 };

/* MAP, of a process with pointers of ADDR_BYTES, replaces what was mapped at
 * its addresses.  -E2BIG: it has too many already; -ENOMEM.  What is there is
 * then not known. */
int prf_mapped_set(struct prf_mapped *mapped, struct prf_files *files,
		   const struct prf_mapping *map,
		   uint8_t addr_bytes) PRF_MUST_CHECK;
/* As fork(2) does: COPY, which is overwritten, becomes as MAPPED.  -ENOMEM: it
 * is empty. */
int prf_mapped_copy(struct prf_mapped *copy,
		    const struct prf_mapped *mapped) PRF_MUST_CHECK;
void prf_mapped_clear(struct prf_mapped *mapped);

/* The mapping that RANGE is of, as process PID would tell it. */
struct prf_mapping prf_mapped_mapping(const struct prf_space_range *range,
				      pid_t pid);

#endif
