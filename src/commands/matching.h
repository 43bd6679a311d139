/* matching.h - what --focus and --ignore want: functions and binaries, by extended
 * regular expressions. */
#ifndef PRF_SRC_COMMANDS_MATCHING_H
#define PRF_SRC_COMMANDS_MATCHING_H

#include <regex.h>
#include <stdbool.h>

#include "core/attr.h"
#include "core/error.h"

/* All zero: everything is wanted. */
struct prf_matching {
	bool has_focus, has_ignore;
	regex_t focus, ignore;
};

/* WORD is the expression; another than before.  -EINVAL: ERR says why it is
 * none. */
int prf_matching_focus(struct prf_matching *matching, const char *word,
		       struct prf_error *err) PRF_MUST_CHECK;
int prf_matching_ignore(struct prf_matching *matching, const char *word,
			struct prf_error *err) PRF_MUST_CHECK;
void prf_matching_clear(struct prf_matching *matching);

/* Is what has one of NAMES (NULL at the end) wanted? */
bool prf_matching_wants(const struct prf_matching *matching,
			const char *const *names);

#endif
