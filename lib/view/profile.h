/* profile.h - what was measured, by object and function.
 *
 * A profile is a sink while it is measured and, once finished, a table to be
 * written in one form or another.  Every tick it is given is in exactly one of
 * its objects, or was refused with an error. */
#ifndef PRF_VIEW_PROFILE_H
#define PRF_VIEW_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"
#include "view/object.h"

struct prf_profile_config {
	/* Time in system calls is the kernel's, by their names; else it is
	 * charged to the PC after the call, as profil(2) does. */
	bool kernel_apart;
	/* Where JIT compilers leave their maps; NULL: /tmp. */
	const char *perfmap_dir;
};

struct prf_profile {
	struct prf_sink base;
	/* To be read when finished. */
	struct prf_object **objects; /* by kind, then path */
	size_t n_objects;
	const struct prf_object *program; /* of the last exec; NULL: none */
	struct prf_count total;
	uint64_t outside;   /* of its ticks: in the object [unknown] */
	uint64_t saturated; /* of its ticks: their counter was full, and no
			     * file has them */
	uint8_t addr_bytes; /* of the program: 4 or 8 */
	pid_t pid;
	char **warnings; /* one line each, NULL at the end; or NULL */
};

/* As SINK->base; freed through it.  NULL: out of memory. */
struct prf_profile *prf_profile_new(const struct prf_profile_config *config);

/* Functions with ticks, the most first (then by object and address), at most
 * MAX of them; to be free()d.  NULL: there are none (*N == 0), or memory is
 * short (*N > 0). */
const struct prf_function **
prf_profile_hottest(const struct prf_profile *profile, size_t max, size_t *n);

#endif
