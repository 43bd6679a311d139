/* top_data.h - what "profrun top" shows, taken out of a profile that goes on: it
 * lends nothing from that. */
#ifndef PRF_SRC_TOP_TOP_DATA_H
#define PRF_SRC_TOP_TOP_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/profile.h"
#include "view/table/rows.h"

/* A function of the call graph. */
struct prf_top_function {
	char *name, *binary; /* as in its row */
	bool is_demangled;
};

/* CALLER calls CALLEE, numbers of functions. */
struct prf_top_arc {
	size_t caller, callee;
	struct prf_count count;
};

/* All zero: nothing. */
struct prf_top_data {
	struct prf_rows rows[PRF_N_ROWS_BY];
	bool has[PRF_N_ROWS_BY]; /* what takes time is made if it is wanted */
	struct prf_top_function *functions;
	size_t n_functions;
	struct prf_top_arc *arcs;
	size_t n_arcs;
	struct prf_count all;
	uint32_t rate_hz;
};

/* What is to be made of a profile. */
struct prf_top_wanted {
	bool lines; /* rows by line, too */
	struct prf_binary_lines *binary_lines;
};

/* Of PROFILE, with ticks of RATE_HZ.  -ENOMEM; DATA is as it was. */
int prf_top_data_of(const struct prf_profile *profile, uint32_t rate_hz,
		    const struct prf_top_wanted *wanted,
		    struct prf_top_data *data) PRF_MUST_CHECK;
void prf_top_data_clear(struct prf_top_data *data);

/* Takes out of PROFILE what EARLIER, a profile of the same run before, had, its
 * threads included.  As prf_profile_subtract(). */
int prf_top_data_recent(struct prf_profile *profile,
			const struct prf_profile *earlier) PRF_MUST_CHECK;

#endif
