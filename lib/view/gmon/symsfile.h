/* symsfile.h - a list of symbols, as gmon.syms(5) has it, read.
 *
 * Any input is safe: it is an error with the number of the line, never a
 * crash; what is allocated is a small multiple of the text. */
#ifndef PRF_VIEW_GMON_SYMSFILE_H
#define PRF_VIEW_GMON_SYMSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"

struct prf_syms_object {
	uint64_t lo, hi;        /* [lo, hi): its place in gmon.out */
	uint64_t shift;         /* its own addresses + shift, modulo 2^64 */
	const char *build_id;   /* hexadecimal digits, or "-" */
	const char *path;       /* as it stands there, with its %xx */
	bool is_program;        /* it was executed */
	uint64_t program_ticks; /* of all ticks: of processes that ran it */
};

struct prf_syms_symbol {
	uint64_t addr; /* in gmon.out */
	const char *name;
	size_t object; /* whose place it is in */
};

struct prf_syms {
	/* 2; 1, of the first profruns: a list does not tell of program_ticks,
	 * and of is_program only of the first object. */
	int version;
	struct prf_syms_object *objects; /* ascending, disjoint */
	size_t n_objects;
	struct prf_syms_symbol *symbols; /* ascending; without "[end]" */
	size_t n_symbols;
	char *text; /* what the strings are in */
};

/* A list whose objects share no block of gmon.out, and whose last line is
 * "[end]".  -EBADMSG: it is none, or is cut, and in which line; -EFBIG: above
 * 16 million lines; -ENOMEM.  OUT is the caller's. */
int prf_syms_parse(const char *text, size_t n_bytes, struct prf_syms **out,
		   struct prf_error *err) PRF_MUST_CHECK;
void prf_syms_free(struct prf_syms *syms); /* takes NULL */

/* The symbol that ADDR is in: the one at it or before it, up to the end of its
 * object.  NULL: none. */
const struct prf_syms_symbol *prf_syms_at(const struct prf_syms *syms,
					  uint64_t addr);
/* OBJECT's path, its %xx undone; to be free()d.  NULL: out of memory. */
char *prf_syms_decode_path(const struct prf_syms_object *object);

#endif
