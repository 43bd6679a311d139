#include "space/perfmapfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/scope.h"
#include "space/mounts.h"

/* File systems have coarse clocks. */
enum { COARSE_S = 1 };

enum { PATH_ROOM = 4096 };

/* Anybody can put a file into /tmp, and numbers of processes come again. */
static int
check(const struct stat *file, const char *path, const struct prf_jit *jit,
      struct prf_error *err)
{
	if (!S_ISREG(file->st_mode))
		return prf_error_set(err, -EINVAL, "%s: not a regular file",
				     path);
	if (file->st_uid != 0 && file->st_uid != jit->uid &&
	    file->st_uid != geteuid())
		return prf_error_set(err, -EPERM,
				     "%s: belongs to another user, and is not "
				     "used",
				     path);
	if (file->st_mtime < jit->begun - COARSE_S)
		return prf_error_set(err, -ESTALE,
				     "%s: is older than the program, and is "
				     "not used",
				     path);
	if (file->st_size > PRF_PERFMAP_BYTES_MAX)
		return prf_error_set(err, -EFBIG, "%s: is too large for a map",
				     path);
	return 0;
}

/* Up to SIZE bytes: it can have become shorter. */
static int
read_all(int fd, char *text, size_t size, size_t *bytes)
{
	size_t used = 0;

	while (used < size) {
		ssize_t n = read(fd, text + used, size - used);

		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		used += (size_t)n;
	}
	*bytes = used;
	return 0;
}

/* Reads the map of JIT, which has the number PID there, in the directory DIR_FD;
 * DIR is that for messages. */
static int
read_in(int dir_fd, const char *dir, pid_t pid, const struct prf_jit *jit,
	struct prf_perfmap **map, struct prf_error *err)
{
	char path[PATH_ROOM], name[64];
	struct stat file;
	struct prf_error why;
	size_t n_bytes = 0;

	snprintf(name, sizeof name, "perf-%d.map", (int)pid);
	snprintf(path, sizeof path, "%s/%s", dir, name);
	/* Nor must a FIFO of that name hold us up.  Whose a link is and whose
	 * the file is are two questions: none is followed. */
	PRF_AUTO(prf_auto_close)
	int fd = openat(dir_fd, name,
			O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY |
				O_NOFOLLOW);
	if (fd < 0 && errno == ELOOP)
		return prf_error_set(err, -ELOOP,
				     "%s: is a symbolic link, and is not used",
				     path);
	if (fd < 0 || fstat(fd, &file) < 0)
		return prf_error_set(err, -errno, "%s: %m", path);
	int rc = check(&file, path, jit, err);
	if (rc)
		return rc;
	PRF_AUTO(prf_auto_free)
	char *room = malloc((size_t)file.st_size + 1);
	if (!room)
		return prf_error_set(err, -ENOMEM, "%s: %m", path);
	rc = read_all(fd, room, (size_t)file.st_size, &n_bytes);
	if (rc)
		return prf_error_set(err, rc, "%s: %m", path);
	rc = prf_perfmap_parse(PRF_TAKE(room), n_bytes, map, &why);
	return rc ? prf_error_set(err, rc, "%s: %s", path, why.text) : 0;
}

int
prf_perfmapfile_read(const char *dir, const struct prf_jit *jit,
		     struct prf_perfmap **map, struct prf_error *err)
{
	PRF_AUTO(prf_auto_close)
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return prf_error_set(err, -errno, "%s/perf-%d.map: %m", dir,
				     (int)jit->pid);
	return read_in(fd, dir, jit->pid, jit, map, err);
}

/* --- Where the compiler writes it */

/* The number of process PID in its own PID namespace, which is the last of a
 * line; PID if that is not to be had. */
static pid_t
own_pid(const char *proc, pid_t pid)
{
	char path[PATH_ROOM], line[256];
	long own = pid;

	snprintf(path, sizeof path, "%s/%d/status", proc, (int)pid);
	FILE *status = fopen(path, "re");
	if (!status)
		return pid;
	while (fgets(line, sizeof line, status)) {
		if (strncmp(line, "NSpid:", 6) != 0)
			continue;
		char *at = line + 6, *end;
		for (long n; n = strtol(at, &end, 10), end != at; at = end)
			own = n;
		break;
	}
	fclose(status);
	return (pid_t)own;
}

/* Opens the /tmp of process PID; -1: it is not to be had.  No link leads out of
 * its root. */
static int
open_own_tmp(const char *proc, pid_t pid)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof path, "%s/%d/root", proc, (int)pid);
	PRF_AUTO(prf_auto_close)
	int root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -1;
	return openat(root, "tmp",
		      O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool
is_at(int fd, const char *dir)
{
	struct stat its, other;

	return fstat(fd, &its) == 0 && stat(dir, &other) == 0 &&
	       its.st_dev == other.st_dev && its.st_ino == other.st_ino;
}

PRF_DEFINE_AUTO(prf_mounts, prf_mounts_free);

/* Is the map of PID in DIR on a file system that may never answer, as the table
 * of mounts of process WHOSE (0: this one) has it? */
static bool
may_be_silent(const char *proc, pid_t whose, const char *dir, pid_t pid)
{
	PRF_AUTO(prf_mounts_auto)
	struct prf_mounts *mounts = prf_mounts_read(proc, whose);
	char path[PATH_ROOM];

	snprintf(path, sizeof path, "%s/perf-%d.map", dir, (int)pid);
	return mounts && prf_mounts_may_be_silent(mounts, path, 0);
}

int
prf_perfmapfile_find(const char *proc, const char *dir,
		     const struct prf_jit *jit, struct prf_perfmap **map,
		     struct prf_error *err)
{
	char own_dir[PATH_ROOM];
	pid_t pid = own_pid(proc, jit->pid);

	if (may_be_silent(proc, jit->pid, "/tmp", pid) ||
	    may_be_silent(proc, 0, dir, jit->pid))
		return prf_error_set(err, -EAGAIN,
				     "%s/perf-%d.map: its file system may not "
				     "answer, and it is not read",
				     dir, (int)pid);
	PRF_AUTO(prf_auto_close) int own = open_own_tmp(proc, jit->pid);
	if (own < 0 || (pid == jit->pid && is_at(own, dir)))
		return prf_perfmapfile_read(dir, jit, map, err);
	snprintf(own_dir, sizeof own_dir, "%s/%d/root/tmp", proc,
		 (int)jit->pid);
	int rc = read_in(own, own_dir, pid, jit, map, err);
	return rc == -ENOENT ? prf_perfmapfile_read(dir, jit, map, err) : rc;
}
