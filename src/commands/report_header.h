/* report_header.h - what stands above the table of a report. */
#ifndef PRF_SRC_COMMANDS_REPORT_HEADER_H
#define PRF_SRC_COMMANDS_REPORT_HEADER_H

#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "profile/profile.h"
#include "src/commands/figures.h"
#include "src/commands/report_file.h"
#include "view/export/json.h"
#include "view/table/style.h"

/* Which file it is, what was run and when, how many samples there are, how much
 * of the CPU time they cover, and how many stacks are whole.  FIGURES are those
 * of a trace.  -ENOMEM: perhaps a part. */
int prf_report_header_print(const struct prf_report_file *file,
			    const struct prf_figures *figures,
			    const struct prf_profile *profile,
			    const struct prf_style *style,
			    FILE *out) PRF_MUST_CHECK;
/* Which triggers took the samples; nothing where that is not known. */
void prf_report_header_triggers(const struct prf_figures *figures, FILE *out);
/* All of it for programs: the member "run" of the object that is open.  What is
 * not known is null. */
void prf_report_header_json(const struct prf_report_file *file,
			    const struct prf_figures *figures,
			    const struct prf_profile *profile,
			    struct prf_json *json);

/* Of a tick of PROFILE. */
uint64_t prf_report_header_period_ns(const struct prf_profile *profile);

#endif
