/* gmon_files.h - a profile as files for gprof: a gmon.out and its list of
 * symbols.  This is the only writer of either. */
#ifndef PRF_VIEW_GMON_GMON_FILES_H
#define PRF_VIEW_GMON_GMON_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "view/gmon/gmon_layout.h"

/* In the header of each gmon.out that is written here. */
#define PRF_GMON_FILES_MARK "profrun"

/* The ticks and arcs of all binaries in LAYOUT.  -EOVERFLOW: more ticks at one
 * address than gprof can add, or an address that does not fit; -ENOMEM; or what
 * writing failed with. */
int prf_gmon_files_write_ticks(const struct prf_gmon_layout *layout, FILE *out,
			       struct prf_error *err) PRF_MUST_CHECK;
/* The symbols of the same, for gprof -S; described in gmon.syms(5).  ALL of
 * them, or those that have ticks or arcs and the next behind each, which ends
 * it. */
int prf_gmon_files_write_syms(const struct prf_gmon_layout *layout, bool all,
			      FILE *out, struct prf_error *err) PRF_MUST_CHECK;

enum prf_gmon_files_writer {
	PRF_GMON_FILES_NOBODY,  /* there is nothing in it */
	PRF_GMON_FILES_PROFRUN, /* a gmon.out of this writer */
	PRF_GMON_FILES_ANOTHER, /* one of glibc or 4.4BSD; it may be cut */
	PRF_GMON_FILES_NO_GMON, /* anything else, as it seems */
};

/* Who has written the file that begins on IN? */
enum prf_gmon_files_writer prf_gmon_files_writer(FILE *in);

#endif
