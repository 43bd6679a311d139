/* gzip.h - bytes that are compressed on their way into a file, and compressed
 * bytes of others. */
#ifndef PRF_VIEW_PPROF_GZIP_H
#define PRF_VIEW_PPROF_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"

struct prf_gzip;

/* NULL: out of memory.  OUT stays the caller's. */
struct prf_gzip *prf_gzip_new(FILE *out);
/* What fails is remembered until the end. */
void prf_gzip_write(struct prf_gzip *gzip, const void *bytes, size_t n);
/* All is written; GZIP is freed.  What failed first, if anything did. */
int prf_gzip_finish(struct prf_gzip *gzip, struct prf_error *err);

bool prf_gzip_is_it(const void *bytes, size_t n);
/* All that the N BYTES stand for; *OUT is the caller's to free().  -EBADMSG:
 * they are damaged, or end too early; -EFBIG: more than any profile has, in all
 * or for so few bytes; -ENOMEM. */
int prf_gzip_expand(const void *bytes, size_t n, uint8_t **out, size_t *n_out,
		    struct prf_error *err) PRF_MUST_CHECK;

#endif
