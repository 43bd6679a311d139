/* pprof_binaries.h - what the locations of a pprof file are in a profile: which
 * binaries, and which of their functions. */
#ifndef PRF_VIEW_PPROF_PPROF_BINARIES_H
#define PRF_VIEW_PPROF_PPROF_BINARIES_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/arcs.h"
#include "profile/profile.h"
#include "space/files.h"
#include "view/pprof/pprof_message.h"

/* More than any run has. */
enum { PRF_PPROF_BINARIES_MAX = 1 << 18 };

/* What all mappings of one file are; where text is linked. */
struct prf_pprof_binary;
struct prf_pprof_link;

struct prf_pprof_binaries {
	const struct prf_pprof_message *message;
	struct prf_profile *profile;
	struct prf_pprof_binary *all;
	size_t n;
	/* By mapping, and behind the last for those without: which binary,
	 * and addr - vaddr. */
	size_t *of_mapping;
	uint64_t *biases;
	struct prf_pprof_link *links; /* what its comments say of them */
	size_t n_links;
	/* By location, and behind the last for samples without any: its first
	 * end; and where the next one's are. */
	size_t *first_ends;
	struct prf_arc_end *ends;
	struct prf_files *files;
	uint64_t n_copied; /* bytes of its strings */
};

/* All of MESSAGE, which is to last as long as BINARIES, into PROFILE.  Files are
 * found by WAY.  -EFBIG: more binaries than any has, or more bytes of names;
 * -ENOMEM.  To be cleared, whatever it returned. */
int prf_pprof_binaries_init(struct prf_pprof_binaries *binaries,
			    const struct prf_pprof_message *message,
			    const struct prf_objectfile_way *way,
			    struct prf_profile *profile,
			    struct prf_error *err) PRF_MUST_CHECK;
/* All zero is empty. */
void prf_pprof_binaries_clear(struct prf_pprof_binaries *binaries);

/* The functions of LOCATION, the innermost first; at least one. */
const struct prf_arc_end *
prf_pprof_binaries_ends(const struct prf_pprof_binaries *binaries,
			size_t location, size_t *n);
/* The location of samples that have none. */
size_t prf_pprof_binaries_nowhere(const struct prf_pprof_binaries *binaries);
/* The binary of the first mapping; NULL: there is none. */
struct prf_binary *
prf_pprof_binaries_first(const struct prf_pprof_binaries *binaries);

#endif
