#include "view/objectfile.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

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
	snprintf(name, PATH_ROOM, "/proc/%d/exe", map->pid);
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

int
prf_objectfile_open(const struct prf_mapping *map)
{
	char name[PATH_ROOM];

	for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
		candidates[i](name, map);
		/* A FIFO put in the place of a library must not hold us up. */
		int fd = open(name,
			      O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (fd < 0)
			continue;
		if (is_file_of(fd, map))
			return fd;
		close(fd);
	}
	return -1;
}
