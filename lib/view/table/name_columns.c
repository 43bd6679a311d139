#include "view/table/name_columns.h"

#include <stdio.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "view/table/plain.h"
#include "view/table/short_name.h"

enum {
	USUAL_NAME_MAX = 48, /* a longer one does not widen its column */
	BINARY_MAX = 16,
	NAME_MIN = 12, /* before this binaries get less, as far as that goes */
	BINARY_MIN = 6,
	BINARY_USUAL = 9, /* "libc.so.6" */
	BINARY_PART = 3,  /* of the room, if that is more */
	GAP = 2,
};

static const char inlined_mark[] = " (inlined)";

char *
prf_name_columns_name(const char *name, const struct prf_style *style)
{
	PRF_AUTO(prf_auto_free) char *whole = prf_demangle(name);

	if (!whole || style->full_names || strcmp(whole, name) == 0)
		return PRF_TAKE(whole);
	return prf_short_name(whole);
}

char *
prf_name_columns_inlined(const char *name, const struct prf_style *style)
{
	PRF_AUTO(prf_auto_free) char *whole = prf_demangle(name);
	bool is_long = whole && (strcmp(whole, name) != 0 || strchr(name, '<'));
	PRF_AUTO(prf_auto_free)
	char *brief = is_long && !style->full_names ? prf_short_name(whole)
						    : PRF_TAKE(whole);
	char *marked;

	return !brief || asprintf(&marked, "%s%s", brief, inlined_mark) < 0
		       ? NULL
		       : marked;
}

bool
prf_name_columns_unmark(char *shown)
{
	char *mark = strstr(shown, inlined_mark);
	char *behind = mark ? mark + strlen(inlined_mark) : NULL;

	if (!mark || mark == shown ||
	    (*behind && strncmp(behind, " [", 2) != 0))
		return false;
	memmove(mark, behind, strlen(behind) + 1);
	return true;
}

static void
widen(size_t *column, size_t width)
{
	if (*column < width)
		*column = width;
}

void
prf_name_columns_fit(struct prf_name_columns *columns, const char *name,
		     const char *binary)
{
	size_t width = prf_plain_width(name);

	widen(&columns->name, width);
	if (width <= USUAL_NAME_MAX)
		widen(&columns->usual_name, width);
	widen(&columns->binary, prf_plain_width(binary));
}

char *
prf_name_columns_path_end(const char *path, size_t line_width, size_t others)
{
	enum { DOTS = 3 };
	size_t room = line_width > others + DOTS ? line_width - others : DOTS;
	size_t n = strlen(path);
	const char *from =
		n > room ? strchr(path + n - room + DOTS, '/') : path;
	char *name;

	if (!from)
		from = strrchr(path, '/');
	if (from == path || !from)
		return strdup(path);
	return asprintf(&name, "...%s", from) < 0 ? NULL : name;
}

static size_t
less_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t
more_of(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* How much of binaries is seen in ROOM characters: what names leave, or a part. */
static size_t
binary_width(const struct prf_name_columns *columns, size_t room)
{
	size_t part = more_of(room / BINARY_PART, BINARY_USUAL);
	size_t left = room > columns->name ? room - columns->name : 0;

	return less_of(columns->binary,
		       less_of(more_of(part, left), BINARY_MAX));
}

/* Divides ROOM characters between both. */
static void
divide(struct prf_name_columns *columns, size_t room)
{
	size_t binary = binary_width(columns, room);
	size_t name = less_of(columns->name, NAME_MIN);

	if (columns->name + columns->binary <= room)
		return;
	if (room < name + binary)
		binary = room > name + BINARY_MIN ? room - name
						  : less_of(binary, BINARY_MIN);
	columns->binary = binary;
	if (room > name + binary)
		name = room - binary;
	columns->name = less_of(columns->name, name);
}

void
prf_name_columns_settle(struct prf_name_columns *columns, size_t before,
			const struct prf_style *style)
{
	size_t gaps = columns->binary ? 2 * GAP : GAP;

	columns->cut = style->width > 0;
	if (!columns->cut)
		columns->name = columns->usual_name;
	else
		divide(columns, style->width > before + gaps
					? style->width - before - gaps
					: 0);
}

static void
print_text(const char *text, size_t width, bool cut, FILE *out)
{
	if (cut)
		prf_plain_print_middle_cut(text, width, out);
	else
		prf_plain_print(text, out);
}

void
prf_name_columns_print(const struct prf_name_columns *columns, const char *name,
		       const char *binary, FILE *out)
{
	size_t width = prf_plain_width(name);

	fprintf(out, "%*s", GAP, "");
	print_text(name, columns->name, columns->cut, out);
	if (*binary) {
		size_t rest = width < columns->name ? columns->name - width : 0;

		fprintf(out, "%*s", (int)rest + GAP, "");
		print_text(binary, columns->binary, columns->cut, out);
	}
	fputc('\n', out);
}
