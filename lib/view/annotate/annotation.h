/* annotation.h - where in a function, or in a source file, ticks fell: its lines
 * and its instructions. */
#ifndef PRF_VIEW_ANNOTATE_ANNOTATION_H
#define PRF_VIEW_ANNOTATE_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/binary_lines.h"
#include "profile/functions.h"
#include "profile/profile.h"

/* A line that has ticks, or instructions of the function. */
struct prf_annotated_line {
	const char *file, *directory; /* as in image/lines.h */
	uint32_t line;
	const struct prf_binary *binary; /* the profile's; one that has it */
	struct prf_count count;
};

/* The path of its file, the caller's; absolute if that is known.  NULL: out of
 * memory. */
char *prf_annotated_line_path(const struct prf_annotated_line *line);
/* An order of the files that lines are in; 0: they are in the same. */
int prf_annotated_line_by_file(const struct prf_annotated_line *left,
			       const struct prf_annotated_line *right);

#define PRF_ANNOTATED_NO_LINE ((size_t)-1)

struct prf_annotated_code {
	const struct prf_binary *binary; /* the profile's */
	uint64_t vaddr;
	unsigned n_bytes;
	char *text;
	size_t line; /* index of its line, or PRF_ANNOTATED_NO_LINE */
	struct prf_count count;
};

/* All zero: of nothing. */
struct prf_annotation {
	const struct prf_binary *binary; /* the profile's; of a file NULL */
	const char *function;            /* mangled; or NULL */
	struct prf_count count;          /* its ticks */
	bool is_inlined; /* FUNCTION is, with all that is inlined into it */
	struct prf_functions
		into; /* those it is inlined into; most ticks first */
	struct prf_annotated_line *lines; /* by file, then line */
	size_t n_lines, lines_room;
	struct prf_annotated_code *code; /* by binary, ascending */
	size_t n_code, code_room;
};

/* Of FUNCTION in BINARY, both of PROFILE.  What LINES has opened must live as long
 * as the annotation.  -EINVAL, -ENOTSUP, -ENOENT, -ESTALE: there are lines, but
 * the instructions cannot be had, and ERR says why; -ENOENT without lines, too: what
 * BINARY was counted by has no more than functions; -ENOMEM. */
int prf_annotate_function(struct prf_annotation *annotation,
			  const struct prf_profile *profile,
			  const struct prf_binary *binary, const char *function,
			  struct prf_binary_lines *lines,
			  struct prf_error *err) PRF_MUST_CHECK;
/* The same of FUNCTION where it is inlined into others of BINARY. */
int prf_annotate_inlined(struct prf_annotation *annotation,
			 const struct prf_profile *profile,
			 const struct prf_binary *binary, const char *function,
			 struct prf_binary_lines *lines,
			 struct prf_error *err) PRF_MUST_CHECK;
/* Of the source files whose whole path ends in FILE, and of the instructions that were
 * made of them where there are ticks.  -ENOENT without lines: no ticks are there, or
 * it is not known; else the same as of a function. */
int prf_annotate_file(struct prf_annotation *annotation,
		      const struct prf_profile *profile, const char *file,
		      struct prf_binary_lines *lines,
		      struct prf_error *err) PRF_MUST_CHECK;
void prf_annotation_clear(struct prf_annotation *annotation);

#endif
