/* debuginfod.h - files by their build-id, from the servers that the environment
 * variable DEBUGINFOD_URLS names; see debuginfod(8).
 *
 * libdw asks, by libdebuginfod, which it loads if that is installed; what has
 * come is kept in a cache on disk.  Nobody is asked where the variable is not
 * set, or empty. */
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

/* Could anybody be asked?  False: libdebuginfod is not installed.  (With a
 * libdw before 0.188 it is taken to be.) */
bool prf_debuginfod_is_there(struct prf_debuginfod *servers);

enum prf_debuginfod_kind {
	PRF_DEBUGINFOD_DEBUGINFO,  /* what a file was stripped of */
	PRF_DEBUGINFOD_EXECUTABLE, /* the file itself; a library, too */
};

/* The file of KIND with build-id ID: a descriptor, the caller's to close, at any
 * offset of a file whose build-id is for the caller to check.  -ENOENT: nobody has it (or
 * SERVERS is NULL); else why nobody could be asked, of which WARNING (or NULL)
 * gets one line, once.  After a long wait for nothing no more is asked. */
int prf_debuginfod_find(struct prf_debuginfod *servers,
			enum prf_debuginfod_kind kind, const uint8_t *id,
			size_t id_bytes, struct prf_error *warning);

#endif
