/* programs.h - the programs of a run, one row for each, however many processes
 * ran it. */
#ifndef PRF_PROFILE_PROGRAMS_H
#define PRF_PROFILE_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/count.h"

struct prf_program_row {
	char *path;           /* "": it is not known */
	uint64_t n_processes; /* that had ticks as this program */
	struct prf_count count;
};

/* All zero: none. */
struct prf_programs {
	struct prf_program_row *rows; /* as they came */
	size_t n;
};

/* N_PROCESSES of the program at PATH had COUNT.  -ENOMEM. */
int prf_programs_add(struct prf_programs *programs, const char *path,
		     uint64_t n_processes,
		     const struct prf_count *count) PRF_MUST_CHECK;
/* NULL: there is none. */
struct prf_program_row *prf_programs_find(const struct prf_programs *programs,
					  const char *path);
/* The most ticks first, then by path. */
void prf_programs_sort(struct prf_programs *programs);
void prf_programs_clear(struct prf_programs *programs);

/* The last part of its path; "?" where that is not known. */
const char *prf_programs_name(const struct prf_program_row *row);

#endif
