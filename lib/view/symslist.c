#include "view/symslist.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

/* A path of 4096 bytes, each as %xx, and numbers before it. */
enum { LINE_BYTES = 16384, MAX_LINES = 1 << 24 };

static const char first_line[] = "# gmon.syms 1";

/* A hexadecimal number and the blank behind it. */
static int
take_number(const char **at, uint64_t *number)
{
	char *end;

	if (!isxdigit((unsigned char)**at))
		return -EBADMSG;
	errno = 0;
	*number = strtoull(*at, &end, 16);
	if (errno || *end != ' ')
		return -EBADMSG;
	*at = end + 1;
	return 0;
}

static int
digit_value(char digit)
{
	const char *digits = "0123456789abcdef";
	const char *found = digit ? strchr(digits, digit) : NULL;

	return found ? (int)(found - digits) : -1;
}

/* Undoes %xx.  To be free()d; NULL: out of memory. */
static char *
decode(const char *text)
{
	char *path = malloc(strlen(text) + 1), *to = path;

	while (path && *text) {
		int high = *text == '%' ? digit_value(text[1]) : -1;
		int low = high < 0 ? -1 : digit_value(text[2]);

		if (low < 0) {
			*to++ = *text++;
			continue;
		}
		*to++ = (char)(high * 16 + low);
		text += 3;
	}
	if (path)
		*to = '\0';
	return path;
}

static int
grow(void **array, size_t n, size_t *room, size_t size)
{
	size_t wider = *room * 2 + 64;

	if (n < *room)
		return 0;
	void *grown = reallocarray(*array, wider, size);
	if (!grown)
		return -ENOMEM;
	*array = grown;
	*room = wider;
	return 0;
}

/* LO HI SHIFT BUILD-ID PATH */
static int
read_object(struct prf_symslist *list, const char *at)
{
	struct prf_symsobject object = {0};
	uint64_t shift;
	void *array = list->objects;

	if (take_number(&at, &object.lo) || take_number(&at, &object.hi) ||
	    take_number(&at, &shift))
		return -EBADMSG;
	const char *path = strchr(at, ' ');
	if (!path)
		return -EBADMSG;
	if (grow(&array, list->n_objects, &list->objects_room, sizeof object))
		return -ENOMEM;
	list->objects = array;
	object.path = decode(path + 1);
	if (!object.path)
		return -ENOMEM;
	list->objects[list->n_objects++] = object;
	return 0;
}

/* Where no object is, nothing is known. */
static const char *
object_of(const struct prf_symslist *list, uint64_t addr)
{
	size_t lo = 0, hi = list->n_objects;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (list->objects[middle].lo <= addr)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo && addr < list->objects[lo - 1].hi
		       ? list->objects[lo - 1].path
		       : "[unknown]";
}

/* ADDRESS T NAME */
static int
read_symbol(struct prf_symslist *list, const char *at)
{
	static const char kernel[] = "[kernel]:";
	struct prf_symsline line = {0};
	void *array = list->lines;

	if (take_number(&at, &line.addr) || strncmp(at, "T ", 2) != 0 ||
	    !at[2] ||
	    (list->n_lines && line.addr < list->lines[list->n_lines - 1].addr))
		return -EBADMSG;
	at += 2;
	if (!strncmp(at, kernel, sizeof kernel - 1))
		at += sizeof kernel - 1;
	if (grow(&array, list->n_lines, &list->lines_room, sizeof line))
		return -ENOMEM;
	list->lines = array;
	line.object = object_of(list, line.addr);
	line.name = strdup(at);
	if (!line.name)
		return -ENOMEM;
	list->lines[list->n_lines++] = line;
	return 0;
}

static int
read_line(struct prf_symslist *list, size_t number, const char *line)
{
	static const char object[] = "# object ";

	if (number == 1)
		return strcmp(line, first_line) ? -EBADMSG : 0;
	if (!strncmp(line, object, sizeof object - 1))
		return list->n_lines
			       ? -EBADMSG
			       : read_object(list, line + sizeof object - 1);
	return line[0] == '#' ? 0 : read_symbol(list, line);
}

static bool
is_whole(const struct prf_symslist *list)
{
	return list->n_lines &&
	       !strcmp(list->lines[list->n_lines - 1].name, "[end]");
}

int
prf_symslist_read(FILE *in, struct prf_symslist *list, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *line = malloc(LINE_BYTES);
	size_t number = 0;

	if (!line)
		return prf_error_set(err, -ENOMEM, "out of memory");
	while (fgets(line, LINE_BYTES, in)) {
		char *end = strchr(line, '\n');
		int rc = -EBADMSG;

		if (number++ == MAX_LINES)
			return prf_error_set(err, -EFBIG, "more than %d lines",
					     MAX_LINES);
		if (end) {
			*end = '\0';
			rc = read_line(list, number, line);
		}
		if (rc == -ENOMEM)
			return prf_error_set(err, rc, "out of memory");
		if (rc)
			return prf_error_set(err, rc,
					     "line %zu: is not of a gmon.syms",
					     number);
	}
	if (ferror(in))
		return prf_error_set(err, errno ? -errno : -EIO, "%m");
	if (!number)
		return prf_error_set(err, -EBADMSG, "is empty: no gmon.syms");
	return is_whole(list) ? 0
			      : prf_error_set(err, -EBADMSG,
					      "line %zu: is cut behind it: "
					      "[end] is missing",
					      number);
}

void
prf_symslist_clear(struct prf_symslist *list)
{
	for (size_t i = 0; i < list->n_lines; i++)
		free(list->lines[i].name);
	for (size_t i = 0; i < list->n_objects; i++)
		free(list->objects[i].path);
	free(list->lines);
	free(list->objects);
	*list = (struct prf_symslist){0};
}

const struct prf_symsline *
prf_symslist_at(const struct prf_symslist *list, uint64_t addr)
{
	size_t lo = 0, hi = list->n_lines;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (list->lines[middle].addr <= addr)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo ? &list->lines[lo - 1] : NULL;
}
