/* descriptors.h - files that this process has open, and may have. */
#ifndef PRF_TESTS_DESCRIPTORS_H
#define PRF_TESTS_DESCRIPTORS_H

#include <sys/resource.h>

/* Of the first 1024. */
int prf_test_n_open(void);
void prf_test_limit_open(rlim_t most);
/* So few that the next one is one too many for files that are kept, see
 * live/descriptor.h. */
void prf_test_leave_little_room(void);

#endif
