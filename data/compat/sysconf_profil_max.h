/* sysconf(_SC_PROFIL_MAX) of HP-UX.  All other names are the system's, whose
 * <unistd.h> is included before. */
#ifndef PRF_COMPAT_SYSCONF_H
#define PRF_COMPAT_SYSCONF_H
#pragma GCC system_header

#include <profrun/profil.h>

/* No name of the system's is so large. */
#define _SC_PROFIL_MAX 0x50524f46

static __inline__ long
prf_compat_sysconf(int name)
{
	return name == _SC_PROFIL_MAX ? prf_sprofil_max() : sysconf(name);
}

#define sysconf prf_compat_sysconf

#endif
