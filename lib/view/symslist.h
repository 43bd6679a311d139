/* symslist.h - a list of symbols beside a gmon.out, gmon.syms(5), read. */
#ifndef PRF_VIEW_SYMSLIST_H
#define PRF_VIEW_SYMSLIST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"

struct prf_symsline {
	uint64_t addr;
	char *name;         /* without "[kernel]:" */
	const char *object; /* its path, or "[vdso]" and the like; the list's */
};

struct prf_symsobject {
	uint64_t lo, hi;
	char *path;
};

/* All zero: empty. */
struct prf_symslist {
	struct prf_symsline *lines; /* ascending */
	size_t n_lines, lines_room;
	struct prf_symsobject *objects;
	size_t n_objects, objects_room;
};

/* All of IN, which may be hostile.  -EBADMSG: it is no such list, or what is
 * wrong in which line; -EFBIG: above 16 million lines; -ENOMEM; what reading
 * failed with. */
int prf_symslist_read(FILE *in, struct prf_symslist *list,
		      struct prf_error *err) PRF_MUST_CHECK;
void prf_symslist_clear(struct prf_symslist *list);

/* The symbol that ADDR is in; NULL: it is below the first. */
const struct prf_symsline *prf_symslist_at(const struct prf_symslist *list,
					   uint64_t addr);

#endif
