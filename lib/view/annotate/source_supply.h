/* source_supply.h - who knows more of source files than their names: where they are,
 * and whether they are those that a binary was made of. */
#ifndef PRF_VIEW_ANNOTATE_SOURCE_SUPPLY_H
#define PRF_VIEW_ANNOTATE_SOURCE_SUPPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "view/annotate/annotation.h"
#include "view/annotate/source_text.h"

/* All zero: nobody. */
struct prf_source_supply {
	/* A descriptor of the file of LINE, PATH, which is absolute: the caller's to
	 * close.  Negative: it cannot be had. */
	int (*find)(void *arg, const struct prf_annotated_line *line,
		    const char *path);
	/* When BINARY was built; 0: not known.  NULL: it never is. */
	time_t (*built)(void *arg, const struct prf_binary *binary);
	void *arg;
};

/* Is TEXT, the file of the N LINES, newer than a binary that has one of them? */
bool prf_source_supply_is_newer(const struct prf_source_supply *supply,
				const struct prf_source_text *text,
				const struct prf_annotated_line *lines,
				size_t n);

#endif
