#include "space/perfmapfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/scope.h"

/* A JIT's map is text; more than this is no map. */
enum { MAX_BYTES = 1 << 30 };

/* File systems have coarse clocks. */
enum { COARSE_S = 1 };

/* Anybody can put a file into /tmp, and numbers of processes come again. */
static int
check(const struct stat *file, const char *path, time_t begun,
      struct prf_error *err)
{
	uid_t user = geteuid();

	if (!S_ISREG(file->st_mode))
		return prf_error_set(err, -EINVAL, "%s: not a regular file",
				     path);
	if (user != 0 && file->st_uid != 0 && file->st_uid != user)
		return prf_error_set(err, -EPERM,
				     "%s: belongs to another user, and is not "
				     "used",
				     path);
	if (file->st_mtime < begun - COARSE_S)
		return prf_error_set(err, -ESTALE,
				     "%s: is older than the program, and is "
				     "not used",
				     path);
	if (file->st_size > MAX_BYTES)
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

int
prf_perfmapfile_read(const char *dir, pid_t pid, time_t begun, char **text,
		     size_t *bytes, struct prf_error *err)
{
	char path[4096];
	struct stat file;

	snprintf(path, sizeof path, "%s/perf-%d.map", dir, (int)pid);
	/* Nor must a FIFO of that name hold us up. */
	PRF_AUTO(prf_auto_close)
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &file) < 0)
		return prf_error_set(err, -errno, "%s: %m", path);
	int rc = check(&file, path, begun, err);
	if (rc)
		return rc;
	PRF_AUTO(prf_auto_free)
	char *room = malloc((size_t)file.st_size + 1);
	if (!room)
		return prf_error_set(err, -ENOMEM, "%s: %m", path);
	rc = read_all(fd, room, (size_t)file.st_size, bytes);
	if (rc)
		return prf_error_set(err, rc, "%s: %m", path);
	*text = PRF_TAKE(room);
	return 0;
}
