/* profile_json.h - a profile in JSON, for programs of anybody's, as
 * data/schema/profile.schema.json describes it. */
#ifndef PRF_VIEW_EXPORT_PROFILE_JSON_H
#define PRF_VIEW_EXPORT_PROFILE_JSON_H

#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/profile.h"
#include "view/export/export_way.h"

/* A row of the table of formats. */
int prf_profile_json_write(const struct prf_profile *profile,
			   const struct prf_export_way *way, FILE *out,
			   struct prf_error *err) PRF_MUST_CHECK;

#endif
