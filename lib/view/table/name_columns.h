/* name_columns.h - the last columns of a table: names, such as those of
 * functions, and the binaries that they are in.
 *
 * Where lines have a width, names are cut so that the binaries are in sight;
 * else the columns are as wide as most names, and longer ones stick out. */
#ifndef PRF_VIEW_TABLE_NAME_COLUMNS_H
#define PRF_VIEW_TABLE_NAME_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "view/table/style.h"

/* The name of a function as STYLE wants it: demangled, and short unless it wants
 * all of it.  A NAME that is not mangled stays as it is.  The caller's to
 * free(); NULL: out of memory. */
char *prf_name_columns_name(const char *name, const struct prf_style *style);
/* The same for a function that is inlined: marked as such.  Its name may be that
 * of the source, with template arguments. */
char *prf_name_columns_inlined(const char *name, const struct prf_style *style);
/* Takes that mark out of what is SHOWN, also where "[int]" or the like stands behind
 * it; false: it had none. */
bool prf_name_columns_unmark(char *shown);

/* As many of the last parts of PATH as there is room for in a line of LINE_WIDTH,
 * beside OTHERS.  The caller's to free(); NULL: out of memory. */
char *prf_name_columns_path_end(const char *path, size_t line_width,
				size_t others);

/* All zero: no names yet. */
struct prf_name_columns {
	size_t name, usual_name, binary; /* the longest of them */
	bool cut;
};

/* NAME and BINARY ("": this table has no such column) will be printed, or stand
 * above. */
void prf_name_columns_fit(struct prf_name_columns *columns, const char *name,
			  const char *binary);
/* All were told; BEFORE is how much of a line stands before them. */
void prf_name_columns_settle(struct prf_name_columns *columns, size_t before,
			     const struct prf_style *style);
/* The rest of a line. */
void prf_name_columns_print(const struct prf_name_columns *columns,
			    const char *name, const char *binary, FILE *out);

#endif
