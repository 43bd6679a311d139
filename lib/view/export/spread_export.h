/* spread_export.h - what each function has in each of several files, or ranks, for
 * programs to read: in JSON, as data/schema/report.schema.json describes it, and as
 * comma-separated values. */
#ifndef PRF_VIEW_EXPORT_SPREAD_EXPORT_H
#define PRF_VIEW_EXPORT_SPREAD_EXPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "view/export/json.h"
#include "view/export/share_export.h"
#include "view/table/rows.h"
#include "view/table/spread.h"

/* The member "spread" of the object that is open: the MAX functions that have the
 * most ticks, and their shares of what OF has.  -ENOMEM: perhaps a part. */
int prf_spread_export_json(const struct prf_spread *spread,
			   const struct prf_share_export *of, size_t max,
			   struct prf_json *json) PRF_MUST_CHECK;
/* RFC 4180, but lines end in a newline alone.  Lines of the RANKS, which SPREAD is of,
 * then those of the MAX functions in each rank, of another kind: what they have is a
 * part of the rank's.  -ENOMEM: perhaps a part. */
int prf_spread_export_csv(const struct prf_spread *spread,
			  const struct prf_rows *ranks, uint64_t period_ns,
			  size_t max, FILE *out) PRF_MUST_CHECK;

#endif
