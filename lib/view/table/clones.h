/* clones.h - functions of which compilers have made several, or parts: they are
 * called otherwise in every build.  Pure. */
#ifndef PRF_VIEW_TABLE_CLONES_H
#define PRF_VIEW_TABLE_CLONES_H

#include <stddef.h>

/* How many bytes NAME has without what compilers add to the names of such. */
size_t prf_clones_name_bytes(const char *name);

#endif
