/* warnings.h - what is amiss and stops nothing: lines to be said at the end. */
#ifndef PRF_PROFILE_WARNINGS_H
#define PRF_PROFILE_WARNINGS_H

#include <stddef.h>
#include <stdint.h>

/* However many processes have the same trouble, a person reads a few lines. */
enum { PRF_MAX_WARNINGS = 16 };

/* All zero: none. */
struct prf_warnings {
	char *lines[PRF_MAX_WARNINGS + 1]; /* all different; NULL at the end */
	size_t n;
	uint64_t n_more; /* that there was no room for */
};

/* TEXT is copied; what was said before is not said again. */
void prf_warnings_add(struct prf_warnings *warnings, const char *text);
void prf_warnings_clear(struct prf_warnings *warnings);

#endif
