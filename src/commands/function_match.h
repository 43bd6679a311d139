/* function_match.h - which functions of a call graph a user means. */
#ifndef PRF_SRC_COMMANDS_FUNCTION_MATCH_H
#define PRF_SRC_COMMANDS_FUNCTION_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/call_graph.h"
#include "src/commands/matching.h"

/* Sets FLAGS of those functions of GRAPH that are called WORD: with parameters
 * or without, as their file has it, or as a table shows them.  Where there is none, of
 * those whose name or binary matches it as a regular expression.  -ENOENT: there is
 * none again; -EINVAL: ERR says why it is none; -ENOMEM. */
int prf_function_match_word(const struct prf_call_graph *graph,
			    const char *word, bool *flags,
			    struct prf_error *err) PRF_MUST_CHECK;

/* Of those that MATCHING has the focus on, and of those that it ignores.
 * -ENOMEM. */
int prf_function_match_choice(const struct prf_call_graph *graph,
			      const struct prf_matching *matching, bool *focus,
			      bool *ignore) PRF_MUST_CHECK;

#endif
