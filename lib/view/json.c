#include "view/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the first byte of a character says: how many bytes follow, its own bits,
 * the least code that needs as many bytes. */
static const struct {
	uint8_t mask, lead, n_more;
	uint32_t least;
} forms[] = {
	{0xe0, 0xc0, 1, 0x80},
	{0xf0, 0xe0, 2, 0x800},
	{0xf8, 0xf0, 3, 0x10000},
};

static bool
is_character(uint32_t code)
{
	return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/* The bytes of the character of more than one byte at AT; 0: there is none. */
static size_t
character_bytes(const unsigned char *at)
{
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		uint32_t code = at[0] & (uint8_t)~forms[i].mask;
		size_t n = 1;

		if ((at[0] & forms[i].mask) != forms[i].lead)
			continue;
		/* A NUL ends this, too. */
		for (; n <= forms[i].n_more && (at[n] & 0xc0) == 0x80; n++)
			code = code << 6 | (at[n] & 0x3f);
		return n > forms[i].n_more && code >= forms[i].least &&
				       is_character(code)
			       ? n
			       : 0;
	}
	return 0;
}

static void
put_ascii(unsigned char c, FILE *out)
{
	if (c == '"' || c == '\\')
		fprintf(out, "\\%c", c);
	else if (c < ' ' || c == '<' || c == 0x7f)
		fprintf(out, "\\u%04x", c);
	else
		putc(c, out);
}

void
prf_json_string(const char *text, FILE *out)
{
	const unsigned char *at = (const unsigned char *)text;

	putc('"', out);
	while (*at) {
		size_t n = *at < 0x80 ? 1 : character_bytes(at);

		if (*at < 0x80)
			put_ascii(*at, out);
		else if (n == 0)
			fputs("\\ufffd", out);
		else
			fwrite(at, 1, n, out);
		at += n ? n : 1;
	}
	putc('"', out);
}
