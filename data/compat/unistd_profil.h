/* profil(2) by the dialect that the program asks for; libc's own function
 * keeps its name, programs are told another one. */
#ifndef PRF_COMPAT_PROFIL_H
#define PRF_COMPAT_PROFIL_H
#pragma GCC system_header

#include <stddef.h>
#include <profrun/dialect.h>
#include <profrun/profil.h>
#include "dialect_choice.h"

/* The arguments are those of each manual page, except that offsets are as wide
 * as addresses are here. */

#if defined(PRF_DIALECT_FREEBSD)

#define PRF_COMPAT_PROFIL_IS_FREEBSD
typedef unsigned long vm_offset_t;

static __inline__ int
prf_compat_profil(char *samples, size_t size, vm_offset_t offset, int scale)
{
	return prf_profil(prf_dialect_freebsd(), samples, size, offset,
			  (unsigned)scale);
}

#elif defined(PRF_DIALECT_SOLARIS)

#define PRF_COMPAT_PROFIL_IS_SOLARIS
static __inline__ int
prf_compat_profil(unsigned short *buff, size_t bufsiz, size_t offset,
		  unsigned int scale)
{
	return prf_profil(prf_dialect_solaris(), buff, bufsiz, offset, scale);
}

#elif defined(PRF_DIALECT_HPUX)

#define PRF_COMPAT_PROFIL_IS_HPUX
#include <profrun/region.h>
#include <profrun/table.h>
#include "sysconf_profil_max.h"

/* By its page sprofil with one entry, and so with all that sprofil refuses. */
static __inline__ int
prf_compat_profil(unsigned short *buff, size_t bufsiz, size_t offset,
		  unsigned int scale)
{
	struct prf_region region;

	region.base = buff;
	region.size_bytes = bufsiz;
	region.offset = offset;
	region.scale = scale;
	return prf_sprofil(&region, 1, NULL, PRF_TABLE_USHORT);
}

#else

#define PRF_COMPAT_PROFIL_IS_SVR4
static __inline__ int
prf_compat_profil(unsigned short *buff, size_t bufsiz, size_t offset,
		  unsigned int scale)
{
	return prf_profil(prf_dialect_svr4(), buff, bufsiz, offset, scale);
}

#endif

#define profil prf_compat_profil

#endif

/* Perhaps another header has included this one before the program has chosen. */
#if (defined(PRF_DIALECT_FREEBSD) &&                                           \
     !defined(PRF_COMPAT_PROFIL_IS_FREEBSD)) ||                                \
	(defined(PRF_DIALECT_SOLARIS) &&                                       \
	 !defined(PRF_COMPAT_PROFIL_IS_SOLARIS)) ||                            \
	(defined(PRF_DIALECT_HPUX) && !defined(PRF_COMPAT_PROFIL_IS_HPUX)) ||  \
	(defined(PRF_DIALECT_SVR4) && !defined(PRF_COMPAT_PROFIL_IS_SVR4))
#error "the dialect is chosen too late: before the first #include"
#endif
