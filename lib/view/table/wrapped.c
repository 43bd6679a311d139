#include "view/table/wrapped.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "view/table/plain.h"

/* A blank between a number and its unit. */
static bool
is_before_unit(const char *text, size_t blank)
{
	return blank && isdigit((unsigned char)text[blank - 1]) &&
	       isalpha((unsigned char)text[blank + 1]);
}

/* The last blank of TEXT up to N, behind the FIRST bytes; FIRST if there is
 * none. */
static size_t
last_blank(const char *text, size_t first, size_t n, bool with_units)
{
	while (n > first &&
	       (text[n] != ' ' || (!with_units && is_before_unit(text, n))))
		n--;
	return n;
}

/* How many bytes of the line TEXT fit into WIDTH characters, up to a blank if
 * there is one behind the FIRST bytes. */
static size_t
fitting(const char *text, size_t first, size_t width)
{
	size_t n = prf_plain_bytes(text, width), blank;

	if (!text[n] || strcspn(text, "\n") <= n)
		return strcspn(text, "\n");
	blank = last_blank(text, first, n, false);
	if (blank == first)
		blank = last_blank(text, first, n, true);
	return blank > first ? blank : n;
}

static const char *
print_line(const char *text, size_t indent, size_t width, FILE *out)
{
	/* The blanks between a label and its text are no place to break. */
	size_t first = indent;
	size_t n = fitting(text, first, width);

	fwrite(text, 1, n, out);
	for (text += n; *text && *text != '\n'; text += n) {
		text += strspn(text, " ");
		n = fitting(text, 0, width - indent);
		fprintf(out, "\n%*s", (int)indent, "");
		fwrite(text, 1, n, out);
	}
	return text;
}

void
prf_wrapped_print(const char *text, size_t indent, size_t width, FILE *out)
{
	if (!width) {
		fputs(text, out);
		return;
	}
	while (*text) {
		text = print_line(text, indent, width, out);
		if (*text == '\n')
			fputc(*text++, out);
	}
}
