/* gmon_source.h - gmon.outs, read into a profile.
 *
 * Files with a list of symbols (gmon.syms) are added binary by binary, at the
 * binaries' own addresses: it does not matter where each file has put them, nor
 * of which program it is.  Files without are added at the addresses they have.
 * The sum does not depend on the order of files. */
#ifndef PRF_VIEW_GMON_GMON_SOURCE_H
#define PRF_VIEW_GMON_GMON_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/gmon_read.h"
#include "profile/profile.h"

/* What one function has in one file; returns 0 or -ENOMEM. */
typedef int prf_gmon_share(void *arg, const struct prf_binary *binary,
			   const char *name, uint64_t ticks);

/* Ticks of PROFILE are as those of GMON, which has some.  -EINVAL: it does not
 * tell how long they are, or tells of several lengths, or PROFILE has others. */
int prf_gmon_source_set_unit(struct prf_profile *profile,
			     const struct prf_gmon *gmon,
			     struct prf_error *err) PRF_MUST_CHECK;

struct prf_gmon_source;

/* Files are added to PROFILE, and SHARE (may be NULL) is told what each has.
 * NULL: out of memory. */
struct prf_gmon_source *prf_gmon_source_new(struct prf_profile *profile,
					    prf_gmon_share *share, void *arg);
void prf_gmon_source_free(struct prf_gmon_source *source); /* takes NULL */

/* Adds GMON.  SYMS_TEXT is its list; NULL: it has none.  ERR says why it cannot
 * be added (-EINVAL: it does not fit the files before; -EBADMSG: it is damaged;
 * -EFBIG, -EOVERFLOW, -ENOMEM); the profile is then good for nothing. */
int prf_gmon_source_add(struct prf_gmon_source *source,
			const struct prf_gmon *gmon, const char *syms_text,
			size_t syms_bytes,
			struct prf_error *err) PRF_MUST_CHECK;

/* The next file has names, as a list of symbols has them, or has none; to be
 * told of files that are added to the profile by other ways.  -EINVAL: it does
 * not fit the files before. */
int prf_gmon_source_next(struct prf_gmon_source *source, bool has_list,
			 struct prf_error *err) PRF_MUST_CHECK;

#endif
