#include "space/perfmapfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/scope.h"

/* File systems have coarse clocks. */
enum { COARSE_S = 1 };

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

int
prf_perfmapfile_read(const char *dir, const struct prf_jit *jit,
		     struct prf_perfmap **map, struct prf_error *err)
{
	char path[4096];
	struct stat file;
	struct prf_error why;
	size_t n_bytes = 0;

	snprintf(path, sizeof path, "%s/perf-%d.map", dir, (int)jit->pid);
	/* Nor must a FIFO of that name hold us up.  Whose a link is and whose
	 * the file is are two questions: none is followed. */
	PRF_AUTO(prf_auto_close)
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY |
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
