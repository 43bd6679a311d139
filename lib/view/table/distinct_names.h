/* distinct_names.h - what tells functions apart whose names are short, and then
 * the same: "std::sort [int]" and "std::sort [long]". */
#ifndef PRF_VIEW_TABLE_DISTINCT_NAMES_H
#define PRF_VIEW_TABLE_DISTINCT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "view/table/style.h"

struct prf_distinct_name {
	char *whole;        /* demangled; its own, as is what is shown */
	const char *binary; /* that it is in; "": any */
	char *shown;
};

/* That of the function NAME, mangled, of BINARY, which must outlive it, as STYLE
 * wants it; with a mark if it is INLINED.  -ENOMEM: a part. */
int prf_distinct_name_begin(struct prf_distinct_name *distinct,
			    const char *name, bool inlined, const char *binary,
			    const struct prf_style *style) PRF_MUST_CHECK;
void prf_distinct_name_clear(struct prf_distinct_name *distinct);

/* Those of NAMES, the rows of one table, that are shown as the same in one binary,
 * but are not the same, get behind them in brackets what first differs of their
 * arguments: several pieces, with dots between, where there are more than two.
 * A line of STYLE has room for it.  -ENOMEM: some may have it. */
int prf_distinct_names_make(struct prf_distinct_name *names, size_t n,
			    const struct prf_style *style) PRF_MUST_CHECK;

/* NAMES with what is theirs; takes NULL. */
void prf_distinct_names_free(struct prf_distinct_name *names, size_t n);

/* Is NAME "SHOWN [PIECE..PIECE]", of a function that is called WHOLE and, short,
 * SHOWN? */
bool prf_distinct_names_match(const char *name, const char *whole,
			      const char *shown);

#endif
