/* annotation_export.h - an annotation for programs to read: in JSON, as
 * data/schema/annotate.schema.json describes it, and as comma-separated
 * values.
 *
 * Lines come first, then instructions; those without ticks are left out unless
 * the look is whole, and so are all lines where it has no source.  Which source
 * files are newer than a binary that has their lines is told, too. */
#ifndef PRF_VIEW_ANNOTATE_ANNOTATION_EXPORT_H
#define PRF_VIEW_ANNOTATE_ANNOTATION_EXPORT_H

#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "view/annotate/annotation.h"
#include "view/annotate/annotation_print.h"
#include "view/export/json.h"

/* Of the JSON; it is another when what is told changes its meaning. */
enum { PRF_ANNOTATION_EXPORT_VERSION = 1 };

/* Members of the object that is open.  -ENOMEM: perhaps a part. */
int prf_annotation_export(const struct prf_annotation *annotation,
			  const struct prf_annotation_look *look,
			  uint64_t period_ns,
			  struct prf_json *json) PRF_MUST_CHECK;
/* RFC 4180, but lines end in a newline alone.  -ENOMEM: perhaps a part. */
int prf_annotation_export_csv(const struct prf_annotation *annotation,
			      const struct prf_annotation_look *look,
			      uint64_t period_ns, FILE *out) PRF_MUST_CHECK;

#endif
