/* annotation_heading.h - of which function an annotation is. */
#ifndef PRF_VIEW_ANNOTATE_ANNOTATION_HEADING_H
#define PRF_VIEW_ANNOTATE_ANNOTATION_HEADING_H

#include <stdio.h>

#include "core/attr.h"
#include "profile/count.h"
#include "view/annotate/annotation.h"
#include "view/table/style.h"

/* The function, which is SHOWN so, with its part of ALL; and what it is inlined into.
 * Nothing of a file.  -ENOMEM: perhaps a part. */
int prf_annotation_heading_print(const struct prf_annotation *annotation,
				 const char *shown, const struct prf_count *all,
				 const struct prf_style *style,
				 FILE *out) PRF_MUST_CHECK;

#endif
