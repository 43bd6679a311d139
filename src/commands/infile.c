#include "src/commands/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/scope.h"

static int
check(int fd, const char *path, size_t *n_bytes, struct prf_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return prf_error_set(err, -errno, "%s: %m", path);
	if (S_ISDIR(st.st_mode))
		return prf_error_set(err, -EISDIR, "%s: is a directory", path);
	if (!S_ISREG(st.st_mode))
		return prf_error_set(err, -EINVAL, "%s: is no regular file",
				     path);
	if ((uintmax_t)st.st_size > PRF_INFILE_MAX_BYTES)
		return prf_error_set(err, -EFBIG,
				     "%s: %ju bytes, and more than %zu are not "
				     "read",
				     path, (uintmax_t)st.st_size,
				     PRF_INFILE_MAX_BYTES);
	*n_bytes = (size_t)st.st_size;
	return 0;
}

static int
make_room(struct prf_infile *file, size_t n_bytes, struct prf_error *err)
{
	if (n_bytes < file->room)
		return 0;
	void *grown = realloc(file->bytes, n_bytes + 1);
	if (!grown)
		return prf_error_set(err, -ENOMEM, "out of memory");
	file->bytes = grown;
	file->room = n_bytes + 1;
	return 0;
}

int
prf_infile_read(struct prf_infile *file, const char *path,
		struct prf_error *err)
{
	/* A FIFO is not waited for. */
	PRF_AUTO(prf_auto_close)
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	size_t n_bytes = 0;

	file->n_bytes = 0;
	if (fd < 0)
		return prf_error_set(err, -errno, "%s: %m", path);
	int rc = check(fd, path, &n_bytes, err);
	if (!rc)
		rc = make_room(file, n_bytes, err);
	while (!rc && file->n_bytes < n_bytes) {
		ssize_t n = read(fd, file->bytes + file->n_bytes,
				 n_bytes - file->n_bytes);

		if (n == 0)
			break;
		if (n > 0)
			file->n_bytes += (size_t)n;
		else if (errno != EINTR)
			rc = prf_error_set(err, -errno, "%s: %m", path);
	}
	return rc;
}

void
prf_infile_clear(struct prf_infile *file)
{
	free(file->bytes);
	*file = (struct prf_infile){0};
}
