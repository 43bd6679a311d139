#include "view/table/plain.h"

#include <langinfo.h>
#include <stdbool.h>
#include <string.h>
#include <wchar.h>

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

/* They break and turn lines: U+2028 to U+202E, U+2066 to U+2069, and the marks
 * U+200E, U+200F and U+061C.  C is a whole character. */
static bool
turns_lines(const unsigned char *c)
{
	if (c[0] == 0xd8)
		return c[1] == 0x9c;
	return c[0] == 0xe2 &&
	       ((c[1] == 0x80 && (c[2] == 0x8e || c[2] == 0x8f)) ||
		(c[1] == 0x80 && c[2] >= 0xa8 && c[2] <= 0xae) ||
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
	return !turns_lines(c);
}

/* The bytes of the character of UTF-8 at TEXT; 0: none that is fit to print. */
static size_t
length_at(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (is_of_form(c, &forms[i]))
			return forms[i].length;
	return 0;
}

bool
prf_plain_steers(const char *text)
{
	return *text && length_at(text) == 0;
}

static bool
locale_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool
prf_plain_is_same(const char *text)
{
	bool utf8 = locale_is_utf8();
	size_t length = 1;

	for (; *text && length; text += length) {
		length = length_at(text);
		if (length > 1 && !utf8)
			length = 0;
	}
	return length;
}

/* The bytes of ASCII that TEXT begins with: each is printed as it is, and fills one
 * column.  Most names are nothing else. */
static size_t
ascii_at(const char *text)
{
	size_t n = 0;

	while (text[n] >= 0x20 && text[n] <= 0x7e)
		n++;
	return n;
}

/* How many columns of a terminal print_one() fills with the character at TEXT:
 * one with what it puts in its place, and with what the locale does not know. */
static size_t
columns_at(const char *text, bool utf8)
{
	mbstate_t state = {0};
	size_t length = length_at(text);
	wchar_t wide;

	if (length < 2 || !utf8 ||
	    mbrtowc(&wide, text, length, &state) != length)
		return 1;
	int n = wcwidth(wide);
	return n < 0 ? 1 : (size_t)n;
}

static const char *
next_of(const char *text)
{
	size_t length = length_at(text);

	return text + (length ? length : 1);
}

/* Returns what follows the character at TEXT. */
static const char *
print_one(const char *text, bool utf8, FILE *out)
{
	size_t length = length_at(text);

	if (length == 0 || (length > 1 && !utf8))
		fputc('?', out);
	else
		fwrite(text, 1, length, out);
	return next_of(text);
}

void
prf_plain_print_bytes(const char *text, size_t n_bytes, FILE *out)
{
	const char *end = text + n_bytes;

	while (text < end) {
		size_t n = ascii_at(text), rest = (size_t)(end - text);

		if (n > rest)
			n = rest;
		fwrite(text, 1, n, out);
		text += n;
		if (n < rest)
			text = print_one(text, locale_is_utf8(), out);
	}
}

void
prf_plain_print(const char *text, FILE *out)
{
	prf_plain_print_bytes(text, strlen(text), out);
}

void
prf_plain_print_utf8(const char *text, FILE *out)
{
	while (*text)
		text = print_one(text, true, out);
}

void
prf_plain_print_quoted(const char *text, const char *special, char escape,
		       FILE *out)
{
	fputc('"', out);
	while (*text) {
		if (strchr(special, *text))
			fputc(escape, out);
		text = print_one(text, true, out);
	}
	fputc('"', out);
}

enum { N_DOTS = 3 };

/* The bytes of TEXT that fill at most *N columns, which becomes how many. */
static size_t
fitting(const char *text, size_t *n)
{
	bool utf8 = locale_is_utf8();
	size_t used = 0, columns;
	const char *end = text;

	for (; *end && used + (columns = columns_at(end, utf8)) <= *n;
	     end = next_of(end))
		used += columns;
	*n = used;
	return (size_t)(end - text);
}

/* What of TEXT, which fills N columns, is behind at most MOST of them; *MOST
 * becomes how many it fills. */
static const char *
end_of(const char *text, size_t n, size_t *most)
{
	bool utf8 = locale_is_utf8();

	for (; *text; text = next_of(text)) {
		size_t columns = columns_at(text, utf8);

		/* What has no column belongs to what is before it. */
		if (n <= *most && columns)
			break;
		n -= columns;
	}
	*most = n;
	return text;
}

/* WIDTH columns, BEHIND of which are the last of TEXT; there is one dot more where
 * a wide character is too wide by half. */
static void
print_cut(const char *text, size_t width, size_t behind, FILE *out)
{
	size_t n = prf_plain_width(text);

	if (n <= width) {
		prf_plain_print(text, out);
		return;
	}
	const char *end = end_of(text, n, &behind);
	size_t before = width - N_DOTS - behind;
	size_t n_bytes = fitting(text, &before);
	prf_plain_print_bytes(text, n_bytes, out);
	for (size_t i = before + behind; i < width; i++)
		fputc('.', out);
	prf_plain_print(end, out);
}

void
prf_plain_print_cut(const char *text, size_t width, FILE *out)
{
	print_cut(text, width, 0, out);
}

void
prf_plain_print_middle_cut(const char *text, size_t width, FILE *out)
{
	print_cut(text, width, (width - N_DOTS) * 2 / 3, out);
}

size_t
prf_plain_width(const char *text)
{
	size_t n = ascii_at(text);

	if (!text[n])
		return n;
	bool utf8 = locale_is_utf8();
	for (text += n; *text; text = next_of(text))
		n += columns_at(text, utf8);
	return n;
}

size_t
prf_plain_bytes(const char *text, size_t n)
{
	return fitting(text, &n);
}
