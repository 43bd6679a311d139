/* call_function.h - a function of a call graph, with its ticks. */
#ifndef PRF_PROFILE_CALL_FUNCTION_H
#define PRF_PROFILE_CALL_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/binary.h"
#include "profile/count.h"

/* No function, no node. */
#define PRF_CALL_NONE ((size_t)-1)

struct prf_call_function {
	const char *name; /* as in the file, mangled; the profile's, or that of
			   * the lines it is INLINED by */
	const struct prf_binary *binary; /* NULL: "[pruned]" */
	uint64_t lo;  /* as in struct prf_function; 0 if it is INLINED */
	bool inlined; /* in those that call it; elsewhere it may be called */
	struct prf_count self;  /* of samples whose PC is in it */
	struct prf_count total; /* of samples with it anywhere in the path */
};

#endif
