/* firefox_numbers.h - what is counted in a profile for the Firefox Profiler: its
 * strings, functions and rows, which refer to one another by number. */
#ifndef PRF_VIEW_EXPORT_FIREFOX_NUMBERS_H
#define PRF_VIEW_EXPORT_FIREFOX_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/binary.h"
#include "profile/named_counts.h"
#include "profile/pairs.h"
#include "view/export/export_way.h"
#include "view/export/json.h"
#include "view/export/stack_table.h"

/* A function of the file: one of the stacks', or one that was inlined. */
struct prf_firefox_function {
	uint32_t name;   /* string */
	uint32_t binary; /* the number of the resource */
	uint32_t file;   /* as in the stacks; 0: not known */
};

/* All zero but what is of others, which is told first. */
struct prf_firefox {
	const struct prf_stack_table *stacks;
	const struct prf_export_way *way;
	struct prf_json json;
	uint64_t period_ns;

	struct prf_named_counts strings;
	struct prf_firefox_function *functions; /* the stacks' come first */
	size_t n_functions, functions_room;
	struct prf_pairs inlined;   /* name and binary */
	uint32_t *inlined_function; /* of each inlined call */
	size_t *frame_rows;         /* the first row of each frame */
	size_t *node_rows;          /* the last row of each node, + 1 */
	size_t *libs;               /* by binary, + 1; 0: it is none */
	struct prf_pairs mains;     /* pid, 0: whose main thread is written */
};

/* Numbers all functions and rows of the stacks.  -ENOMEM: some. */
int prf_firefox_number(struct prf_firefox *firefox) PRF_MUST_CHECK;
void prf_firefox_clear(struct prf_firefox *firefox);
/* The *NUMBER of a string, perhaps a new one.  -ENOMEM. */
int prf_firefox_intern(struct prf_firefox *firefox, const char *text,
		       uint32_t *number) PRF_MUST_CHECK;
/* Is BINARY a file, which the profiler calls a library? */
bool prf_firefox_is_lib(const struct prf_binary *binary);

#endif
