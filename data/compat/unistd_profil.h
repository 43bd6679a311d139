/* profil(2) by the dialect that the program asks for; libc's own function
 * keeps its name, programs are told another one. */
#ifndef PRF_COMPAT_PROFIL_H
#define PRF_COMPAT_PROFIL_H
#pragma GCC system_header

#include <stddef.h>
#include <profrun/dialect.h>
#include <profrun/profil.h>

#if defined(PRF_DIALECT_SVR4) + defined(PRF_DIALECT_SOLARIS) +                 \
		defined(PRF_DIALECT_FREEBSD) >                                 \
	1
#error "PRF_DIALECT_SVR4, PRF_DIALECT_SOLARIS or PRF_DIALECT_FREEBSD: one"
#endif

/* The arguments are those of each manual page, except that offsets are as wide
 * as addresses are here. */

#if defined(PRF_DIALECT_FREEBSD)

typedef unsigned long vm_offset_t;

static __inline__ int
prf_compat_profil(char *samples, size_t size, vm_offset_t offset, int scale)
{
	return prf_profil(&prf_dialect_freebsd, samples, size, offset,
			  (unsigned)scale);
}

#elif defined(PRF_DIALECT_SOLARIS)

static __inline__ int
prf_compat_profil(unsigned short *buff, size_t bufsiz, size_t offset,
		  unsigned int scale)
{
	return prf_profil(&prf_dialect_solaris, buff, bufsiz, offset, scale);
}

#else

static __inline__ int
prf_compat_profil(unsigned short *buff, size_t bufsiz, size_t offset,
		  unsigned int scale)
{
	return prf_profil(&prf_dialect_svr4, buff, bufsiz, offset, scale);
}

#endif

#define profil prf_compat_profil

#endif
