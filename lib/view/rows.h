/* rows.h - where ticks fell, as a flat table: by function, object, process or
 * thread; for people, and as CSV. */
#ifndef PRF_VIEW_ROWS_H
#define PRF_VIEW_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/gmon_read.h"
#include "view/count.h"
#include "view/family.h"

struct prf_row {
	char *name;
	char *object; /* "" where the table has no such column */
	struct prf_count count;
};

/* All zero: none. */
struct prf_rows {
	struct prf_row *rows;
	size_t n, room;
	struct prf_count all;
};

enum prf_rows_by {
	PRF_ROWS_BY_FUNCTION,
	PRF_ROWS_BY_OBJECT,
	PRF_ROWS_BY_PROCESS,
	PRF_ROWS_BY_THREAD,
	PRF_N_ROWS_BY,
};

/* Adds what a finished FAMILY has counted; names of functions are demangled.
 * -ENOMEM. */
int prf_rows_add_family(struct prf_rows *rows, const struct prf_family *family,
			enum prf_rows_by by) PRF_MUST_CHECK;
/* Adds the ticks of GMON, by function or object, as the list IN of
 * gmon.syms(5) names them.  A tick belongs where its counter begins; what is in
 * no object's place is "[unknown]".  As prf_syms_read(); -EINVAL: BY is
 * another. */
int prf_rows_add_gmon(struct prf_rows *rows, const struct prf_gmon *gmon,
		      FILE *in, enum prf_rows_by by,
		      struct prf_error *err) PRF_MUST_CHECK;
void prf_rows_clear(struct prf_rows *rows);

/* The most ticks first; rows of one name and object become one. */
void prf_rows_sort(struct prf_rows *rows);
/* A line each: share, its error at 95 %, seconds, name, object. */
void prf_rows_print(const struct prf_rows *rows, enum prf_rows_by by,
		    uint64_t period_ns, FILE *out);
/* The same for programs, with a line of names: RFC 4180, but lines end in a
 * newline alone. */
void prf_rows_print_csv(const struct prf_rows *rows, enum prf_rows_by by,
			uint64_t period_ns, FILE *out);

#endif
