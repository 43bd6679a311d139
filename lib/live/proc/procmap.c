#include "live/proc/procmap.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/ioctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

#include "live/proc/reach.h"

/* The kernel's interface; C library headers older than Linux 6.11 lack it. */
struct procmap_query_abi {
	uint64_t size, query_flags, query_addr;
	uint64_t vma_start, vma_end, vma_flags, vma_page_size, vma_offset;
	uint64_t inode;
	uint32_t dev_major, dev_minor;
	uint32_t vma_name_size, build_id_size;
	uint64_t vma_name_addr, build_id_addr;
};
#define PROCMAP_QUERY_ABI _IOWR('f', 17, struct procmap_query_abi)
enum { VMA_EXECUTABLE = 4, VMA_SHARED = 8, OR_NEXT = 16 };

static int
ask(int maps_fd, struct procmap_query_abi *query)
{
	prf_reach_begin();
	int rc = ioctl(maps_fd, PROCMAP_QUERY_ABI, query) ? -errno : 0;
	prf_reach_end();
	return rc;
}

bool
prf_procmap_is_answered(int maps_fd)
{
	struct procmap_query_abi probe = {.size = sizeof probe};
	int rc = ask(maps_fd, &probe);

	return !rc || rc == -ENOENT;
}

static int
query(int maps_fd, uint64_t flags, uint64_t addr, struct prf_procmap *map,
      char *name)
{
	struct procmap_query_abi query = {
		.size = sizeof query,
		.query_flags = flags,
		.query_addr = addr,
		.vma_name_size = name ? PRF_PROCMAP_NAME_BYTES : 0,
		.vma_name_addr = (uintptr_t)name,
	};
	int rc = ask(maps_fd, &query);

	if (rc)
		return rc;
	if (name && !query.vma_name_size)
		*name = '\0';
	*map = (struct prf_procmap){
		.addr = query.vma_start,
		.size = query.vma_end - query.vma_start,
		.file_off = query.vma_offset,
		.dev = makedev(query.dev_major, query.dev_minor),
		.inode = query.inode,
		.is_shared = query.vma_flags & VMA_SHARED,
	};
	return 0;
}

int
prf_procmap_query(int maps_fd, uint64_t addr, struct prf_procmap *map,
		  char *name)
{
	return query(maps_fd, 0, addr, map, name);
}

int
prf_procmap_query_code(int maps_fd, uint64_t addr, struct prf_procmap *map)
{
	return query(maps_fd, VMA_EXECUTABLE | OR_NEXT, addr, map, NULL);
}

/* Reads LINE of the maps file.  False: it is another's. */
static bool
parse_line_of(uint64_t addr, const char *line, struct prf_procmap *map,
	      char *name)
{
	unsigned dev_major, dev_minor;
	uint64_t end;
	char shared;
	int n = 0;

	if (sscanf(line,
		   "%" SCNx64 "-%" SCNx64 " %*3s%c %" SCNx64 " %x:%x %" SCNu64
		   "%n",
		   &map->addr, &end, &shared, &map->file_off, &dev_major,
		   &dev_minor, &map->inode, &n) != 7 ||
	    addr < map->addr || addr >= end)
		return false;
	map->size = end - map->addr;
	map->dev = makedev(dev_major, dev_minor);
	map->is_shared = shared == 's';
	line += n;
	line += strspn(line, " ");
	snprintf(name, PRF_PROCMAP_NAME_BYTES, "%.*s", (int)strcspn(line, "\n"),
		 line);
	return true;
}

/* Is the mapping of LINE, of the maps file, above ADDR (-1), below it (1), or is
 * that in it? */
static int
side_of(const char *line, uint64_t addr)
{
	char *end;
	uint64_t from = strtoull(line, &end, 16);
	uint64_t to = strtoull(end + (*end == '-'), NULL, 16);

	return addr < from ? -1 : addr >= to;
}

int
prf_procmap_find(const char *text, size_t n_bytes, uint64_t addr,
		 struct prf_procmap *map, char *name)
{
	const char *from = text, *to = text + n_bytes; /* whole lines */

	while (from < to) {
		const char *mid = from + (to - from) / 2;
		const char *before = memrchr(from, '\n', (size_t)(mid - from));
		const char *line = before ? before + 1 : from;
		const char *end = memchr(mid, '\n', (size_t)(to - mid));
		int side = side_of(line, addr);

		if (side == 0)
			return parse_line_of(addr, line, map, name) ? 0
								    : -ENOENT;
		if (side < 0)
			to = line;
		else
			from = end ? end + 1 : to;
	}
	return -ENOENT;
}

/* As the maps file does, so that a name cannot end its line. */
static void
escape_newlines(const char *name, char *escaped)
{
	for (; *name; name++)
		if (*name == '\n')
			escaped = stpcpy(escaped, "\\012");
		else
			*escaped++ = *name;
	*escaped = '\0';
}

int
prf_procmap_parse(const struct prf_procmap *map, const char *name, pid_t pid,
		  struct prf_maps **maps)
{
	char escaped[4 * PRF_PROCMAP_NAME_BYTES];
	char line[sizeof escaped + 128];

	if (strlen(name) >= PRF_PROCMAP_NAME_BYTES)
		return -ENAMETOOLONG;
	escape_newlines(name, escaped);
	int n = snprintf(line, sizeof line,
			 "%" PRIx64 "-%" PRIx64 " r-x%c %08" PRIx64
			 " %02x:%02x %" PRIu64 " %s\n",
			 map->addr, map->addr + map->size,
			 map->is_shared ? 's' : 'p', map->file_off,
			 major(map->dev), minor(map->dev), map->inode, escaped);

	if (n < 0 || (size_t)n >= sizeof line)
		return -ENAMETOOLONG;
	return prf_maps_parse(line, (size_t)n, pid, maps, NULL);
}
