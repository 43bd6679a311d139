/* report_file.h - the file that report is about, and where its names come
 * from. */
#ifndef PRF_SRC_COMMANDS_REPORT_FILE_H
#define PRF_SRC_COMMANDS_REPORT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "core/error.h"
#include "src/commands/profile_file.h"
#include "src/commands/reading.h"
#include "view/table/rows.h"

struct prf_report_file {
	char *path;              /* its own */
	const char *program;     /* that has its names; NULL: not told */
	bool is_newest;          /* nobody has named it */
	bool is_trace, is_pprof; /* neither: a gmon.out */
	bool has_calls;   /* its arcs are calls that the program has counted */
	char *names_from; /* the file that a gmon.out's names are from; its own */
};

/* What the N (<= 2) WORDS mean: FILE, PROGRAM and its gmon.out as gprof has it,
 * PROGRAM alone, or nothing.  -ENOENT: there is no profile; -EINVAL: of two words
 * the first is no program; -ENOMEM. */
int prf_report_file_find(struct prf_report_file *file, char *const *words,
			 size_t n, struct prf_error *err) PRF_MUST_CHECK;
void prf_report_file_clear(struct prf_report_file *file);

/* Reads it into SUM.  Of a gmon.out the names are in SYMS (NULL: not given), a
 * gmon.syms or what nm(1) prints; else in the list beside it, in its program, or
 * in the gmon.syms of its directory. */
int prf_report_file_read(struct prf_report_file *file, const char *syms,
			 const struct prf_reading *reading,
			 struct prf_profile_sum *sum,
			 struct prf_error *err) PRF_MUST_CHECK;
/* Can PROFILE, which was read from FILE, have rows BY that?  A gmon.out has ticks
 * by address, and nothing else; a pprof file of ours has stacks, and whose they
 * are.  -EINVAL: it does not tell of such. */
int prf_report_file_check(const struct prf_report_file *file,
			  enum prf_rows_by by,
			  const struct prf_profile *profile,
			  struct prf_error *err) PRF_MUST_CHECK;

#endif
