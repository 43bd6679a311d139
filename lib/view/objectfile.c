#include "view/objectfile.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/scope.h"

enum { PATH_ROOM = 4096 + 64 };

/* The very file, deleted or not; for the privileged. */
static void
name_map_file(char *name, const struct prf_mapping *map)
{
	snprintf(name, PATH_ROOM, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64,
		 map->pid, map->addr, map->addr + map->size);
}

/* For the program itself, deleted or not. */
static void
name_exe(char *name, const struct prf_mapping *map)
{
	char exe[PATH_ROOM];
	size_t n_path = strlen(map->path);

	snprintf(name, PATH_ROOM, "/proc/%d/exe", map->pid);
	ssize_t n = readlink(name, exe, sizeof exe - 1);
	exe[n > 0 ? n : 0] = '\0';
	/* The same number on another device would do for a library. */
	if (strncmp(exe, map->path, n_path) ||
	    (exe[n_path] && strcmp(exe + n_path, " (deleted)")))
		name[0] = '\0';
}

/* The program can live under another root. */
static void
name_in_root(char *name, const struct prf_mapping *map)
{
	snprintf(name, PATH_ROOM, "/proc/%d/root%s", map->pid, map->path);
}

static void
name_plain(char *name, const struct prf_mapping *map)
{
	snprintf(name, PATH_ROOM, "%s", map->path);
}

static void (*const candidates[])(char *, const struct prf_mapping *) = {
	name_map_file,
	name_exe,
	name_in_root,
	name_plain,
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

/* To open something can have effects: a FIFO waits, a tape winds.  So it is
 * looked at first, and what was looked at is opened.  -1: it is not MAP's. */
static int
open_if_file_of(const char *name, const struct prf_mapping *map)
{
	char seen[64];
	PRF_AUTO(prf_auto_close) int fd = open(name, O_PATH | O_CLOEXEC);

	if (fd < 0 || !is_file_of(fd, map))
		return -1;
	snprintf(seen, sizeof seen, "/proc/self/fd/%d", fd);
	return open(seen, O_RDONLY | O_CLOEXEC);
}

int
prf_objectfile_open(const struct prf_mapping *map)
{
	char name[PATH_ROOM];

	for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
		candidates[i](name, map);
		int fd = open_if_file_of(name, map);
		if (fd >= 0)
			return fd;
	}
	return -1;
}
