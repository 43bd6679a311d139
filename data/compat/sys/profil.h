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

/* Laid out as struct prf_region. */
struct prof {
	void *pr_base;
	size_t pr_size;
	__extension__ union {
		size_t pr_offset;
		size_t pr_off; /* so on IRIX */
	};
	unsigned int pr_scale;
};

#ifdef __cplusplus
#define PRF_COMPAT_ASSERT(condition) static_assert(condition, #condition)
#else
#define PRF_COMPAT_ASSERT(condition)                                           \
	__extension__ _Static_assert(condition, #condition)
#endif
PRF_COMPAT_ASSERT(sizeof(struct prof) == sizeof(struct prf_region));
PRF_COMPAT_ASSERT(offsetof(struct prof, pr_size) ==
		  offsetof(struct prf_region, size_bytes));
PRF_COMPAT_ASSERT(offsetof(struct prof, pr_offset) ==
		  offsetof(struct prf_region, offset));
PRF_COMPAT_ASSERT(offsetof(struct prof, pr_scale) ==
		  offsetof(struct prf_region, scale));
#undef PRF_COMPAT_ASSERT

static __inline__ int
prf_compat_sprofil(struct prof *profp, int profcnt, struct timeval *tvp,
		   unsigned int flags)
{
	return prf_sprofil((const struct prf_region *)(const void *)profp,
			   profcnt, tvp, flags | PRF_COMPAT_SPROFIL_FLAGS);
}

#define sprofil prf_compat_sprofil

#endif
