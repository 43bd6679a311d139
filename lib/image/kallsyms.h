/* kallsyms.h - the functions of the running kernel, as /proc/kallsyms lists
 * them: lines "ADDRESS TYPE NAME", hexadecimal, and after a tab, in brackets,
 * the module. */
#ifndef PRF_IMAGE_KALLSYMS_H
#define PRF_IMAGE_KALLSYMS_H

#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"

struct prf_kallsyms;

/* Reads FILE to its end; lines of another form are left out.  0; -EACCES: the
 * kernel tells no addresses; -ENOENT: there is no function; -ENOMEM. */
int prf_kallsyms_read(FILE *file, struct prf_kallsyms **out,
		      struct prf_error *err) PRF_MUST_CHECK;
void prf_kallsyms_free(struct prf_kallsyms *symbols); /* takes NULL */

/* The name of the function at ADDR, which lasts as long as SYMBOLS; NULL: there
 * is none.  O(log n). */
const char *prf_kallsyms_at(const struct prf_kallsyms *symbols, uint64_t addr);

#endif
