#include "inproc/monitorfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than any header, so that the stream writes nothing of itself. */
#define BUFFER_BYTES 65536

/* PATH, below the working directory if it is relative. */
static int
make_absolute(char *absolute, const char *path)
{
	size_t length = 0;

	if (path[0] != '/') {
		if (!getcwd(absolute, PATH_MAX - 1))
			return errno == ERANGE ? -ENAMETOOLONG : -errno;
		length = strlen(absolute);
		absolute[length++] = '/';
	}
	if (strlen(path) >= PATH_MAX - length)
		return -ENAMETOOLONG;
	strcpy(absolute + length, path);
	return 0;
}

/* TO is FROM, a dot, and NUMBER: snprintf is not for handlers. */
static int
append_number(char *to, const char *from, unsigned number)
{
	char digits[12];
	size_t at = sizeof digits - 1, length = strlen(from);

	digits[at] = '\0';
	do
		digits[--at] = (char)('0' + number % 10);
	while (number /= 10);
	digits[--at] = '.';
	if (length + sizeof digits - at > PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(to, from, length);
	memcpy(to + length, digits + at, sizeof digits - at);
	return 0;
}

static int
choose_names(struct prf_monitorfile *file)
{
	int rc = 0;

	if (prf_monitorfile_is_childs(file))
		rc = append_number(file->path_in_use, file->path,
				   (unsigned)getpid());
	else
		strcpy(file->path_in_use, file->path);
	if (rc < 0)
		return rc;
	rc = append_number(file->path_not_yet, file->path, (unsigned)getpid());
	if (rc < 0 || strlen(file->path_not_yet) + 2 > PATH_MAX)
		return -ENAMETOOLONG;
	strcat(file->path_not_yet, "~");
	return 0;
}

static ssize_t
write_bytes(void *cookie, const char *bytes, size_t n)
{
	struct prf_monitorfile *file = cookie;

	if (file->fd < 0) {
		int rc = choose_names(file);

		if (rc == 0)
			file->fd = open(file->path_not_yet,
					O_WRONLY | O_CREAT | O_TRUNC |
						O_CLOEXEC | O_NOFOLLOW,
					0666);
		if (file->fd < 0) {
			errno = rc < 0 ? -rc : errno;
			return -1;
		}
	}
	return write(file->fd, bytes, n);
}

int
prf_monitorfile_init(struct prf_monitorfile *file, const char *path)
{
	int rc = make_absolute(file->path, path);

	if (rc < 0)
		return rc;
	file->owner = getpid();
	file->fd = -1;
	file->buffer = malloc(BUFFER_BYTES);
	file->stream = fopencookie(
		file, "w", (cookie_io_functions_t){.write = write_bytes});
	if (!file->buffer || !file->stream) {
		prf_monitorfile_fini(file);
		return -ENOMEM;
	}
	setvbuf(file->stream, file->buffer, _IOFBF, BUFFER_BYTES);
	return 0;
}

void
prf_monitorfile_fini(struct prf_monitorfile *file)
{
	if (file->stream)
		fclose(file->stream);
	free(file->buffer);
	file->stream = NULL;
	file->buffer = NULL;
}

bool
prf_monitorfile_is_childs(const struct prf_monitorfile *file)
{
	return getpid() != file->owner;
}

int
prf_monitorfile_close(struct prf_monitorfile *file, bool keep)
{
	int rc = 0;

	if (file->fd < 0)
		return 0;
	if (close(file->fd) < 0)
		rc = -errno;
	file->fd = -1;
	if (rc == 0 && keep &&
	    rename(file->path_not_yet, file->path_in_use) < 0)
		rc = -errno;
	if (rc < 0 || !keep)
		unlink(file->path_not_yet);
	return rc;
}
