/* outfile.h - a file that appears whole, or not at all.
 *
 * It is written under another name in the same directory and renamed when all
 * of it is there.  What exists and is no regular file (a device, a FIFO, a
 * symbolic link such as /dev/stdout) is written in place instead, if it was
 * that when it was checked.
 *
 * The directory is opened once, before the program runs, and held. */
#ifndef PRF_SRC_OUTPUT_OUTFILE_H
#define PRF_SRC_OUTPUT_OUTFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"

struct prf_outdir;

/* Opens the directory at PATH.  A negative errno value of open(2). */
int prf_outdir_open(const char *path, struct prf_outdir **out,
		    struct prf_error *err) PRF_MUST_CHECK;
/* The directory that the file at PATH is in; *NAME is what it is called there,
 * a part of PATH. */
int prf_outdir_open_of(const char *path, struct prf_outdir **out,
		       const char **name, struct prf_error *err) PRF_MUST_CHECK;
void prf_outdir_close(struct prf_outdir *dir); /* takes NULL */
bool prf_outdir_is_same(const struct prf_outdir *a, const struct prf_outdir *b);

/* Could NAME be written in DIR now?  What prf_outfile_create would say, and
 * that it could not replace a file that is there.  Leaves nothing behind; DIR
 * remembers what is no regular file. */
int prf_outdir_check(struct prf_outdir *dir, const char *name,
		     struct prf_error *err) PRF_MUST_CHECK;
/* Is NAME in DIR something that is written in place? */
bool prf_outdir_in_place(const struct prf_outdir *dir, const char *name);
/* Is NAME in DIR no regular file, and was it not the same when it was checked?
 * Then something else has put it there. */
bool prf_outdir_has_changed(const struct prf_outdir *dir, const char *name);

/* NAME in DIR as the user knows it; to be free()d.  NULL: out of memory. */
char *prf_outdir_path(const struct prf_outdir *dir, const char *name);

/* NAME in DIR, for reading; NULL: it is no regular file, or cannot be read. */
FILE *prf_outdir_read(const struct prf_outdir *dir, const char *name);
/* Gives NAME in DIR another name there, in the place of what has it. */
int prf_outdir_rename(const struct prf_outdir *dir, const char *name,
		      const char *new_name,
		      struct prf_error *err) PRF_MUST_CHECK;
/* The names that files have been given in DIR are on the disk, too, when this
 * returns, where its file system can do that. */
void prf_outdir_sync(const struct prf_outdir *dir);
/* Removes what this process has not finished there. */
void prf_outdir_sweep(const struct prf_outdir *dir);
/* Removes NAME from DIR, if it is there. */
void prf_outdir_remove(const struct prf_outdir *dir, const char *name);
/* NAME in DIR is written now. */
void prf_outdir_touch(const struct prf_outdir *dir, const char *name);

struct prf_outfile;

/* Begins NAME in DIR, which must outlive the file; NAME holds no '/'.
 * -EISDIR; -ENXIO: a FIFO that nobody reads; -ELOOP: a symbolic link that is
 * neither ours, nor root's, nor the directory's owner's; -ESTALE: it has
 * changed (see above); or a negative errno value of open(2). */
int prf_outfile_create(const struct prf_outdir *dir, const char *name,
		       struct prf_outfile **out,
		       struct prf_error *err) PRF_MUST_CHECK;
/* When FILE gets its name, the regular file that has had it so far stays, as
 * OLD_NAME.  -ENOMEM; -EACCES, -EPERM: what has OLD_NAME now is read-only, or
 * somebody else's. */
int prf_outfile_keep_old(struct prf_outfile *file, const char *old_name,
			 struct prf_error *err) PRF_MUST_CHECK;
/* What is to be written goes here; not to be closed. */
FILE *prf_outfile_stream(struct prf_outfile *file);
/* How much of it has been written: what the stream has not kept back. */
uint64_t prf_outfile_bytes(const struct prf_outfile *file);
/* The file's path, for messages; the file's own. */
const char *prf_outfile_path(const struct prf_outfile *file);
/* RC, where it is 0; else ERR, why FILE could not be written, begins with its path. */
int prf_outfile_blame(const struct prf_outfile *file, int rc,
		      struct prf_error *err) PRF_MUST_CHECK;
/* Gives the file its name now: it goes on being written, can be read
 * meanwhile, and stays, whatever happens.  rename(2)'s errors; then it has none
 * yet. */
int prf_outfile_place(struct prf_outfile *file,
		      struct prf_error *err) PRF_MUST_CHECK;
/* What was written so far is on the disk when this returns, so that a machine that
 * fails later does not lose it; where it is a file, and its file system can do that.
 * It may take long.  What write(2) or fdatasync(2) has failed with. */
int prf_outfile_sync(struct prf_outfile *file,
		     struct prf_error *err) PRF_MUST_CHECK;
/* Checks that all of it was written and gives the file its name.  After a
 * failure (the reason of the first write(2) that failed, or rename(2)'s) what
 * had that name before is still there.  To be called once. */
int prf_outfile_commit(struct prf_outfile *file,
		       struct prf_error *err) PRF_MUST_CHECK;
/* Takes NULL.  A file that was neither placed nor committed is removed. */
void prf_outfile_free(struct prf_outfile *file);

#endif
