/* debuginfod.h - files by their build-id, from the servers that the environment
 * variable DEBUGINFOD_URLS names; see debuginfod(8).
 *
 * libdw asks, by libdebuginfod, which it loads if that is installed; for source
 * files this file does.  What has come is kept in a cache on disk.  Nobody is asked
 * where the variable is not set, or empty. */
#ifndef PRF_IMAGE_DEBUGINFOD_H
#define PRF_IMAGE_DEBUGINFOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* For one thread at a time. */
struct prf_debuginfod;

/* Is the variable set? */
bool prf_debuginfod_is_wanted(void);

/* NULL: the variable is not set, or memory is short.  Nothing is asked yet. */
struct prf_debuginfod *prf_debuginfod_new(void);
void prf_debuginfod_free(struct prf_debuginfod *servers); /* takes NULL */

/* Can servers be asked? False: libdebuginfod is not installed.  A libdw before
 * 0.188 cannot tell, and it is taken to be installed. */
bool prf_debuginfod_is_there(struct prf_debuginfod *servers);

enum prf_debuginfod_kind {
	PRF_DEBUGINFOD_DEBUGINFO,  /* what a file was stripped of */
	PRF_DEBUGINFOD_EXECUTABLE, /* the file itself; a library, too */
};

/* The file of KIND with build-id ID: a descriptor, which is the caller's to
 * close and may have any offset; the caller checks the file's build-id.
 * -ENOENT: no server has it, or SERVERS is NULL; else the reason why none could
 * be asked, of which WARNING, if not NULL, gets one line, once.  After a long
 * wait in vain nothing more is requested. */
int prf_debuginfod_find(struct prf_debuginfod *servers,
			enum prf_debuginfod_kind kind, const uint8_t *id,
			size_t id_bytes, struct prf_error *warning);
/* The same of a source file of the binary with that build-id; PATH, absolute, is
 * as its compiler knew it. */
int prf_debuginfod_find_source(struct prf_debuginfod *servers,
			       const uint8_t *id, size_t id_bytes,
			       const char *path, struct prf_error *warning);

#endif
