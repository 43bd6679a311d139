/* maps.c - /proc/PID/maps, as proc_pid_maps(5) has it:
 *   START-END PERM OFFSET MAJOR:MINOR INODE      PATH */
#include "image/maps.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "core/scope.h"

struct prf_maps {
	char *text; /* the paths point into it */
	struct prf_mapping *all;
	size_t n, capacity;
};

PRF_DEFINE_AUTO(prf_maps, prf_maps_free);

static int
digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* Reads a number up to the character END, which is skipped. */
static bool
read_number(char **at, unsigned base, char end, uint64_t *number)
{
	char *c = *at;
	int digit;

	*number = 0;
	while ((digit = digit_value(*c)) >= 0 && (unsigned)digit < base) {
		if (*number > (UINT64_MAX - (unsigned)digit) / base)
			return false;
		*number = *number * base + (unsigned)digit;
		c++;
	}
	if (c == *at || *c != end)
		return false;
	*at = c + 1;
	return true;
}

/* "r-xp " and the like. */
static bool
read_permissions(char **at, bool *executable)
{
	static const char *const letters[] = {"r-", "w-", "x-", "ps"};

	for (int i = 0; i < 4; i++)
		if ((*at)[i] == '\0' || !strchr(letters[i], (*at)[i]))
			return false;
	if ((*at)[4] != ' ')
		return false;
	*executable = (*at)[2] == 'x';
	*at += 5;
	return true;
}

/* The inode is the last number: nothing need follow it. */
static bool
read_inode(char **at, uint64_t *inode)
{
	char *end = *at + strcspn(*at, " ");
	char after = *end;

	*end = ' ';
	bool read = read_number(at, 10, ' ', inode) && *at == end + 1;
	*end = after;
	if (read && after == '\0')
		*at = end;
	return read;
}

/* The kernel writes a newline in a path as \012, and nothing else so. */
static void
decode_newlines(char *path)
{
	char *to = path;

	for (const char *from = path; *from; to++) {
		bool newline = strncmp(from, "\\012", 4) == 0;

		*to = newline ? '\n' : *from;
		from += newline ? 4 : 1;
	}
	*to = '\0';
}

static bool
cut_suffix(char *path, const char *suffix)
{
	size_t n = strlen(path), n_suffix = strlen(suffix);

	if (n < n_suffix || strcmp(path + n - n_suffix, suffix) != 0)
		return false;
	path[n - n_suffix] = '\0';
	return true;
}

/* Names that look like a path, but there never was a file to open; some are
 * only these if they are deleted. */
static const struct {
	const char *start;
	bool whole, if_deleted;
} unopenable[] = {
	{"/memfd:", false, true},       {"/SYSV", false, true},
	{"/dev/zero", true, false},     {"/anon_hugepage", true, true},
	{"/[aio]", true, true},         {"/i915", true, true},
	{"/drm mm object", true, true},
};

static enum prf_mapping_kind
kind_of(const char *path, bool deleted)
{
	if (strcmp(path, "[vdso]") == 0)
		return PRF_MAPPING_VDSO;
	for (size_t i = 0; i < sizeof unopenable / sizeof *unopenable; i++) {
		const char *start = unopenable[i].start;
		size_t n = strlen(start) + unopenable[i].whole;

		if (strncmp(path, start, n) == 0 &&
		    (deleted || !unopenable[i].if_deleted))
			return PRF_MAPPING_ANON;
	}
	/* "(unreachable)/..." is a file, though not below the root. */
	return path[0] == '/' || strncmp(path, "(unreachable)", 13) == 0
		       ? PRF_MAPPING_FILE
		       : PRF_MAPPING_ANON;
}

/* Reads LINE, which ends in NUL.  False: no kernel writes that. */
static bool
parse_line(char *line, struct prf_mapping *map, bool *executable)
{
	uint64_t end, major, minor;
	char *at = line;

	if (!read_number(&at, 16, '-', &map->addr) ||
	    !read_number(&at, 16, ' ', &end) || end <= map->addr ||
	    !read_permissions(&at, executable) ||
	    !read_number(&at, 16, ' ', &map->file_off) ||
	    !read_number(&at, 16, ':', &major) || major > UINT32_MAX ||
	    !read_number(&at, 16, ' ', &minor) || minor > UINT32_MAX ||
	    !read_inode(&at, &map->inode))
		return false;
	map->size = end - map->addr;
	map->dev = makedev((unsigned)major, (unsigned)minor);

	char *path = at + strspn(at, " ");
	map->deleted = cut_suffix(path, " (deleted)");
	decode_newlines(path);
	map->path = path;
	map->kind = kind_of(path, map->deleted);
	return true;
}

/* What maps said before of MAP's addresses is no longer so: between two reads
 * of the file the kernel may have joined mappings and tell of them again. */
static void
forget_overlap(struct prf_maps *maps, const struct prf_mapping *map)
{
	while (maps->n > 0 && maps->all[maps->n - 1].addr >= map->addr)
		maps->n--;
	if (maps->n == 0)
		return;

	struct prf_mapping *before = &maps->all[maps->n - 1];
	if (before->size > map->addr - before->addr)
		before->size = map->addr - before->addr;
}

static int
add_mapping(struct prf_maps *maps, const struct prf_mapping *map)
{
	if (maps->n == maps->capacity) {
		size_t capacity = maps->capacity * 2 + 16;
		struct prf_mapping *all =
			reallocarray(maps->all, capacity, sizeof *all);
		if (!all)
			return -ENOMEM;
		maps->all = all;
		maps->capacity = capacity;
	}
	maps->all[maps->n++] = *map;
	return 0;
}

/* Reads all lines of the copy, END is its NUL. */
static int
parse_lines(struct prf_maps *maps, char *end, pid_t pid, struct prf_error *err)
{
	size_t n_lines = 0;
	char *next;

	for (char *line = maps->text; line < end; line = next + 1) {
		struct prf_mapping map = {.pid = pid};
		bool executable = false;

		n_lines++;
		next = memchr(line, '\n', (size_t)(end - line));
		if (!next)
			return prf_error_set(err, -EINVAL,
					     "maps of process %d: line %zu is "
					     "cut short",
					     (int)pid, n_lines);
		*next = '\0';
		if (strlen(line) != (size_t)(next - line) ||
		    !parse_line(line, &map, &executable))
			return prf_error_set(err, -EINVAL,
					     "maps of process %d: line %zu is "
					     "no mapping: %s",
					     (int)pid, n_lines, line);
		forget_overlap(maps, &map);
		if (executable && add_mapping(maps, &map) != 0)
			return prf_error_set(err, -ENOMEM,
					     "maps of process %d: %m",
					     (int)pid);
	}
	return 0;
}

int
prf_maps_parse(const char *text, size_t size, pid_t pid, struct prf_maps **out,
	       struct prf_error *err)
{
	PRF_AUTO(prf_maps_auto) struct prf_maps *maps = calloc(1, sizeof *maps);

	if (maps)
		maps->text = malloc(size + 1);
	if (!maps || !maps->text)
		return prf_error_set(err, -ENOMEM, "maps of process %d: %m",
				     (int)pid);
	if (size > 0)
		memcpy(maps->text, text, size);
	maps->text[size] = '\0';
	int rc = parse_lines(maps, maps->text + size, pid, err);
	if (rc == 0)
		*out = PRF_TAKE(maps);
	return rc;
}

void
prf_maps_free(struct prf_maps *maps)
{
	if (!maps)
		return;
	free(maps->text);
	free(maps->all);
	free(maps);
}

const struct prf_mapping *
prf_maps_all(const struct prf_maps *maps, size_t *n)
{
	*n = maps->n;
	return maps->all;
}

const struct prf_mapping *
prf_maps_at(const struct prf_maps *maps, uint64_t addr)
{
	size_t lo = 0, hi = maps->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct prf_mapping *map = &maps->all[mid];

		if (addr < map->addr)
			hi = mid;
		else if (addr - map->addr >= map->size)
			lo = mid + 1;
		else
			return map;
	}
	return NULL;
}
