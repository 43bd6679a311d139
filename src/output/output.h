/* output.h - the files of one profile: gmon.out and its symbol list. */
#ifndef PRF_SRC_OUTPUT_OUTPUT_H
#define PRF_SRC_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/error.h"
#include "src/options/format.h"
#include "src/options/options.h"
#include "src/output/outfile.h"
#include "src/output/outname.h"

struct prf_output {
	unsigned formats;
	const char *given; /* the user's pattern, or NULL */
	const char *pattern;
	const char *program; /* of the run: its argv[0] */
	struct prf_outdir *dir;
	bool split;
	bool has_intervals;
	bool keeps_old; /* what has a file's name now stays as FILE.old, and
			 * no file has its name before it is whole */
	bool in_place;  /* it is a device or the like: one file, alone */
	bool outlasts;  /* what replaces a gmon.out and its list is not lost
			 * if the machine fails */
	char *old;      /* what the gmon.out is to be called, where there is
			 * one of profrun's before the run; or NULL */
	struct prf_outnames names;
	char *reserved; /* the name that is no part of the profile; or NULL */
	char *moved;    /* the path of the first file that is left alone, since
		      * something else has put it there; or NULL */
	char *moved_to; /* the path of what is written instead */
	bool moved_is_file; /* it is a gmon.out, else no regular file */
	uint64_t n_moved;
};

/* Opens the directory and checks that the files could be written now, so that
 * no program is run in vain.  OPTIONS must outlive OUTPUT. */
int prf_output_open(const struct prf_options *options,
		    struct prf_output *output,
		    struct prf_error *err) PRF_MUST_CHECK;
void prf_output_close(struct prf_output *output);

/* Keeps NAME in DIR for a file that is no part of the profile: none of OUTPUT's
 * gets it.  -EINVAL: one is to have it. */
int prf_output_reserve(struct prf_output *output, const struct prf_outdir *dir,
		       const char *name, struct prf_error *err) PRF_MUST_CHECK;

/* From now on what was given is nobody's, but for what is reserved.  Where memory is
 * short that is, too. */
void prf_output_forget_names(struct prf_output *output);

/* Whose file it is; see struct prf_ended. */
struct prf_output_owner {
	pid_t pid, tid;
	unsigned n_execs;
	uint64_t interval; /* 0: of the whole run */
	/* Of what is in the file, since 1970; 0: not known. */
	uint64_t begin_ns, duration_ns;
	uint64_t lost_ticks; /* see view/export/export_way.h */
	double doubt;        /* the same */
	bool is_earlier, is_main;
	bool is_rest;        /* of many others; no process */
	const char *program; /* its path */
	const char *rank;    /* NULL: not known */
};

/* The name of OWNER's file, the caller's to free(); nobody else gets it.  It is
 * what the pattern says; what was there before the Nth exec of a process has
 * ".N" appended, and so has a name that was given before.  Where a gmon.out of
 * that name is there that something else has written (see
 * prf_output_is_foreign), or where it or its list has become no file, ".profrun" is
 * appended, and OUTPUT->moved tells which it was. */
int prf_output_name(struct prf_output *output,
		    const struct prf_output_owner *owner, char **name,
		    struct prf_error *err) PRF_MUST_CHECK;

/* The same of its file of FORMAT, one of other tools, which may replace any file
 * that is there. */
int prf_output_export_name(struct prf_output *output, enum prf_format format,
			   const struct prf_output_owner *owner, char **name,
			   struct prf_error *err) PRF_MUST_CHECK;

/* Is NAME a gmon.out that something else has written, such as a program that
 * was compiled with -pg, or no file any more, but a FIFO or a link?  So is
 * whatever has a name that the user has not given. */
bool prf_output_is_foreign(const struct prf_output *output, const char *name);
/* Is the gmon.out NAME, or its list, no file any more? */
bool prf_output_has_changed(const struct prf_output *output, const char *name);
/* Gives *NAME, of a file of FORMAT, another that is free where something else
 * has put something there, and notes it.  -ENOMEM. */
int prf_output_avoid(struct prf_output *output, enum prf_format format,
		     char **name, struct prf_error *err) PRF_MUST_CHECK;

/* The name of the one file of FORMAT that a run has, of process PID (the first);
 * the caller's to free().  -EEXIST: it has been given. */
int prf_output_stream_name(struct prf_output *output, enum prf_format format,
			   pid_t pid, char **name,
			   struct prf_error *err) PRF_MUST_CHECK;

/* Begins the gmon.out NAME, and its symbol list: *SYMBOLS is NULL where there
 * is none, since the output is written in place (to a device). */
int prf_output_begin(const struct prf_output *output, const char *name,
		     struct prf_outfile **gmon, struct prf_outfile **symbols,
		     struct prf_error *err) PRF_MUST_CHECK;
/* Begins one file alone: of a format of other tools, or with --split, where
 * there can be more objects than files may be open and prf_outname_split() has
 * their names. */
int prf_output_begin_one(const struct prf_output *output, const char *name,
			 struct prf_outfile **file,
			 struct prf_error *err) PRF_MUST_CHECK;

#endif
