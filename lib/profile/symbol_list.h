/* symbol_list.h - the names of addresses, as a gmon.syms has them: each is good
 * up to the next. */
#ifndef PRF_PROFILE_SYMBOL_LIST_H
#define PRF_PROFILE_SYMBOL_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"

struct prf_listed_symbol {
	uint64_t vaddr;
	char *name;
};

/* All zero: empty. */
struct prf_symbol_list {
	struct prf_listed_symbol *all; /* ascending, each vaddr once */
	size_t n, room;
};

/* NAME, which is copied, is at VADDR, above all there are.  -ENOMEM. */
int prf_symbol_list_append(struct prf_symbol_list *list, uint64_t vaddr,
			   const char *name) PRF_MUST_CHECK;
/* Adds all of OTHER.  Where both name an address the name that strcmp(3) puts
 * first stays, so that the order of additions does not matter.  -ENOMEM:
 * nothing changed. */
int prf_symbol_list_merge(struct prf_symbol_list *list,
			  const struct prf_symbol_list *other) PRF_MUST_CHECK;
void prf_symbol_list_clear(struct prf_symbol_list *list);

/* The index of the symbol that VADDR is in; (size_t)-1: it is below all. */
size_t prf_symbol_list_at(const struct prf_symbol_list *list, uint64_t vaddr);

#endif
