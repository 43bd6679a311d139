/* plt.h - linkage stubs, called by what they lead to: "memcpy@plt". */
#ifndef PRF_IMAGE_PLT_H
#define PRF_IMAGE_PLT_H

#include "core/attr.h"
#include "core/error.h"
#include "image/names.h"
#include "image/object.h"
#include "image/symtab.h"

/* Adds a symbol of rank PRF_RANK_STUB to SYMBOLS for each stub in a section
 * called .plt, .plt.sec, .plt.got or .iplt (x86-64, i386, aarch64) of which
 * the relocations tell the name.  A stub of an indirect function of the file
 * itself has the function's name, or "*ABS*+0xVADDR@plt" if that has none.
 * What is broken is a warning of OBJECT.  -ENOMEM. */
int prf_plt_add(struct prf_symbols *symbols, const struct prf_symtab *dynsym,
		struct prf_object *object, struct prf_names *names,
		struct prf_error *err) PRF_MUST_CHECK;

#endif
