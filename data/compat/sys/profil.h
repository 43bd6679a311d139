/* <sys/profil.h> of HP-UX: sprofil(2).  With PRF_DIALECT_IRIX regions may
 * overlap and come in any order, and PROF_FAST is known. */
#ifndef PRF_COMPAT_SYS_PROFIL_H
#define PRF_COMPAT_SYS_PROFIL_H
#pragma GCC system_header

#include <stddef.h>
#include <sys/time.h>
#include <profrun/profil.h>
#include <profrun/region.h>
#include <profrun/table.h>

#define PROF_USHORT PRF_TABLE_USHORT
#define PROF_UINT PRF_TABLE_UINT
#define PROF_UINT64 PRF_TABLE_UINT64
#ifdef PRF_DIALECT_IRIX
#define PROF_FAST PRF_TABLE_FAST
#define PRF_COMPAT_SPROFIL_FLAGS PRF_SPROFIL_LENIENT
#else
#define PRF_COMPAT_SPROFIL_FLAGS 0u
#endif

/* Laid out as struct prf_region, and plain, so that a list may be written as in
 * any manual page. */
struct prof {
	void *pr_base;
	size_t pr_size;
	size_t pr_offset;
	unsigned int pr_scale;
};
#define pr_off pr_offset /* so on IRIX */

/* C89 and C++98 have no other way to say so: no array has -1 elements. */
#define PRF_COMPAT_ASSERT(name, condition)                                     \
	typedef char prf_compat_##name[(condition) ? 1 : -1]
PRF_COMPAT_ASSERT(prof_is_as_large,
		  sizeof(struct prof) == sizeof(struct prf_region));
PRF_COMPAT_ASSERT(pr_size_is_there,
		  offsetof(struct prof, pr_size) ==
			  offsetof(struct prf_region, size_bytes));
PRF_COMPAT_ASSERT(pr_offset_is_there,
		  offsetof(struct prof, pr_offset) ==
			  offsetof(struct prf_region, offset));
PRF_COMPAT_ASSERT(pr_scale_is_there,
		  offsetof(struct prof, pr_scale) ==
			  offsetof(struct prf_region, scale));
#undef PRF_COMPAT_ASSERT

/* The lenient lists' flag is the library's own and no document's: here it is
 * as wrong as any other, and made one that asks for two widths. */
static __inline__ int
prf_compat_sprofil(struct prof *profp, int profcnt, struct timeval *tvp,
		   unsigned int flags)
{
	if (flags & PRF_SPROFIL_LENIENT)
		flags = PROF_UINT | PROF_UINT64;
	return prf_sprofil((const struct prf_region *)(const void *)profp,
			   profcnt, tvp, flags | PRF_COMPAT_SPROFIL_FLAGS);
}

#define sprofil prf_compat_sprofil

#endif
