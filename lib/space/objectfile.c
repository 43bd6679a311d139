#include "space/objectfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock_ns.h"
#include "core/scope.h"
#include "image/buildid.h"
#include "space/fetch.h"
#include "space/mounts.h"

enum { PATH_ROOM = 4096 + 64 };

static int
open_at(int dir_fd, const char *name, int flags)
{
	int fd = openat(dir_fd, name, flags | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int
open_name(const char *name, int flags)
{
	return open_at(AT_FDCWD, name, flags);
}

/* The very file, deleted or not; for the privileged. */
static int
find_map_file(const struct prf_mapping *map)
{
	char name[PATH_ROOM];

	snprintf(name, sizeof name, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64,
		 map->pid, map->addr, map->addr + map->size);
	return open_name(name, O_PATH);
}

/* For the program itself, deleted or not. */
static int
find_exe(const struct prf_mapping *map)
{
	char name[PATH_ROOM], exe[PATH_ROOM];
	size_t n_path = strlen(map->path);

	snprintf(name, sizeof name, "/proc/%d/exe", map->pid);
	ssize_t n = readlink(name, exe, sizeof exe - 1);
	exe[n > 0 ? n : 0] = '\0';
	/* The same number on another device would do for a library. */
	if (strncmp(exe, map->path, n_path) ||
	    (exe[n_path] && strcmp(exe + n_path, " (deleted)")))
		return -ENOENT;
	return open_name(name, O_PATH);
}

/* What is at PATH in the directory FD, which is closed.  What is mapped has a path
 * without links; one that is there by now leads to another file, and who knows where:
 * none is followed. */
static int
find_below(int fd, const char *path)
{
	char name[NAME_MAX + 1];

	for (size_t n; fd >= 0 && *(path += strspn(path, "/")); path += n) {
		PRF_AUTO(prf_auto_close) int dir_fd = fd;

		n = strcspn(path, "/");
		if (n >= sizeof name)
			return -ENAMETOOLONG;
		snprintf(name, sizeof name, "%.*s", (int)n, path);
		fd = open_at(dir_fd, name, O_PATH | O_NOFOLLOW);
	}
	return fd == -ENOTDIR ? -ENOENT : fd;
}

/* The program can live under another root. */
static int
find_in_root(const struct prf_mapping *map)
{
	char name[PATH_ROOM];

	snprintf(name, sizeof name, "/proc/%d/root", map->pid);
	return find_below(open_name(name, O_PATH), map->path);
}

static int
find_by_path(const struct prf_mapping *map)
{
	return find_below(open_name("/", O_PATH), map->path);
}

/* Each gives a descriptor of O_PATH, or -errno. */
static int (*const ways[])(const struct prf_mapping *) = {
	find_map_file,
	find_exe,
	find_in_root,
	find_by_path,
};

/* The device is not compared: overlay file systems show one in the maps and
 * another to stat(2). */
static bool
is_file_of(int fd, const struct prf_mapping *map)
{
	struct stat file;

	return !fstat(fd, &file) && S_ISREG(file.st_mode) &&
	       file.st_ino == map->inode;
}

/* Opens for reading what FD, of O_PATH, is. */
static int
open_seen(int fd)
{
	char seen[64];

	snprintf(seen, sizeof seen, "/proc/self/fd/%d", fd);
	return open_name(seen, O_RDONLY);
}

/* To open something can have effects: a FIFO waits, a tape winds.  So it is
 * looked at first, and what was looked at is opened.  -ENOENT: it is not
 * MAP's. */
static int
open_any(const struct prf_mapping *map)
{
	const size_t n = sizeof ways / sizeof *ways;
	int rc = -ENOENT;

	for (size_t i = 0; rc < 0 && i < n; i++) {
		PRF_AUTO(prf_auto_close) int fd = ways[i](map);

		rc = fd < 0                ? fd
		     : is_file_of(fd, map) ? open_seen(fd)
					   : -ENOENT;
	}
	return rc;
}

/* --- Files that may never answer */

PRF_DEFINE_AUTO(prf_mounts, prf_mounts_free);

enum { MOST_SILENT = 16 };

/* What answers so slowly again and again is not waited for more than this, all
 * files together. */
#define SLOW_NS 500000000ULL
#define MOST_SLOW_NS 60000000000ULL

struct prf_objectfile_finder {
	struct prf_mounts *mounts;
	/* Devices of file systems that have not answered, the last of them. */
	uint64_t silent[MOST_SILENT];
	size_t n_silent;
	uint64_t slow_ns; /* what slow ones have taken by now */
};

struct prf_objectfile_finder *
prf_objectfile_finder_new(void)
{
	struct prf_objectfile_finder *finder = calloc(1, sizeof *finder);

	if (!finder)
		return NULL;
	finder->mounts = prf_mounts_new();
	if (finder->mounts)
		return finder;
	free(finder);
	return NULL;
}

void
prf_objectfile_finder_free(struct prf_objectfile_finder *finder)
{
	if (!finder)
		return;
	prf_mounts_free(finder->mounts);
	free(finder);
}

/* Where link NAME of process PID ("self") leads to; "" if that is not known.  Such
 * links are looked at, and not followed. */
static void
read_link(const char *pid, const char *name, char to[PATH_ROOM])
{
	char link[64];

	snprintf(link, sizeof link, "/proc/%s/%s", pid, name);
	ssize_t n = readlink(link, to, PATH_ROOM - 1);
	to[n > 0 ? n : 0] = '\0';
}

/* Is "/" of process PID another than here, or what is mounted below it? */
static bool
has_other_mounts(int pid)
{
	char number[16], theirs[PATH_ROOM], ours[PATH_ROOM];

	snprintf(number, sizeof number, "%d", pid);
	read_link(number, "root", theirs);
	if (theirs[0] && strcmp(theirs, "/") != 0)
		return true;
	read_link(number, "ns/mnt", theirs);
	read_link("self", "ns/mnt", ours);
	return theirs[0] && strcmp(theirs, ours) != 0;
}

/* What is not mounted here may be where the program is. */
static bool
may_be_silent_there(const struct prf_mapping *map)
{
	PRF_AUTO(prf_mounts_auto)
	struct prf_mounts *mounts = has_other_mounts(map->pid)
					    ? prf_mounts_read("/proc", map->pid)
					    : NULL;

	return mounts && prf_mounts_may_be_silent(mounts, map->path, map->dev);
}

bool
prf_objectfile_may_be_silent(struct prf_objectfile_finder *finder,
			     const struct prf_mapping *map)
{
	return finder &&
	       (prf_mounts_may_be_silent(finder->mounts, map->path, map->dev) ||
		may_be_silent_there(map));
}

bool
prf_objectfile_path_may_be_silent(void *finder, const char *path)
{
	struct prf_objectfile_finder *known = finder;

	return known && prf_mounts_path_may_be_silent(known->mounts, path);
}

static bool
is_silent(const struct prf_objectfile_finder *finder, uint64_t dev)
{
	size_t n =
		finder->n_silent < MOST_SILENT ? finder->n_silent : MOST_SILENT;

	for (size_t i = 0; i < n; i++)
		if (finder->silent[i] == dev)
			return true;
	return false;
}

static int
open_mapped(const void *map)
{
	return open_any(map);
}

static int
fetch(struct prf_objectfile_finder *finder, const struct prf_mapping *map,
      int (*ask)(const struct prf_fetch *what, struct stat *st),
      int (*pick)(int from, int to), struct stat *st)
{
	const struct prf_fetch what = {
		.open = open_mapped, .arg = map, .pick = pick};

	if (is_silent(finder, map->dev))
		return -ETIMEDOUT;
	if (finder->slow_ns > MOST_SLOW_NS)
		return -ETIME;
	const uint64_t begin_ns = prf_clock_ns(CLOCK_MONOTONIC);
	int rc = ask(&what, st);
	const uint64_t took_ns = prf_clock_ns(CLOCK_MONOTONIC) - begin_ns;
	if (took_ns > SLOW_NS)
		finder->slow_ns += took_ns;
	if (rc == -ETIMEDOUT)
		finder->silent[finder->n_silent++ % MOST_SILENT] = map->dev;
	return rc;
}

int
prf_objectfile_open(struct prf_objectfile_finder *finder,
		    const struct prf_mapping *map, struct stat *st)
{
	if (prf_objectfile_may_be_silent(finder, map))
		return fetch(finder, map, prf_fetch_copy, NULL, st);
	int fd = open_any(map);
	if (fd < 0 || !fstat(fd, st))
		return fd;
	close(fd);
	return -ENOENT;
}

int
prf_objectfile_stat(struct prf_objectfile_finder *finder,
		    const struct prf_mapping *map, struct stat *st)
{
	if (prf_objectfile_may_be_silent(finder, map))
		return fetch(finder, map, prf_fetch_stat, NULL, st);
	PRF_AUTO(prf_auto_close) int fd = open_any(map);
	return fd < 0 ? fd : fstat(fd, st) ? -errno : 0;
}

int
prf_objectfile_stat_path(struct prf_objectfile_finder *finder,
			 const struct prf_mapping *map, struct stat *st)
{
	if (finder &&
	    prf_mounts_may_be_silent(finder->mounts, map->path, map->dev))
		return -EAGAIN;
	PRF_AUTO(prf_auto_close) int fd = find_by_path(map);
	return fd < 0 ? fd : fstat(fd, st) ? -errno : 0;
}

static int
pick_id(int from, int to)
{
	uint8_t bytes[PRF_BUILDID_MAX_BYTES];
	uint8_t n = prf_buildid_read(from, bytes);

	return write(to, bytes, n) == n ? 0 : -EIO;
}

static int
fetch_id(struct prf_objectfile_finder *finder, const struct prf_mapping *map,
	 uint8_t bytes[PRF_BUILDID_MAX_BYTES])
{
	struct stat st;
	PRF_AUTO(prf_auto_close)
	int fd = fetch(finder, map, prf_fetch_copy, pick_id, &st);

	return fd < 0 ? fd : (int)pread(fd, bytes, PRF_BUILDID_MAX_BYTES, 0);
}

int
prf_objectfile_build_id(struct prf_objectfile_finder *finder,
			const struct prf_mapping *map, struct stat *st,
			uint8_t bytes[PRF_BUILDID_MAX_BYTES])
{
	*st = (struct stat){0};
	if (prf_objectfile_may_be_silent(finder, map))
		return fetch_id(finder, map, bytes);
	PRF_AUTO(prf_auto_close) int fd = open_any(map);
	return fd < 0          ? fd
	       : fstat(fd, st) ? -errno
			       : prf_buildid_read(fd, bytes);
}

/* --- A recorded file */

/* Is FD the file that MAP was of?  HAS_ID: its build-id was recorded, if it has
 * one.  SAME_MACHINE: its inode can be compared. */
static bool
is_recorded(int fd, const struct prf_mapping *map, bool has_id,
	    bool same_machine)
{
	uint8_t bytes[PRF_BUILDID_MAX_BYTES];
	uint8_t n = has_id ? prf_buildid_read(fd, bytes) : 0;

	if (n || map->build_id_bytes)
		return n == map->build_id_bytes &&
		       !memcmp(bytes, map->build_id, n);
	return !same_machine || is_file_of(fd, map);
}

static int
open_recorded(const char *root, const struct prf_mapping *map, bool has_id)
{
	char name[PATH_ROOM];
	struct stat st;

	if (map->path[0] != '/' ||
	    (size_t)snprintf(name, PATH_ROOM, "%s%s", root ? root : "",
			     map->path) >= PATH_ROOM)
		return -ENOENT;
	PRF_AUTO(prf_auto_close) int fd = open_name(name, O_PATH);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return -ENOENT;
	int readable = open_seen(fd);
	if (readable < 0 || is_recorded(readable, map, has_id, !root))
		return readable;
	close(readable);
	return -ESTALE;
}

int
prf_objectfile_open_recorded(void *arg, const struct prf_mapping *map)
{
	return open_recorded(arg, map, true);
}

int
prf_objectfile_open_by_inode(void *arg, const struct prf_mapping *map)
{
	return open_recorded(arg, map, false);
}
