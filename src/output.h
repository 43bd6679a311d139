/* output.h - the files of one profile: gmon.out and its symbol list. */
#ifndef PRF_SRC_OUTPUT_H
#define PRF_SRC_OUTPUT_H

#include <stddef.h>
#include <sys/types.h>

#include "core/error.h"
#include "options.h"
#include "outfile.h"

struct prf_output {
	const char *pattern;
	const char *program; /* its argv[0] */
	struct prf_outdir *dir;
};

/* Opens the directory and checks that the files could be written now, so that
 * no program is run in vain.  OPTIONS must outlive OUTPUT. */
int prf_output_open(const struct prf_options *options,
		    struct prf_output *output,
		    struct prf_error *err) PRF_MUST_CHECK;
void prf_output_close(struct prf_output *output);

/* Begins the gmon.out of process PID, and its symbol list: *SYMBOLS is NULL
 * where there is none, since the output is written in place (to a device). */
int prf_output_begin(const struct prf_output *output, pid_t pid,
		     struct prf_outfile **gmon, struct prf_outfile **symbols,
		     struct prf_error *err) PRF_MUST_CHECK;

/* With --split: the names of process PID's files, one for each of N objects
 * (paths), and their beginning, one after another, since there can be more
 * objects than files may be open.  *NAMES goes to prf_outname_free. */
int prf_output_split_names(const struct prf_output *output, pid_t pid,
			   const char *const *objects, size_t n, char ***names,
			   struct prf_error *err) PRF_MUST_CHECK;
int prf_output_begin_split(const struct prf_output *output, const char *name,
			   struct prf_outfile **file,
			   struct prf_error *err) PRF_MUST_CHECK;

#endif
