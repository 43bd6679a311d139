/* share_export.h - how many ticks something has, which share that is and how
 * long it took, for programs to read. */
#ifndef PRF_VIEW_EXPORT_SHARE_EXPORT_H
#define PRF_VIEW_EXPORT_SHARE_EXPORT_H

#include <stdint.h>
#include <stdio.h>

#include "profile/count.h"
#include "view/export/json.h"

/* What shares are of. */
struct prf_share_export {
	struct prf_count all;
	double doubt;       /* see view/table/share.h */
	uint64_t period_ns; /* of a tick */
};

/* "ticks,percent,low,high"; low and high are the interval. */
void prf_share_export_csv(const struct prf_share_export *of,
			  const struct prf_count *count, FILE *out);
/* An object with these, and with seconds. */
void prf_share_export_json(const struct prf_share_export *of, const char *name,
			   const struct prf_count *count,
			   struct prf_json *json);

double prf_share_export_seconds(const struct prf_share_export *of,
				const struct prf_count *count);

#endif
