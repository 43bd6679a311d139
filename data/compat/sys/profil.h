/* <sys/profil.h> of HP-UX: sprofil(2).  With PRF_DIALECT_IRIX it is that of
 * IRIX: regions may overlap and come in any order, and PROF_FAST is known. */
#ifndef PRF_COMPAT_SYS_PROFIL_H
#define PRF_COMPAT_SYS_PROFIL_H
#pragma GCC system_header

#include <stddef.h>
#include <sys/time.h>
#include <profrun/profil.h>
#include <profrun/region.h>
#include <profrun/table.h>
#include "../dialect_choice.h"

#define PROF_USHORT PRF_TABLE_USHORT
#define PROF_UINT PRF_TABLE_UINT
#define PROF_UINT64 PRF_TABLE_UINT64

/* Each as its manual page has it, so that a list may be written as there; and
 * laid out as one of the library's own. */
#ifdef PRF_DIALECT_IRIX

#define PRF_COMPAT_SPROFIL_IS_IRIX
#define PROF_FAST PRF_TABLE_FAST

struct prof {
	void *pr_base;
	size_t pr_size;
	size_t pr_off;
	unsigned int pr_scale;
};

#define PRF_COMPAT_REGION struct prf_region
#define PRF_COMPAT_OFFSET pr_off

#else

/* The system's, and not that beside this directory, which has a profil. */
#include_next <unistd.h>
#include "../sysconf_profil_max.h"

struct prof {
	void *pr_base;
	unsigned int pr_size;
	void *pr_offset;
	unsigned int pr_scale;
};

#define PRF_COMPAT_REGION struct prf_hpux_region
#define PRF_COMPAT_OFFSET pr_offset

#endif

/* C89 and C++98 have no other way to say so: no array has -1 elements. */
#define PRF_COMPAT_ASSERT(name, condition)                                     \
	typedef char prf_compat_##name[(condition) ? 1 : -1]
PRF_COMPAT_ASSERT(prof_is_as_large,
		  sizeof(struct prof) == sizeof(PRF_COMPAT_REGION));
PRF_COMPAT_ASSERT(pr_size_is_there,
		  offsetof(struct prof, pr_size) ==
			  offsetof(PRF_COMPAT_REGION, size_bytes));
PRF_COMPAT_ASSERT(pr_offset_is_there,
		  offsetof(struct prof, PRF_COMPAT_OFFSET) ==
			  offsetof(PRF_COMPAT_REGION, offset));
PRF_COMPAT_ASSERT(pr_scale_is_there,
		  offsetof(struct prof, pr_scale) ==
			  offsetof(PRF_COMPAT_REGION, scale));
#undef PRF_COMPAT_ASSERT

/* The lenient lists' flag is the library's own and no document's: here it is
 * as wrong as any other, and made one that asks for two widths. */
static __inline__ int
prf_compat_sprofil(struct prof *profp, int profcnt, struct timeval *tvp,
		   unsigned int flags)
{
	const PRF_COMPAT_REGION *list =
		(const PRF_COMPAT_REGION *)(void *)profp;

	if (flags & PRF_SPROFIL_LENIENT)
		flags = PROF_UINT | PROF_UINT64;
#ifdef PRF_DIALECT_IRIX
	return prf_sprofil(list, profcnt, tvp, flags | PRF_SPROFIL_LENIENT);
#else
	return prf_sprofil_hpux(list, profcnt, tvp, flags);
#endif
}

#undef PRF_COMPAT_REGION
#undef PRF_COMPAT_OFFSET

#define sprofil prf_compat_sprofil

#endif

#if defined(PRF_DIALECT_IRIX) && !defined(PRF_COMPAT_SPROFIL_IS_IRIX)
#error "the dialect is chosen too late: before the first #include"
#endif
