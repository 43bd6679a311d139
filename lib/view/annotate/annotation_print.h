/* annotation_print.h - an annotation as people read it: the source with the
 * share of each line, and of the instructions made of it. */
#ifndef PRF_VIEW_ANNOTATE_ANNOTATION_PRINT_H
#define PRF_VIEW_ANNOTATE_ANNOTATION_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "core/attr.h"
#include "view/annotate/annotation.h"
#include "view/annotate/source_supply.h"
#include "view/table/style.h"

struct prf_annotation_look {
	struct prf_count all;    /* of the whole run, which shares are of */
	double doubt;            /* see view/table/share.h */
	const char *source_root; /* or NULL */
	struct prf_source_supply supply;
	bool is_whole;  /* not only the hottest parts */
	bool no_source; /* instructions alone */
	const struct prf_style *style;
};

/* -ENOMEM: perhaps a part. */
int prf_annotation_print(const struct prf_annotation *annotation,
			 const struct prf_annotation_look *look,
			 FILE *out) PRF_MUST_CHECK;

#endif
