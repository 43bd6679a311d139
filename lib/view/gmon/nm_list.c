#include "view/gmon/nm_list.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

/* A name is a part of the text that is read. */
struct symbol {
	uint64_t vaddr;
	const char *name;
};

struct symbols {
	struct symbol *all;
	size_t n, room;
};

static void
clear(struct symbols *symbols)
{
	free(symbols->all);
}

static int
append(struct symbols *symbols, uint64_t vaddr, const char *name)
{
	if (symbols->n == symbols->room) {
		size_t room = symbols->room * 2 + 256;
		struct symbol *grown =
			reallocarray(symbols->all, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		symbols->all = grown;
		symbols->room = room;
	}
	symbols->all[symbols->n++] = (struct symbol){vaddr, name};
	return 0;
}

/* --- A line: address, perhaps a size, type, name */

/* A number in hexadecimal digits and the blank behind it. */
static bool
take_number(const char **at, uint64_t *number)
{
	const char *digits = "0123456789abcdefABCDEF";
	size_t n = strspn(*at, digits);
	char *end;

	if (!n || n > 16 || (*at)[n] != ' ')
		return false;
	*number = strtoull(*at, &end, 16);
	*at = end + 1;
	return true;
}

static bool
is_undefined(const char *line)
{
	line += strspn(line, " ");
	return (*line == 'U' || *line == 'w' || *line == 'v') && line[1] == ' ';
}

/* False: it is no line of nm's. */
static bool
read_line(struct symbols *symbols, const char *line, int *rc)
{
	uint64_t vaddr, size;

	if (!*line || is_undefined(line))
		return true;
	if (!take_number(&line, &vaddr))
		return false;
	/* A type is one letter; of a size there are 16 digits, or 8. */
	if (line[0] && line[1] != ' ' && !take_number(&line, &size))
		return false;
	if (!line[0] || line[1] != ' ' || !line[2])
		return false;
	if (strchr("tTwWiI", line[0]))
		*rc = append(symbols, vaddr, line + 2);
	return true;
}

static int
read_lines(struct symbols *symbols, char *text, struct prf_error *err)
{
	unsigned number = 0;
	int rc = 0;

	for (char *line = text, *next; !rc && line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		number++;
		if (!read_line(symbols, line, &rc))
			return prf_error_set(err, -EBADMSG,
					     "line %u: is none of a gmon.syms, "
					     "nor of what nm prints",
					     number);
	}
	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}

/* --- All of them */

static int
by_vaddr(const void *a, const void *b)
{
	const struct symbol *left = a, *right = b;
	int rc = (left->vaddr > right->vaddr) - (left->vaddr < right->vaddr);

	return rc ? rc : strcmp(left->name, right->name);
}

int
prf_nm_list_read(struct prf_symbol_list *list, const char *text, size_t n_bytes,
		 struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *copy = strndup(text, n_bytes);
	PRF_AUTO(clear) struct symbols symbols = {0};

	if (!copy)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = read_lines(&symbols, copy, err);
	if (rc)
		return rc;
	if (!symbols.n)
		return prf_error_set(err, -EBADMSG, "names no code");
	qsort(symbols.all, symbols.n, sizeof *symbols.all, by_vaddr);
	for (size_t i = 0; !rc && i < symbols.n; i++)
		if (!i || symbols.all[i].vaddr != symbols.all[i - 1].vaddr)
			rc = prf_symbol_list_append(list, symbols.all[i].vaddr,
						    symbols.all[i].name);
	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}

int
prf_nm_list_of_image(struct prf_symbol_list *list,
		     const struct prf_image *image)
{
	size_t n;
	const struct prf_text *texts = prf_image_texts(image, &n);
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++)
		rc = prf_symbol_list_append(list, texts[i].lo, texts[i].name);
	return rc || !n ? rc
			: prf_symbol_list_append(list, texts[n - 1].hi,
						 "[unknown]");
}
