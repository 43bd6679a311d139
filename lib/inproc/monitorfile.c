#include "inproc/monitorfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* A file that is not a regular one, or the target of a link.  A FIFO that
 * nobody reads would delay the end of the process: it is an error. */
static int
open_in_place(const char *path)
{
	int fd = open(path,
		      O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY |
			      O_NONBLOCK,
		      0666);

	if (fd >= 0)
		fcntl(fd, F_SETFL, 0);
	return fd;
}

static int
open_not_yet(const char *path)
{
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
		    0666);
}

static int
choose_place(struct prf_monitorfile *file)
{
	struct stat st;
	int rc = choose_names(file);

	if (rc < 0)
		return rc;
	file->is_in_place =
		lstat(file->path_in_use, &st) == 0 && !S_ISREG(st.st_mode);
	return 0;
}

bool
prf_monitorfile_is_in_place(struct prf_monitorfile *file)
{
	return choose_place(file) == 0 && file->is_in_place;
}

static int
open_file(struct prf_monitorfile *file)
{
	int rc = choose_place(file);

	if (rc < 0)
		return rc;
	file->fd = file->is_in_place ? open_in_place(file->path_in_use)
				     : open_not_yet(file->path_not_yet);
	return file->fd < 0 ? -errno : 0;
}

static int
write_buffer(struct prf_monitorfile *file)
{
	size_t done = 0;
	int rc = file->fd < 0 ? open_file(file) : 0;

	if (rc < 0)
		return rc;
	while (done < file->n_buffered) {
		ssize_t n = write(file->fd, file->buffer + done,
				  file->n_buffered - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		done += (size_t)n;
	}
	file->n_buffered = 0;
	return 0;
}

/* The stream's; 0 is a failure, as fopencookie(3) has it. */
static ssize_t
put_bytes(void *cookie, const char *bytes, size_t size)
{
	struct prf_monitorfile *file = cookie;
	size_t done = 0;

	while (done < size) {
		int rc = file->n_buffered == BUFFER_BYTES ? write_buffer(file)
							  : 0;
		size_t room = BUFFER_BYTES - file->n_buffered;
		size_t n = size - done < room ? size - done : room;

		if (rc < 0) {
			errno = -rc;
			return 0;
		}
		memcpy(file->buffer + file->n_buffered, bytes + done, n);
		file->n_buffered += n;
		done += n;
	}
	return (ssize_t)done;
}

int
prf_monitorfile_init(struct prf_monitorfile *file, const char *path)
{
	int rc = make_absolute(file->path, path);

	if (rc < 0)
		return rc;
	file->owner = getpid();
	file->fd = -1;
	file->n_buffered = 0;
	file->buffer = malloc(BUFFER_BYTES);
	file->stream = fopencookie(file, "w",
				   (cookie_io_functions_t){.write = put_bytes});
	if (!file->buffer || !file->stream) {
		prf_monitorfile_fini(file);
		return -ENOMEM;
	}
	setvbuf(file->stream, NULL, _IONBF, 0);
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

/* The number is forgotten first: a child of fork must not close what has it
 * next. */
static int
close_fd(struct prf_monitorfile *file)
{
	int fd = file->fd;

	__atomic_store_n(&file->fd, -1, __ATOMIC_SEQ_CST);
	return close(fd) < 0 ? -errno : 0;
}

void
prf_monitorfile_leave(struct prf_monitorfile *file)
{
	if (file->fd >= 0)
		close_fd(file);
}

int
prf_monitorfile_close(struct prf_monitorfile *file, bool keep)
{
	int rc = keep ? write_buffer(file) : 0;

	if (file->fd < 0)
		return rc;
	int closed = close_fd(file);
	if (rc == 0)
		rc = closed;
	if (file->is_in_place)
		return rc;
	if (rc == 0 && keep &&
	    rename(file->path_not_yet, file->path_in_use) < 0)
		rc = -errno;
	if (rc < 0 || !keep)
		unlink(file->path_not_yet);
	return rc;
}
