/* pctrace_info.h - the facts of struct prf_pctrace_info, by their names in a
 * trace. */
#ifndef PRF_CORE_PCTRACE_PCTRACE_INFO_H
#define PRF_CORE_PCTRACE_PCTRACE_INFO_H

#include <stddef.h>

#include "core/pctrace.h"

struct prf_pctrace_fact {
	const char *name;
	bool is_number; /* a uint64_t, in a trace as decimal digits; else a
			 * const char * */
	size_t offset;  /* in struct prf_pctrace_info */
};

extern const struct prf_pctrace_fact prf_pctrace_facts[];
enum { PRF_PCTRACE_N_FACTS = 11 };

static inline const char **
prf_pctrace_fact_text(struct prf_pctrace_info *info,
		      const struct prf_pctrace_fact *fact)
{
	void *at = (char *)info + fact->offset;

	return at;
}

static inline uint64_t *
prf_pctrace_fact_number(struct prf_pctrace_info *info,
			const struct prf_pctrace_fact *fact)
{
	void *at = (char *)info + fact->offset;

	return at;
}

#endif
