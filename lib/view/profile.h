/* profile.h - what was measured of one program: a process from one exec to the
 * next or to its end, or one thread of it; by object and function.
 *
 * It counts while the program runs and, once settled, is a table to be written
 * in one form or another.  Every tick it is given is in exactly one of its
 * objects, or was refused with an error. */
#ifndef PRF_VIEW_PROFILE_H
#define PRF_VIEW_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"
#include "view/mapped.h"
#include "view/object.h"
#include "view/program.h"
#include "view/warnings.h"

struct prf_profile_config {
	/* Time in system calls is the kernel's, by their names; else it is
	 * charged to the PC after the call, as profil(2) does. */
	bool kernel_apart;
	/* Where JIT compilers leave their maps; NULL: /tmp. */
	const char *perfmap_dir;
	/* What is amiss goes there; NULL: nowhere. */
	struct prf_warnings *warnings;
};

struct prf_profile {
	pid_t pid;
	uint8_t addr_bytes; /* of the program: 4 or 8 */
	struct prf_count total;
	/* To be read when settled. */
	struct prf_object **objects; /* by kind, then path */
	size_t n_objects;
	const struct prf_object *program; /* NULL: its file was not mapped */
	uint64_t outside;   /* of its ticks: in the object [unknown] */
	uint64_t saturated; /* of its ticks: their counter was full, and no
			     * file has them */
};

/* Of process PID as PROGRAM, which is held.  NULL: out of memory. */
struct prf_profile *prf_profile_new(const struct prf_profile_config *config,
				    pid_t pid, struct prf_program *program);
void prf_profile_free(struct prf_profile *profile); /* takes NULL */

/* Counts SAMPLE of a process that has mapped MAPPED.  -ENOMEM: not counted. */
int prf_profile_add(struct prf_profile *profile,
		    const struct prf_mapped *mapped,
		    const struct prf_sample *sample) PRF_MUST_CHECK;
/* Adds what was counted in OTHER, not settled either.  -ENOMEM: perhaps a
 * part. */
int prf_profile_merge(struct prf_profile *profile,
		      const struct prf_profile *other) PRF_MUST_CHECK;

/* Makes the table; no tick is added any more.  Once only, while MAPPED is what
 * the process has mapped: the program is in the table even without ticks.
 * -ENOMEM, or what is wrong with the map of JIT code. */
int prf_profile_settle(struct prf_profile *profile,
		       const struct prf_mapped *mapped,
		       struct prf_error *err) PRF_MUST_CHECK;

#endif
