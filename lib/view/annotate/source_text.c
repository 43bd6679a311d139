#include "view/annotate/source_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/scope.h"

/* Nobody reads a larger one. */
enum { BYTES_MAX = 64 << 20 };

/* --- Finding it */

/* Opens DIR/NAME, if that is a file; no FIFO keeps us waiting.  TEXT gets the
 * path.  Negative: errno. */
static int
try_path(struct prf_source_text *text, const char *dir, const char *name)
{
	struct stat st;

	free(PRF_TAKE(text->path));
	if (asprintf(&text->path, "%s%s%s", dir, *dir ? "/" : "", name) < 0) {
		text->path = NULL;
		return -ENOMEM;
	}
	int fd = open(text->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		text->mtime = st.st_mtim;
		return fd;
	}
	close(fd);
	return -ENOENT;
}

/* FILE below DIRECTORY, without "." and without ".." and what that leaves again:
 * "/a/b/c.c".  NULL: out of memory. */
static char *
fold(const char *directory, const char *file)
{
	char *path;

	if (asprintf(&path, "/%s/%s",
		     *file != '/' && directory ? directory : "", file) < 0)
		return NULL;
	char *end = path; /* of what is folded by now */
	for (const char *from = path; *from;) {
		from += strspn(from, "/");
		size_t n = strcspn(from, "/");

		if (n == 2 && memcmp(from, "..", n) == 0) {
			while (end > path && *--end != '/')
				;
		} else if (n > 1 || (n == 1 && *from != '.')) {
			*end++ = '/';
			memmove(end, from, n);
			end += n;
		}
		from += n;
	}
	*end = '\0';
	return path;
}

/* ROOT/a/b/c.c, ROOT/b/c.c, ROOT/c.c. */
static int
try_below(struct prf_source_text *text, const char *root, const char *directory,
	  const char *file)
{
	PRF_AUTO(prf_auto_free) char *path = fold(directory, file);
	int fd = -ENOENT;

	if (!path)
		return -ENOMEM;
	for (const char *rest = path; fd < 0 && rest;
	     rest = strchr(rest, '/')) {
		rest += strspn(rest, "/");
		fd = try_path(text, root, rest);
	}
	return fd;
}

static int
find(struct prf_source_text *text, const char *root, const char *directory,
     const char *file)
{
	int fd = root ? try_below(text, root, directory, file) : -ENOENT;

	if (fd < 0 && fd != -ENOMEM)
		fd = try_path(text, *file != '/' && directory ? directory : "",
			      file);
	return fd;
}

/* --- Reading it */

static int
read_bytes(struct prf_source_text *text, int fd, size_t *n_bytes)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) != 0)
		return -errno;
	if (st.st_size > BYTES_MAX)
		return -EFBIG;
	text->bytes = malloc((size_t)st.st_size + 1);
	if (!text->bytes)
		return -ENOMEM;
	*n_bytes = 0;
	while (*n_bytes < (size_t)st.st_size &&
	       (n = pread(fd, text->bytes + *n_bytes,
			  (size_t)st.st_size - *n_bytes, (off_t)*n_bytes)) !=
		       0) {
		if (n < 0)
			return -errno;
		*n_bytes += (size_t)n;
	}
	text->bytes[*n_bytes] = '\0';
	return 0;
}

static int
cut_lines(struct prf_source_text *text, size_t n_bytes)
{
	char *end = text->bytes + n_bytes;
	size_t n = 1;

	for (const char *at = text->bytes; at < end; at++)
		n += *at == '\n';
	text->lines = calloc(n, sizeof *text->lines);
	if (!text->lines)
		return -ENOMEM;
	for (char *line = text->bytes; line < end;) {
		char *newline = memchr(line, '\n', (size_t)(end - line));

		text->lines[text->n_lines++] = line;
		line = newline ? newline + 1 : end;
		if (newline)
			*newline = '\0';
	}
	return 0;
}

static int
read_lines(struct prf_source_text *text, int fd)
{
	size_t n_bytes = 0;
	int rc = read_bytes(text, fd, &n_bytes);

	return rc == 0 ? cut_lines(text, n_bytes) : rc;
}

int
prf_source_text_read(struct prf_source_text *text, const char *root,
		     const char *directory, const char *file)
{
	*text = (struct prf_source_text){0};
	PRF_AUTO(prf_auto_close) int fd = find(text, root, directory, file);
	int rc = fd < 0 ? fd : read_lines(text, fd);
	if (rc != 0)
		prf_source_text_clear(text);
	return rc;
}

int
prf_source_text_find(struct prf_source_text *text, const char *root,
		     const char *directory, const char *file)
{
	*text = (struct prf_source_text){0};
	PRF_AUTO(prf_auto_close) int fd = find(text, root, directory, file);
	if (fd < 0)
		prf_source_text_clear(text);
	return fd < 0 ? fd : 0;
}

int
prf_source_text_read_fd(struct prf_source_text *text, int fd, const char *path)
{
	*text = (struct prf_source_text){.path = strdup(path)};
	int rc = text->path ? read_lines(text, fd) : -ENOMEM;
	if (rc != 0)
		prf_source_text_clear(text);
	return rc;
}

void
prf_source_text_clear(struct prf_source_text *text)
{
	free(text->path);
	free(text->bytes);
	free(text->lines);
	*text = (struct prf_source_text){0};
}

const char *
prf_source_text_line(const struct prf_source_text *text, uint32_t number)
{
	return number > 0 && number <= text->n_lines ? text->lines[number - 1]
						     : NULL;
}
