#include "space/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

struct prf_mounts {
	int fd; /* -1: it is not read again */
	uint64_t root_dev;
	char *text; /* NULL: not read yet */
	struct mount_line *lines;
	size_t n;
	bool has_silent; /* has any of them one that may never answer? */
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
has_type(const struct mount_line *mount, const char *type)
{
	size_t n = (size_t)(mount->type_end - mount->type);

	return n == strlen(type) && strncmp(mount->type, type, n) == 0;
}

static bool
is_fuse(const struct mount_line *mount)
{
	return has_type(mount, "fuse") || has_type(mount, "fuseblk") ||
	       has_type(mount, "virtiofs") ||
	       strncmp(mount->type, "fuse.", 5) == 0;
}

static bool
is_silent(const struct prf_mounts *mounts, const struct mount_line *mount)
{
	return mount->dev != mounts->root_dev && is_fuse(mount);
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

static void
forget(struct prf_mounts *mounts)
{
	free(PRF_TAKE(mounts->text));
	free(PRF_TAKE(mounts->lines));
	mounts->n = 0;
	mounts->has_silent = false;
}

/* TEXT, which becomes the table's, in lines; without memory for them it has not been
 * read. */
static void
fill(struct prf_mounts *mounts, char *text)
{
	size_t n = 1;

	forget(mounts);
	mounts->text = text;
	for (const char *at = text; at && (at = strchr(at, '\n')); at++)
		n++;
	mounts->lines =
		text ? reallocarray(NULL, n, sizeof *mounts->lines) : NULL;
	if (!mounts->lines) {
		forget(mounts);
		return;
	}
	for (const char *line = text; *line; line += *line == '\n') {
		struct mount_line *mount = &mounts->lines[mounts->n];

		if (parse(line, mount)) {
			mounts->n++;
			mounts->has_silent |= is_silent(mounts, mount);
		}
		line += strcspn(line, "\n");
	}
}

/* The device of what is "/" for this process; 0: it is not known. */
static uint64_t
find_root_dev(void)
{
	struct stat root;

	return stat("/", &root) == 0 ? root.st_dev : 0;
}

/* TEXT becomes its own. */
static struct prf_mounts *
make(char *text, uint64_t root_dev)
{
	struct prf_mounts *mounts = calloc(1, sizeof *mounts);

	if (!mounts) {
		free(text);
		return NULL;
	}
	mounts->fd = -1;
	mounts->root_dev = root_dev;
	fill(mounts, text);
	return mounts;
}

struct prf_mounts *
prf_mounts_parse(const char *text, uint64_t root_dev)
{
	return make(strdup(text), root_dev);
}

struct prf_mounts *
prf_mounts_read(const char *proc, int pid)
{
	enum { PATH_ROOM = 4096 };
	char path[PATH_ROOM];

	if (pid)
		snprintf(path, sizeof path, "%s/%d/mountinfo", proc, pid);
	else
		snprintf(path, sizeof path, "%s/self/mountinfo", proc);
	PRF_AUTO(prf_auto_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text = fd < 0 ? NULL : read_all(fd);
	return text ? make(text, find_root_dev()) : NULL;
}

struct prf_mounts *
prf_mounts_new(void)
{
	struct prf_mounts *mounts = make(NULL, find_root_dev());

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
	forget(mounts);
	free(mounts);
}

/* The kernel says so once for each change. */
static bool
has_changed(const struct prf_mounts *mounts)
{
	struct pollfd changes = {.fd = mounts->fd, .events = POLLPRI};

	return poll(&changes, 1, 0) > 0;
}

static void
refresh(struct prf_mounts *mounts)
{
	if (mounts->fd >= 0 && (!mounts->text || has_changed(mounts)))
		fill(mounts, read_all(mounts->fd));
}

/* --- Files */

/* The mount that PATH is below; NULL: the table has none. */
static const struct mount_line *
find_mount(const struct prf_mounts *mounts, const char *path)
{
	const struct mount_line *found = NULL;
	ssize_t longest = -1;

	for (size_t i = 0; i < mounts->n; i++) {
		ssize_t n = covered(&mounts->lines[i], path);

		/* The later of two at one place hides the other. */
		if (n >= 0 && n >= longest) {
			longest = n;
			found = &mounts->lines[i];
		}
	}
	return found;
}

static bool
is_below_silent(const struct prf_mounts *mounts, const char *path)
{
	const struct mount_line *mount =
		mounts->has_silent ? find_mount(mounts, path) : NULL;

	return mount && is_silent(mounts, mount);
}

/* One that was unmounted while it was in use is in no table, but the kernel has a
 * connection to its process, of which it tells where that is mounted. */
static bool
is_connected(uint64_t dev)
{
	char path[64];

	snprintf(path, sizeof path, "/sys/fs/fuse/connections/%" PRIu64,
		 (uint64_t)major(dev) << 20 | minor(dev));
	return access(path, F_OK) == 0;
}

static bool
is_silent_device(const struct prf_mounts *mounts, uint64_t dev)
{
	for (size_t i = 0; i < mounts->n; i++)
		if (mounts->lines[i].dev == dev)
			return is_silent(mounts, &mounts->lines[i]);
	return dev != mounts->root_dev && is_connected(dev);
}

bool
prf_mounts_may_be_silent(struct prf_mounts *mounts, const char *path,
			 uint64_t dev)
{
	refresh(mounts);
	return is_silent_device(mounts, dev) || is_below_silent(mounts, path);
}

/* --- Paths, with the links in them */

enum { MOST_LINKS = 40 };

/* A path that is followed by one name at a time. */
struct walk {
	const struct prf_mounts *mounts;
	char done[PATH_MAX]; /* has no links */
	char rest[PATH_MAX];
	int n_links;
};

static void
go_up(struct walk *walk)
{
	char *slash = strrchr(walk->done, '/');

	if (slash)
		*slash = '\0';
}

/* Goes on by LINK, which stands where the walk has come to. */
static bool
follow(struct walk *walk, const char *link)
{
	char rest[PATH_MAX];
	int n = snprintf(rest, sizeof rest, "%s/%s", link, walk->rest);

	if ((size_t)n >= sizeof rest || ++walk->n_links > MOST_LINKS)
		return false;
	if (link[0] == '/')
		walk->done[0] = '\0';
	else
		go_up(walk);
	strcpy(walk->rest, rest);
	return true;
}

/* Takes the first name off the rest: at most what is left of it. */
static void
take_name(struct walk *walk, char name[PATH_MAX])
{
	const char *begin = walk->rest + strspn(walk->rest, "/");
	size_t n = strcspn(begin, "/");

	memcpy(name, begin, n);
	name[n] = '\0';
	memmove(walk->rest, begin + n, strlen(begin + n) + 1);
}

/* Such links of /proc lead to where others see what they tell: root, cwd, fd. */
static bool
is_of_proc(const struct walk *walk, const char *link)
{
	const struct mount_line *mount =
		link[0] == '/' ? find_mount(walk->mounts, walk->done) : NULL;

	return mount && has_type(mount, "proc");
}

/* Goes on from what the walk has come to: by what is there, if it is a link. */
static bool
look_up(struct walk *walk)
{
	char link[PATH_MAX];
	ssize_t n = readlink(walk->done, link, sizeof link - 1);

	if (n < 0) {
		/* Nobody gets further than this process. */
		if (errno != EINVAL)
			walk->rest[0] = '\0';
		return true;
	}
	link[n] = '\0';
	return !is_of_proc(walk, link) && follow(walk, link);
}

/* Goes down to NAME, unless a process answers for it.  False: it does, or nobody can
 * say. */
static bool
go_down(struct walk *walk, const char *name)
{
	size_t used = strlen(walk->done);

	if (used + 1 + strlen(name) >= sizeof walk->done)
		return false;
	walk->done[used] = '/';
	strcpy(walk->done + used + 1, name);
	return !is_below_silent(walk->mounts, walk->done) && look_up(walk);
}

bool
prf_mounts_path_may_be_silent(struct prf_mounts *mounts, const char *path)
{
	struct walk walk = {.mounts = mounts};
	char name[PATH_MAX];

	if (path[0] != '/')
		return false;
	if (strlen(path) >= sizeof walk.rest)
		return true;
	refresh(mounts);
	strcpy(walk.rest, path);
	while (walk.rest[0]) {
		take_name(&walk, name);
		if (strcmp(name, "..") == 0)
			go_up(&walk);
		else if (name[0] && strcmp(name, ".") != 0 &&
			 !go_down(&walk, name))
			return true;
	}
	return false;
}
