/* symtab.h - the functions that an ELF file's symbol tables name. */
#ifndef PRF_IMAGE_SYMTAB_H
#define PRF_IMAGE_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "image/layout.h"
#include "image/names.h"
#include "image/object.h"

/* Which of several names of an address is shown: the one of the lowest rank,
 * then the shorter, then the one that sorts first.  A rank is the sum of these
 * and of the leading underscores: a linkage stub is the last choice, then come
 * local names, labels without a type, symbols without a size, names with more
 * underscores in front, weak ones. */
enum {
	PRF_RANK_WEAK = 1,
	PRF_RANK_UNDERSCORE = 1 << 1,
	PRF_RANK_UNSIZED = 1 << 8,
	PRF_RANK_UNTYPED = 1 << 9,
	PRF_RANK_LOCAL = 1 << 10,
	PRF_RANK_STUB = 1 << 11,
};

struct prf_symbol {
	uint64_t vaddr;
	uint64_t size; /* 0: not known */
	const char *name;
	uint32_t name_size; /* without the NUL */
	uint32_t rank;
};

/* {0} is empty. */
struct prf_symbols {
	struct prf_symbol *all;
	size_t n, capacity;
	size_t n_sorted; /* so many at the start are in order */
	uint64_t
		name_bytes; /* sum of name_size, bounded: see prf_symbols_add */
};

/* A symbol table as it lies in a file, with a copy of its strings. */
struct prf_symtab {
	Elf_Data *data; /* libelf's, until the object is closed; NULL: none */
	size_t n;
	size_t section; /* its index; 0 where there are no sections */
	const char *strings;
	size_t strings_size; /* the last byte is NUL */
};

/* The first section of TYPE (SHT_SYMTAB, SHT_DYNSYM); empty if there is none.
 * What is wrong with it is a warning of OBJECT, and the table is empty.
 * -ENOMEM. */
int prf_symtab_find(struct prf_symtab *symtab, struct prf_object *object,
		    uint32_t type, struct prf_names *names,
		    struct prf_error *err) PRF_MUST_CHECK;
/* The table that the program headers lead to, for a file without sections. */
int prf_symtab_dynamic(struct prf_symtab *symtab, struct prf_object *object,
		       struct prf_names *names,
		       struct prf_error *err) PRF_MUST_CHECK;
/* Makes *STRINGS out of DATA: a copy in NAMES that ends in NUL. */
int prf_symtab_copy_strings(struct prf_symtab *symtab, const Elf_Data *data,
			    struct prf_names *names, struct prf_object *object,
			    struct prf_error *err) PRF_MUST_CHECK;
/* The name of SYMBOL, or NULL if it lies outside of the strings. */
const char *prf_symtab_name(const struct prf_symtab *symtab,
			    const GElf_Sym *symbol);

/* Adds the symbols of SYMTAB that name code: functions, indirect functions and
 * labels without a type, in a code range of LAYOUT.  Mapping symbols ($x) and
 * assemblers' labels (.L1) are none.  -ENOMEM. */
int prf_symbols_add_table(struct prf_symbols *symbols,
			  const struct prf_symtab *symtab,
			  struct prf_object *object,
			  const struct prf_layout *layout,
			  struct prf_error *err) PRF_MUST_CHECK;
/* Adds one symbol, whose name stays the caller's.  -ENOMEM; -E2BIG: the names
 * together are longer than those of any honest file, as when a million symbols
 * share one long string. */
int prf_symbols_add(struct prf_symbols *symbols,
		    const struct prf_symbol *symbol) PRF_MUST_CHECK;
/* Whether there is room for a name of NAME's length; it is then taken.  After
 * the first name that is too long there is none for any. */
bool prf_symbols_take_name(struct prf_symbols *symbols, const char *name,
			   uint32_t *name_size);
/* Sorts by address, then by rank: see above. */
void prf_symbols_sort(struct prf_symbols *symbols);
/* The best symbol at exactly VADDR, or NULL; in the sorted part. */
const struct prf_symbol *prf_symbols_at(const struct prf_symbols *symbols,
					uint64_t vaddr);
void prf_symbols_free(struct prf_symbols *symbols);

#endif
