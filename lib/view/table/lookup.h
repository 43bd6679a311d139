/* lookup.h - what is at an address of a process, as its mappings were told:
 * one sample at a time, where profile.h counts them. */
#ifndef PRF_VIEW_TABLE_LOOKUP_H
#define PRF_VIEW_TABLE_LOOKUP_H

#include <stdint.h>

#include "core/attr.h"
#include "core/sample.h"
#include "space/objectfile.h"
#include "profile/warnings.h"

struct prf_lookup;

/* Files are found by WAY (NULL: as usual); what is amiss with one goes to
 * WARNINGS, which must outlive it.  NULL: out of memory. */
struct prf_lookup *prf_lookup_new(const struct prf_objectfile_way *way,
				  struct prf_warnings *warnings);
void prf_lookup_free(struct prf_lookup *lookup); /* takes NULL */

/* What changes the meaning of addresses.  -ENOMEM; -ESRCH: of a process that
 * was not told. */
int prf_lookup_exec(struct prf_lookup *lookup, const struct prf_exec *exec);
int prf_lookup_mapping(struct prf_lookup *lookup,
		       const struct prf_mapping *map);
int prf_lookup_life(struct prf_lookup *lookup, const struct prf_life *life);

/* Strings are good until the next call of another function of LOOKUP. */
struct prf_found {
	const char *function; /* mangled; NULL: without a name */
	uint64_t off;         /* of the address, in it */
	const char *object;   /* its path, or "[vdso]", "[jit]", "[unknown]" */
	uint64_t vaddr;   /* the object's own; the address where it has none */
	uint16_t machine; /* of the process's program; 0: not known */
};

struct prf_found prf_lookup_at(struct prf_lookup *lookup, pid_t pid,
			       uint64_t addr);

#endif
