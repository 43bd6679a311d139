/* objectfile.h - the file behind a mapping, found while its process lives and,
 * with luck, after. */
#ifndef PRF_VIEW_OBJECTFILE_H
#define PRF_VIEW_OBJECTFILE_H

#include "core/sample.h"

/* An open file descriptor, the caller's to close; -1 where the file is gone, or
 * the path leads to another one by now. */
int prf_objectfile_open(const struct prf_mapping *map);

#endif
