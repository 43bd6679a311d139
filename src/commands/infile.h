/* infile.h - a file of somebody else, read whole into memory. */
#ifndef PRF_SRC_COMMANDS_INFILE_H
#define PRF_SRC_COMMANDS_INFILE_H

#include <stddef.h>

#include "core/attr.h"
#include "core/error.h"

/* More is no profile that anybody has written: it is not read. */
#define PRF_INFILE_MAX_BYTES ((size_t)1 << 30)

/* All zero: nothing yet.  It can be read into again and again. */
struct prf_infile {
	char *bytes;
	size_t n_bytes, room;
};

/* Reads PATH, which must be a regular file: nothing else has an end that could
 * be known.  A negative errno value; -EFBIG. */
int prf_infile_read(struct prf_infile *file, const char *path,
		    struct prf_error *err) PRF_MUST_CHECK;
void prf_infile_clear(struct prf_infile *file);

#endif
