/* descriptor.h - how many files may be open. */
#ifndef PRF_LIVE_DESCRIPTOR_H
#define PRF_LIVE_DESCRIPTOR_H

#include <stdbool.h>

/* FD was opened for one of many threads.  Are there so many now that other files
 * could not be opened any more? */
bool prf_descriptor_is_one_too_many(int fd);

#endif
