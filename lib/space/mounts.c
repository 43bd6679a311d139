#include "space/mounts.h"

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/scope.h"

/* A line: "36 35 98:0 /root /mount/point options [more...] - type source options",
 * where the mount point has blanks as "\040". */
struct mount_line {
	uint64_t dev;
	const char *point, *point_end;
	const char *type, *type_end;
};

static const char *
end_of_word(const char *word)
{
	return word + strcspn(word, " \n");
}

/* The N-th word behind AT, in the same line; NULL: there is none. */
static const char *
skip_words(const char *at, int n)
{
	for (; n > 0; n--) {
		at = end_of_word(at);
		if (*at != ' ')
			return NULL;
		at++;
	}
	return at;
}

/* The type of the file system stands behind a word "-". */
static const char *
find_type(const char *at)
{
	while (at && strncmp(at, "- ", 2) != 0)
		at = skip_words(at, 1);
	return at ? at + 2 : NULL;
}

/* "98:0" */
static bool
parse_device(const char *text, uint64_t *dev)
{
	char *end;
	unsigned long major = strtoul(text, &end, 10);

	if (*end != ':')
		return false;
	*dev = makedev(major, strtoul(end + 1, &end, 10));
	return *end == ' ';
}

static bool
parse(const char *line, struct mount_line *mount)
{
	const char *device = skip_words(line, 2);
	const char *point = device ? skip_words(device, 2) : NULL;

	if (!point || !parse_device(device, &mount->dev))
		return false;
	mount->point = point;
	mount->point_end = end_of_word(point);
	mount->type = find_type(point);
	if (!mount->type)
		return false;
	mount->type_end = end_of_word(mount->type);
	return true;
}

static bool
is_octal(const char *at, const char *end)
{
	return end - at >= 4 && at[0] == '\\' && at[1] >= '0' && at[1] <= '3' &&
	       at[2] >= '0' && at[2] <= '7' && at[3] >= '0' && at[3] <= '7';
}

/* How much of PATH the mount point is; -1: PATH is not below it. */
static ssize_t
covered(const struct mount_line *mount, const char *path)
{
	const char *at = mount->point, *end = mount->point_end;
	const char *rest = path;

	while (at < end) {
		bool is_quoted = is_octal(at, end);
		char c = is_quoted ? (char)((at[1] - '0') << 6 |
					    (at[2] - '0') << 3 | (at[3] - '0'))
				   : *at;

		if (*rest++ != c)
			return -1;
		at += is_quoted ? 4 : 1;
	}
	bool is_root = end - mount->point == 1;
	return is_root || *rest == '/' || *rest == '\0' ? rest - path : -1;
}

static bool
is_fuse(const struct mount_line *mount)
{
	static const char *const types[] = {"fuse", "fuseblk", "virtiofs"};
	size_t n = (size_t)(mount->type_end - mount->type);

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (n == strlen(types[i]) &&
		    strncmp(mount->type, types[i], n) == 0)
			return true;
	return strncmp(mount->type, "fuse.", 5) == 0;
}

enum prf_mount_kind
prf_mounts_kind(const char *text, const char *path, uint64_t dev)
{
	enum prf_mount_kind kind = PRF_MOUNT_UNKNOWN;
	bool is_below_fuse = false;
	ssize_t longest = -1;

	for (const char *line = text; *line;) {
		struct mount_line mount;
		bool is_good = parse(line, &mount);
		ssize_t n = is_good ? covered(&mount, path) : -1;

		/* The later of two at one place hides the other. */
		if (n >= 0 && n >= longest) {
			longest = n;
			is_below_fuse = is_fuse(&mount);
		}
		if (is_good && mount.dev == dev)
			kind = is_fuse(&mount) ? PRF_MOUNT_PROCESS
					       : PRF_MOUNT_KERNEL;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return is_below_fuse ? PRF_MOUNT_PROCESS : kind;
}

/* --- Tables */

/* All that FD has, to be free()d; NULL: it cannot be read, or is too long to be
 * believed. */
static char *
read_all(int fd)
{
	enum { FIRST = 16 << 10, MOST = 16 << 20 };
	size_t used = 0, room = FIRST;
	PRF_AUTO(prf_auto_free) char *text = malloc(room);

	while (text) {
		ssize_t n =
			pread(fd, text + used, room - used - 1, (off_t)used);

		if (n < 0)
			return NULL;
		used += (size_t)n;
		text[used] = '\0';
		if (n == 0)
			return PRF_TAKE(text);
		if (room - used > 1)
			continue;
		char *more = room < MOST ? realloc(text, 2 * room) : NULL;
		if (!more)
			return NULL;
		text = more;
		room *= 2;
	}
	return NULL;
}

char *
prf_mounts_of(const char *proc, int pid)
{
	enum { PATH_ROOM = 4096 };
	char path[PATH_ROOM];

	if (pid)
		snprintf(path, sizeof path, "%s/%d/mountinfo", proc, pid);
	else
		snprintf(path, sizeof path, "%s/self/mountinfo", proc);
	PRF_AUTO(prf_auto_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? NULL : read_all(fd);
}

struct prf_mounts {
	int fd;
	char *text; /* NULL: not read yet */
};

struct prf_mounts *
prf_mounts_new(void)
{
	struct prf_mounts *mounts = calloc(1, sizeof *mounts);

	if (mounts)
		mounts->fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	return mounts;
}

void
prf_mounts_free(struct prf_mounts *mounts)
{
	if (!mounts)
		return;
	if (mounts->fd >= 0)
		close(mounts->fd);
	free(mounts->text);
	free(mounts);
}

/* The kernel says so once for each change. */
static bool
has_changed(const struct prf_mounts *mounts)
{
	struct pollfd changes = {.fd = mounts->fd, .events = POLLPRI};

	return poll(&changes, 1, 0) > 0;
}

const char *
prf_mounts_text(struct prf_mounts *mounts)
{
	if (has_changed(mounts) || !mounts->text) {
		free(mounts->text);
		mounts->text = mounts->fd < 0 ? NULL : read_all(mounts->fd);
	}
	return mounts->text ? mounts->text : "";
}
