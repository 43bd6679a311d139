/* profile_file.h - a file that holds a profile, read: a trace, a pprof file, or
 * a gmon.out with the list of symbols that stands beside it. */
#ifndef PRF_SRC_COMMANDS_PROFILE_FILE_H
#define PRF_SRC_COMMANDS_PROFILE_FILE_H

#include <stdbool.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/profile.h"
#include "src/commands/infile.h"
#include "src/commands/reading.h"
#include "src/commands/recording.h"
#include "view/gmon/gmon_source.h"
#include "view/table/spread.h"

/* A sum of such files. */
struct prf_profile_sum {
	struct prf_profile *profile; /* of all files but ONLY */
	/* A trace or a pprof file that is the only file so far: it is added when
	 * there is another, for that takes time and memory. */
	struct prf_counted only;
	size_t n_files;
	struct prf_spread *spread; /* what each file has; NULL: nobody asks */
	bool states;              /* traces are counted by thread and state, see
		      * profile/thread_states.h */
	struct prf_spread *ranks; /* what each MPI rank of a trace has, which is
				   * a file there; NULL: nobody asks */
	/* Told of traces as they are read, part by part; NULL: nobody asks. */
	void (*part)(void *arg, const struct prf_profile *part);
	void *part_arg;
	int parts_rc; /* 0, or why the ranks or parts are not complete */
	struct prf_gmon_source *gmons;
	struct prf_infile gmon,
		syms; /* or a pprof file; used again for each file */
};

/* An empty sum.  -ENOMEM. */
int prf_profile_sum_init(struct prf_profile_sum *sum, struct prf_spread *spread,
			 struct prf_error *err) PRF_MUST_CHECK;
void prf_profile_sum_clear(struct prf_profile_sum *sum);

/* What all files have; lent until the next is added. */
struct prf_profile *prf_profile_sum_whole(const struct prf_profile_sum *sum);

/* Adds the trace at PATH: all of its processes, or what READING wants of it. */
int prf_profile_sum_add_trace(struct prf_profile_sum *sum, const char *path,
			      const struct prf_reading *reading,
			      struct prf_error *err) PRF_MUST_CHECK;
/* Adds the gmon.out at PATH, with the list at SYMS_PATH; NULL: with the one that
 * stands beside it, if one does. */
int prf_profile_sum_add_gmon(struct prf_profile_sum *sum, const char *path,
			     const char *syms_path,
			     struct prf_error *err) PRF_MUST_CHECK;
/* Adds the pprof file at PATH. */
int prf_profile_sum_add_pprof(struct prf_profile_sum *sum, const char *path,
			      const struct prf_reading *reading,
			      struct prf_error *err) PRF_MUST_CHECK;

enum prf_profile_kind {
	PRF_PROFILE_TRACE,
	PRF_PROFILE_PPROF,
	PRF_PROFILE_GMON, /* or none of them */
};

/* What the file at PATH is; "-" is a trace on standard input.  SUM lends memory to
 * read it. */
enum prf_profile_kind prf_profile_sum_kind(struct prf_profile_sum *sum,
					   const char *path);
/* Adds the file at PATH, whichever it is.  ERR names the file; the sum is then
 * good for nothing. */
int prf_profile_sum_add(struct prf_profile_sum *sum, const char *path,
			const struct prf_reading *reading,
			struct prf_error *err) PRF_MUST_CHECK;

#endif
