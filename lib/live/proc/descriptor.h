/* descriptor.h - how many files can stay open. */
#ifndef PRF_LIVE_PROC_DESCRIPTOR_H
#define PRF_LIVE_PROC_DESCRIPTOR_H

#include <stdbool.h>

/* FD was opened for one of many threads.  Are so many files open now that
 * there is too little room for others? */
bool prf_descriptor_is_one_too_many(int fd);

#endif
