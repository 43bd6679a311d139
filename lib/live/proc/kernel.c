#include "live/proc/kernel.h"

#include <stdio.h>
#include <sys/utsname.h>

bool
prf_kernel_release_is_before(const char *release, int major, int minor)
{
	int its_major, its_minor;

	if (sscanf(release, "%d.%d", &its_major, &its_minor) != 2)
		return true;
	return its_major < major || (its_major == major && its_minor < minor);
}

bool
prf_kernel_is_before(int major, int minor)
{
	struct utsname name;

	return uname(&name) ||
	       prf_kernel_release_is_before(name.release, major, minor);
}
