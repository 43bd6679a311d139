/* newest.h - the profile that a user means who names none. */
#ifndef PRF_SRC_COMMANDS_NEWEST_H
#define PRF_SRC_COMMANDS_NEWEST_H

#include "core/attr.h"
#include "core/error.h"

enum prf_newest {
	PRF_NEWEST_PROFILE, /* of any kind */
	PRF_NEWEST_TRACE,
};

/* Of the regular files in the working directory that are called as profiles are
 * (gmon.out..., gmon.*.out, profrun.trace..., *.trace, profrun*.pb.gz...) and
 * begin as they do: the one of KIND that was written last; of several, one that
 * keeps stacks, the first by name.  *NAME is the caller's.  -ENOENT: there is none; -ENOMEM; what reading
 * the directory failed with. */
int prf_newest_find(enum prf_newest kind, char **name,
		    struct prf_error *err) PRF_MUST_CHECK;

#endif
