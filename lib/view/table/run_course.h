/* run_course.h - when each row of a run's table had its ticks: of a profile that
 * comes part by part. */
#ifndef PRF_VIEW_TABLE_RUN_COURSE_H
#define PRF_VIEW_TABLE_RUN_COURSE_H

#include <stdbool.h>

#include "core/attr.h"
#include "profile/course.h"
#include "profile/named_counts.h"
#include "profile/profile.h"
#include "view/table/rows.h"

/* All zero: none. */
struct prf_run_course {
	struct prf_named_counts keys;  /* "name, newline, binary" */
	struct prf_course self, total; /* by the numbers of these */
};

/* Can parts of a profile have such rows?  Not where these are of the whole run,
 * or of files that must stay open. */
bool prf_run_course_has(enum prf_rows_by by);
/* PART is what comes next; HAS_TOTAL: also of functions with all that they call.
 * -ENOMEM. */
int prf_run_course_add(struct prf_run_course *course,
		       const struct prf_profile *part, enum prf_rows_by by,
		       bool has_total) PRF_MUST_CHECK;
void prf_run_course_clear(struct prf_run_course *course);

#endif
