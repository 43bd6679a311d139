/* spread.h - what each function has in each of several files. */
#ifndef PRF_VIEW_TABLE_SPREAD_H
#define PRF_VIEW_TABLE_SPREAD_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/named_counts.h"
#include "profile/profile.h"

struct prf_spread_share {
	size_t function, file; /* numbers of each */
	uint64_t ticks;
};

/* A build-id, and the path of the first binary that has it. */
struct prf_spread_build {
	uint8_t id[PRF_BUILD_ID_MAX];
	size_t id_bytes;
	char *path;
};

/* All zero: no file yet. */
struct prf_spread {
	char **files; /* their names */
	size_t n_files;
	/* "path of the binary, newline, name": counts in all files.  Binaries
	 * of one build-id have one path here. */
	struct prf_named_counts functions;
	size_t expected; /* number of the one that may come next */
	struct prf_spread_build *builds;
	size_t n_builds, last_build; /* the one that was found last */
	struct prf_spread_share *shares;
	size_t n_shares, room;
};

/* What is added from now on is in the file called NAME.  -ENOMEM. */
int prf_spread_begin(struct prf_spread *spread,
		     const char *name) PRF_MUST_CHECK;
/* Adds COUNT of the function NAME of BINARY.  -ENOMEM. */
int prf_spread_add(struct prf_spread *spread, const struct prf_binary *binary,
		   const char *name,
		   const struct prf_count *count) PRF_MUST_CHECK;
/* Adds all functions of PROFILE.  -ENOMEM: perhaps a part. */
int prf_spread_add_all(struct prf_spread *spread,
		       const struct prf_profile *profile) PRF_MUST_CHECK;
/* The numbers of all functions, those with the most ticks first, to be free()d;
 * equals are by name, so that the order of files does not matter.  NULL: out of
 * memory. */
size_t *prf_spread_sorted(const struct prf_spread *spread);
/* TICKS gets what FUNCTION has in each file, which may be nothing. */
void prf_spread_of(const struct prf_spread *spread, size_t function,
		   uint64_t *ticks);
void prf_spread_clear(struct prf_spread *spread);

#endif
