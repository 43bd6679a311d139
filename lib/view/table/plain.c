#include "view/table/plain.h"

#include <stdbool.h>
#include <string.h>

/* What a character of UTF-8 begins with, and what its second byte may be: no
 * character has two spellings, and C1 controls and surrogates have none. */
static const struct form {
	unsigned char first, last; /* of the first byte */
	unsigned char lo, hi;      /* of the second */
	size_t length;
} forms[] = {
	{0x20, 0x7e, 0x00, 0xff, 1}, {0xc2, 0xc2, 0xa0, 0xbf, 2},
	{0xc3, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
	{0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
	{0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
	{0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

/* U+2028 to U+202E and U+2066 to U+2069: they break and turn lines. */
static bool
turns_lines(const unsigned char *c)
{
	return c[0] == 0xe2 &&
	       ((c[1] == 0x80 && c[2] >= 0xa8 && c[2] <= 0xae) ||
		(c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
}

static bool
is_of_form(const unsigned char *c, const struct form *form)
{
	if (c[0] < form->first || c[0] > form->last)
		return false;
	if (form->length > 1 && (c[1] < form->lo || c[1] > form->hi))
		return false;
	for (size_t i = 2; i < form->length; i++)
		if ((c[i] & 0xc0) != 0x80)
			return false;
	return form->length != 3 || !turns_lines(c);
}

/* The bytes of the character at TEXT; 0: none that is fit to print. */
static size_t
length_at(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (is_of_form(c, &forms[i]))
			return forms[i].length;
	return 0;
}

/* Returns what follows the character at TEXT. */
static const char *
print_one(const char *text, FILE *out)
{
	size_t length = length_at(text);

	if (length == 0)
		fputc('?', out);
	else
		fwrite(text, 1, length, out);
	return text + (length ? length : 1);
}

void
prf_plain_print(const char *text, FILE *out)
{
	while (*text)
		text = print_one(text, out);
}

void
prf_plain_print_quoted(const char *text, const char *special, char escape,
		       FILE *out)
{
	fputc('"', out);
	while (*text) {
		if (strchr(special, *text))
			fputc(escape, out);
		text = print_one(text, out);
	}
	fputc('"', out);
}

void
prf_plain_print_cut(const char *text, size_t width, FILE *out)
{
	static const char dots[] = "...";
	bool cut = prf_plain_width(text) > width;
	size_t n = cut ? width - strlen(dots) : width;

	while (*text && n-- > 0)
		text = print_one(text, out);
	if (cut)
		fputs(dots, out);
}

size_t
prf_plain_width(const char *text)
{
	size_t n = 0;

	for (; *text; n++) {
		size_t length = length_at(text);

		text += length ? length : 1;
	}
	return n;
}
