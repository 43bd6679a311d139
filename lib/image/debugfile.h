/* debugfile.h - the separate file that has the symbols a binary was stripped
 * of. */
#ifndef PRF_IMAGE_DEBUGFILE_H
#define PRF_IMAGE_DEBUGFILE_H

#include <stdbool.h>

#include "core/error.h"
#include "image/debug_way.h"
#include "image/names.h"
#include "image/object.h"

#define PRF_DEBUG_ROOT "/usr/lib/debug"

/* A debug file that is open. */
struct prf_debugfile {
	struct prf_object object;
	int fd;
	const char *path; /* in NAMES */
};

/* Looks for the debug file of OBJECT, which lies at OBJECT->path:
 *   ROOT/.build-id/xx/yyyy.debug       if it has a build-id
 *   DIR/NAME, DIR/.debug/NAME, ROOT/DIR/NAME     if it has a .gnu_debuglink
 * The first file with the same class, byte order and machine and the same
 * build-id is taken; where one of both has no build-id, the checksum of the
 * link decides.  A file that does not match is a warning of OBJECT.  What may
 * not answer, as WAY (or NULL) tells, is not looked for; no server is asked. */
bool prf_debugfile_open(struct prf_debugfile *debugfile,
			struct prf_object *object, const char *root,
			const struct prf_debug_way *way,
			struct prf_names *names);
/* Asks SERVERS (NULL: nobody) for the debug file of OBJECT, which has a
 * build-id.  What is amiss is a warning of OBJECT. */
bool prf_debugfile_ask(struct prf_debugfile *debugfile,
		       struct prf_object *object,
		       struct prf_debuginfod *servers, struct prf_names *names);
void prf_debugfile_close(struct prf_debugfile *debugfile);

/* The .gnu_debugdata of OBJECT: a small ELF file with the symbols that are
 * not in .dynsym, compressed with xz.  It is taken only if it is honest about
 * its size and not larger than PRF_OBJECT_DATA_MAX.  False if there is none;
 * what is wrong with it is a warning. */
bool prf_minidebug_open(struct prf_object *mini, struct prf_object *object);

#endif
