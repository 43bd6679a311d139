/* kernel.h - which Linux runs here, where no trial tells what it does. */
#ifndef PRF_LIVE_PROC_KERNEL_H
#define PRF_LIVE_PROC_KERNEL_H

#include <stdbool.h>

/* A kernel whose number cannot be read is older than any. */
bool prf_kernel_is_before(int major, int minor);
/* The same of the kernel that calls itself RELEASE. */
bool prf_kernel_release_is_before(const char *release, int major, int minor);

#endif
