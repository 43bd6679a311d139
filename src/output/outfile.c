#include "src/output/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/scope.h"

/* What was no regular file when it was checked: it is meant. */
struct meant {
	char *name;
	mode_t kind; /* S_IFIFO, S_IFLNK... */
};

struct prf_outdir {
	int fd;
	char *path;
	struct meant *meant;
	size_t n_meant;
};

struct prf_outfile {
	int dir_fd; /* the directory's */
	char *path, *name;
	char *temporary; /* its name until it is committed, or NULL: in place */
	char *old_name;  /* for what has its name now, or NULL */
	FILE *stream;
	int fd;
	uint64_t n_bytes; /* written */
	int write_errno;  /* of the first write that failed */
};

/* --- The directory. */

int
prf_outdir_open(const char *path, struct prf_outdir **out,
		struct prf_error *err)
{
	struct prf_outdir *dir = calloc(1, sizeof *dir);

	if (!dir || !(dir->path = strdup(path))) {
		free(dir);
		return prf_error_set(err, -ENOMEM, "out of memory");
	}
	dir->fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir->fd < 0) {
		int rc = prf_error_set(err, -errno, "directory %s: %m", path);
		prf_outdir_close(dir);
		return rc;
	}
	*out = dir;
	return 0;
}

int
prf_outdir_open_of(const char *path, struct prf_outdir **out, const char **name,
		   struct prf_error *err)
{
	const char *slash = strrchr(path, '/');
	PRF_AUTO(prf_auto_free)
	char *directory = !slash         ? strdup(".")
			  : slash > path ? strndup(path, (size_t)(slash - path))
					 : strdup("/");

	if (!directory)
		return prf_error_set(err, -ENOMEM, "out of memory");
	*name = slash ? slash + 1 : path;
	return prf_outdir_open(directory, out, err);
}

void
prf_outdir_close(struct prf_outdir *dir)
{
	if (!dir)
		return;
	if (dir->fd >= 0)
		close(dir->fd);
	for (size_t i = 0; i < dir->n_meant; i++)
		free(dir->meant[i].name);
	free(dir->meant);
	free(dir->path);
	free(dir);
}

bool
prf_outdir_is_same(const struct prf_outdir *a, const struct prf_outdir *b)
{
	struct stat a_st, b_st;

	return fstat(a->fd, &a_st) == 0 && fstat(b->fd, &b_st) == 0 &&
	       a_st.st_dev == b_st.st_dev && a_st.st_ino == b_st.st_ino;
}

char *
prf_outdir_path(const struct prf_outdir *dir, const char *name)
{
	const char *slash = dir->path[strlen(dir->path) - 1] == '/' ? "" : "/";
	char *path;

	if (strcmp(dir->path, ".") == 0)
		return strdup(name);
	if (asprintf(&path, "%s%s%s", dir->path, slash, name) < 0)
		return NULL;
	return path;
}

bool
prf_outdir_in_place(const struct prf_outdir *dir, const char *name)
{
	struct stat st;

	return fstatat(dir->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static bool
is_meant(const struct prf_outdir *dir, const char *name, mode_t mode)
{
	for (size_t i = 0; i < dir->n_meant; i++)
		if (strcmp(dir->meant[i].name, name) == 0)
			return dir->meant[i].kind == (mode & S_IFMT);
	return S_ISREG(mode);
}

/* From now on NAME is meant as what it is. */
static int
remember(struct prf_outdir *dir, const char *name)
{
	struct stat st;

	if (fstatat(dir->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    is_meant(dir, name, st.st_mode))
		return 0;
	for (size_t i = 0; i < dir->n_meant; i++)
		if (strcmp(dir->meant[i].name, name) == 0) {
			dir->meant[i].kind = st.st_mode & S_IFMT;
			return 0;
		}
	struct meant *meant =
		realloc(dir->meant, (dir->n_meant + 1) * sizeof *meant);
	char *copy = strdup(name);
	if (meant)
		dir->meant = meant;
	if (!meant || !copy) {
		free(copy);
		return -ENOMEM;
	}
	meant[dir->n_meant++] = (struct meant){
		.name = copy,
		.kind = st.st_mode & S_IFMT,
	};
	return 0;
}

bool
prf_outdir_has_changed(const struct prf_outdir *dir, const char *name)
{
	struct stat st;

	return fstatat(dir->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       !S_ISREG(st.st_mode) && !is_meant(dir, name, st.st_mode);
}

FILE *
prf_outdir_read(const struct prf_outdir *dir, const char *name)
{
	struct stat st;
	PRF_AUTO(prf_auto_close)
	int fd = openat(dir->fd, name,
			O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW |
				O_CLOEXEC);
	FILE *file = NULL;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		file = fdopen(fd, "r");
	if (file)
		fd = -1; /* it is the stream's */
	return file;
}

int
prf_outdir_rename(const struct prf_outdir *dir, const char *name,
		  const char *new_name, struct prf_error *err)
{
	return renameat(dir->fd, name, dir->fd, new_name) < 0
		       ? prf_error_set(err, -errno, "%s to %s: %m", name,
				       new_name)
		       : 0;
}

void
prf_outdir_remove(const struct prf_outdir *dir, const char *name)
{
	unlinkat(dir->fd, name, 0);
}

void
prf_outdir_sync(const struct prf_outdir *dir)
{
	PRF_AUTO(prf_auto_close)
	int fd = openat(dir->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		fsync(fd);
}

void
prf_outdir_touch(const struct prf_outdir *dir, const char *name)
{
	utimensat(dir->fd, name, NULL, AT_SYMLINK_NOFOLLOW);
}

/* Could a rename put a new file in the place of PATH?  Only what may be
 * written is replaced: a profile that was made read-only is to be kept.  And in
 * a directory such as /tmp others' files cannot be. */
static int
check_replace(int dir_fd, const char *name, const char *path,
	      struct prf_error *err)
{
	struct stat st, dir_st;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0; /* nothing is there, create has said the rest */
	if (faccessat(dir_fd, name, W_OK, AT_EACCESS) < 0 ||
	    fstatat(dir_fd, ".", &dir_st, 0) < 0)
		return prf_error_set(err, -errno, "%s: %m", path);
	if ((dir_st.st_mode & S_ISVTX) && geteuid() != 0 &&
	    st.st_uid != geteuid() && dir_st.st_uid != geteuid())
		return prf_error_set(err, -EPERM,
				     "%s: another user's file in a sticky "
				     "directory",
				     path);
	return 0;
}

/* --- The file. */

/* A stream's own buffer forgets why a write failed, which is what the user
 * must know: these two remember. */
static ssize_t
write_all(void *cookie, const char *bytes, size_t size)
{
	struct prf_outfile *file = cookie;
	size_t done = 0;

	while (done < size) {
		ssize_t n = write(file->fd, bytes + done, size - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			file->write_errno = errno;
			return 0; /* as fopencookie(3) wants it */
		}
		done += (size_t)n;
		file->n_bytes += (uint64_t)n;
	}
	return (ssize_t)done;
}

static int
close_fd(void *cookie)
{
	struct prf_outfile *file = cookie;
	int fd = file->fd;

	file->fd = -1;
	if (close(fd) < 0 && errno != EINTR) {
		file->write_errno = errno;
		return EOF;
	}
	return 0;
}

/* How a file is called until it is finished, and how many there can be of one
 * process. */
#define TEMPORARY ".profrun.%d.%u"
enum { MOST_TEMPORARIES = 100 };

void
prf_outdir_sweep(const struct prf_outdir *dir)
{
	char name[64];

	for (unsigned i = 0; i < MOST_TEMPORARIES; i++) {
		snprintf(name, sizeof name, TEMPORARY, (int)getpid(), i);
		unlinkat(dir->fd, name, 0);
	}
}

/* A new file with a name that nobody has. */
static int
open_temporary(struct prf_outfile *file)
{
	for (unsigned try = 0; try < MOST_TEMPORARIES; try++) {
		free(file->temporary);
		if (asprintf(&file->temporary, TEMPORARY, (int)getpid(), try) <
		    0) {
			file->temporary = NULL;
			return -ENOMEM;
		}
		file->fd =
			openat(file->dir_fd, file->temporary,
			       O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (file->fd >= 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	int rc = -errno;
	free(PRF_TAKE(file->temporary)); /* it is not ours */
	return rc;
}

/* Others who may write to the directory can have put a link there, to a file
 * that they may not write. */
static bool
is_followed(int dir_fd, const struct stat *link)
{
	struct stat dir;

	return link->st_uid == geteuid() || link->st_uid == 0 ||
	       (fstatat(dir_fd, "", &dir, AT_EMPTY_PATH) == 0 &&
		link->st_uid == dir.st_uid);
}

/* A FIFO that nobody reads is not waited for.  What is there is not emptied
 * yet. */
#define IN_PLACE (O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

/* What LINK, which is held, leads to.  The text of a link in /proc is no path;
 * but nobody can put another link there. */
static int
open_linked(struct prf_outfile *file, int link)
{
	char path[PATH_MAX];
	struct statfs fs;

	if (fstatfs(link, &fs) < 0)
		return -errno;
	if (fs.f_type == PROC_SUPER_MAGIC) {
		file->fd = openat(file->dir_fd, file->name, IN_PLACE);
		return file->fd < 0 ? -errno : 0;
	}
	ssize_t n = readlinkat(link, "", path, sizeof path);
	if (n < 0)
		return -errno;
	if (n == sizeof path)
		return -ENAMETOOLONG;
	path[n] = '\0';
	file->fd = openat(file->dir_fd, path, IN_PLACE);
	return file->fd < 0 ? -errno : 0;
}

/* The link that was looked at is the one that is followed: its name can be
 * another's link a moment later. */
static int
open_link(struct prf_outfile *file)
{
	struct stat st;
	PRF_AUTO(prf_auto_close)
	int link = openat(file->dir_fd, file->name,
			  O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (link < 0 || fstat(link, &st) < 0)
		return -errno;
	if (!S_ISLNK(st.st_mode))
		return -ESTALE;
	return is_followed(file->dir_fd, &st) ? open_linked(file, link)
					      : -ELOOP;
}

/* A device or the like, which SEEN tells of. */
static int
open_special(struct prf_outfile *file, const struct stat *seen)
{
	struct stat st;

	file->fd = openat(file->dir_fd, file->name, IN_PLACE | O_NOFOLLOW);
	if (file->fd < 0)
		return errno == ELOOP ? -ESTALE : -errno;
	if (fstat(file->fd, &st) < 0)
		return -errno;
	return st.st_dev == seen->st_dev && st.st_ino == seen->st_ino ? 0
								      : -ESTALE;
}

/* A mere check must not empty what is there. */
static int
open_in_place(struct prf_outfile *file, const struct stat *seen, bool is_check)
{
	struct stat st;
	int rc = S_ISLNK(seen->st_mode) ? open_link(file)
					: open_special(file, seen);

	if (rc)
		return rc;
	int flags = fcntl(file->fd, F_GETFL);
	if (flags < 0 || fcntl(file->fd, F_SETFL, flags & ~O_NONBLOCK) < 0 ||
	    fstat(file->fd, &st) < 0)
		return -errno;
	return !is_check && S_ISREG(st.st_mode) && ftruncate(file->fd, 0) < 0
		       ? -errno
		       : 0;
}

static int
open_file(const struct prf_outdir *dir, struct prf_outfile *file, bool is_check)
{
	struct stat st;

	if (fstatat(file->dir_fd, file->name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno != ENOENT || !*file->name)
			return -errno;
		return open_temporary(file);
	}
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (S_ISREG(st.st_mode))
		return open_temporary(file);
	if (!is_check && !is_meant(dir, file->name, st.st_mode))
		return -ESTALE;
	return open_in_place(file, &st, is_check);
}

static const char *
reason_of(int rc)
{
	return rc == -ENXIO    ? "nobody reads this FIFO"
	       : rc == -ELOOP  ? "another user's symbolic link"
	       : rc == -ESTALE ? "has become something else"
			       : strerror(-rc);
}

static int
open_stream(struct prf_outfile *file)
{
	file->stream = fopencookie(file, "w",
				   (cookie_io_functions_t){
					   .write = write_all,
					   .close = close_fd,
				   });
	return file->stream ? 0 : -ENOMEM;
}

static int
create(const struct prf_outdir *dir, const char *name, bool is_check,
       struct prf_outfile **out, struct prf_error *err)
{
	struct prf_outfile *file = calloc(1, sizeof *file);

	if (!file)
		return prf_error_set(err, -ENOMEM, "out of memory");
	file->dir_fd = dir->fd;
	file->fd = -1;
	file->path = prf_outdir_path(dir, name);
	file->name = strdup(name);
	int rc = file->path && file->name ? open_file(dir, file, is_check)
					  : -ENOMEM;
	if (rc == 0)
		rc = open_stream(file);
	if (rc < 0) {
		prf_error_set(err, rc, "%s: %s", file->path ? file->path : name,
			      reason_of(rc));
		prf_outfile_free(file);
		return rc;
	}
	*out = file;
	return 0;
}

int
prf_outfile_create(const struct prf_outdir *dir, const char *name,
		   struct prf_outfile **out, struct prf_error *err)
{
	return create(dir, name, false, out, err);
}

/* What NAME is, or leads to, is a FIFO.  To open it and close it again would be an
 * end of file to the process that reads it, and without a reader would wait for
 * one. */
static int
check_fifo(const struct prf_outdir *dir, const char *name,
	   struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *copy = prf_outdir_path(dir, name);
	const char *path = copy ? copy : name;
	struct stat st;

	if (fstatat(dir->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISLNK(st.st_mode) && !is_followed(dir->fd, &st))
		return prf_error_set(err, -ELOOP, "%s: %s", path,
				     reason_of(-ELOOP));
	return check_replace(dir->fd, name, path, err);
}

static int
check(const struct prf_outdir *dir, const char *name, struct prf_error *err)
{
	struct prf_outfile *file;
	struct stat st;

	if (fstatat(dir->fd, name, &st, 0) == 0 && S_ISFIFO(st.st_mode))
		return check_fifo(dir, name, err);
	int rc = create(dir, name, true, &file, err);
	if (rc < 0)
		return rc;
	if (file->temporary)
		rc = check_replace(dir->fd, name, file->path, err);
	prf_outfile_free(file);
	return rc;
}

int
prf_outdir_check(struct prf_outdir *dir, const char *name,
		 struct prf_error *err)
{
	int rc = check(dir, name, err);

	if (rc == 0 && remember(dir, name))
		rc = prf_error_set(err, -ENOMEM, "out of memory");
	return rc;
}

FILE *
prf_outfile_stream(struct prf_outfile *file)
{
	return file->stream;
}

const char *
prf_outfile_path(const struct prf_outfile *file)
{
	return file->path;
}

uint64_t
prf_outfile_bytes(const struct prf_outfile *file)
{
	return file->n_bytes;
}

int
prf_outfile_keep_old(struct prf_outfile *file, const char *old_name,
		     struct prf_error *err)
{
	struct prf_error why;
	int rc = check_replace(file->dir_fd, old_name, old_name, &why);

	if (rc)
		return prf_error_set(err, rc, "%s: cannot be kept as %s",
				     file->path, why.text);
	free(file->old_name);
	file->old_name = strdup(old_name);
	return file->old_name ? 0
			      : prf_error_set(err, -ENOMEM, "out of memory");
}

/* The name is never without a file, where the file system has links. */
static int
keep_old(const struct prf_outfile *file, struct prf_error *err)
{
	struct stat st;

	if (!file->old_name ||
	    fstatat(file->dir_fd, file->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	unlinkat(file->dir_fd, file->old_name, 0);
	if (linkat(file->dir_fd, file->name, file->dir_fd, file->old_name, 0) <
		    0 &&
	    renameat(file->dir_fd, file->name, file->dir_fd, file->old_name) <
		    0)
		return prf_error_set(err, -errno,
				     "%s: cannot be kept as %s: %m", file->path,
				     file->old_name);
	return 0;
}

int
prf_outfile_blame(const struct prf_outfile *file, int rc, struct prf_error *err)
{
	const struct prf_error why = *err;

	return rc == 0 ? 0
		       : prf_error_set(err, rc, "%s: %s",
				       prf_outfile_path(file), why.text);
}

int
prf_outfile_place(struct prf_outfile *file, struct prf_error *err)
{
	if (!file->temporary)
		return 0;
	int rc = keep_old(file, err);
	if (rc)
		return rc;
	if (renameat(file->dir_fd, file->temporary, file->dir_fd, file->name) <
	    0)
		return prf_error_set(err, -errno, "%s: %m", file->path);
	free(PRF_TAKE(file->temporary));
	return 0;
}

/* Not all that can be written can be synchronized. */
static bool
is_synced(int fd)
{
	return fdatasync(fd) == 0 || errno == EINVAL || errno == ENOSYS ||
	       errno == EROFS;
}

int
prf_outfile_sync(struct prf_outfile *file, struct prf_error *err)
{
	if (!file->temporary)
		return 0;
	if (fflush(file->stream) == EOF || ferror(file->stream))
		errno = file->write_errno ? file->write_errno : EIO;
	else if (is_synced(file->fd))
		return 0;
	return prf_error_set(err, -errno, "%s: %m", file->path);
}

int
prf_outfile_commit(struct prf_outfile *file, struct prf_error *err)
{
	bool failed = ferror(file->stream);

	failed |= fclose(PRF_TAKE(file->stream)) == EOF;
	if (failed) {
		errno = file->write_errno ? file->write_errno : EIO;
		return prf_error_set(err, -errno, "%s: %m", file->path);
	}
	return prf_outfile_place(file, err);
}

void
prf_outfile_free(struct prf_outfile *file)
{
	if (!file)
		return;
	if (file->stream)
		fclose(file->stream);
	else if (file->fd >= 0)
		close(file->fd);
	if (file->temporary)
		unlinkat(file->dir_fd, file->temporary, 0);
	free(file->temporary);
	free(file->old_name);
	free(file->path);
	free(file->name);
	free(file);
}
