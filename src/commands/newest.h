/* newest.h - the profile that a user means who names none. */
#ifndef PRF_SRC_COMMANDS_NEWEST_H
#define PRF_SRC_COMMANDS_NEWEST_H

#include "core/attr.h"
#include "core/error.h"

enum prf_newest {
	PRF_NEWEST_PROFILE, /* of any kind */
	PRF_NEWEST_TRACE,
};

/* Of the regular files in the working directory that are traces, pprof files
 * (*.pb.gz...) or gmon.outs (gmon.out..., gmon.*.out, or any with a list beside
 * it), and begin as these do: the one of KIND that was written last; of several
 * the one that keeps most, in this order, and the first by name.  *NAME is the
 * caller's.  -ENOENT: there is none; -ENOMEM; what reading the directory failed
 * with. */
int prf_newest_find(enum prf_newest kind, char **name,
		    struct prf_error *err) PRF_MUST_CHECK;

#endif
