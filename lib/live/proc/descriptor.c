#include "live/proc/descriptor.h"

#include <sys/resource.h>

bool
prf_descriptor_is_one_too_many(int fd)
{
	enum { KEPT_FREE = 128 };
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return false;
	rlim_t kept =
		limit.rlim_cur / 2 < KEPT_FREE ? limit.rlim_cur / 2 : KEPT_FREE;
	return (rlim_t)fd >= limit.rlim_cur - kept;
}
