#include "view/gmon/gmon_word.h"

#include <stdlib.h>

void
prf_gmon_word_write(const char *text, size_t max, FILE *out)
{
	for (size_t i = 0; i < max && text[i]; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c <= ' ' || c >= 0x7f || c == '%')
			fprintf(out, "%%%02x", c);
		else
			fputc(c, out);
	}
}

static int
digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte that "%xx" at WORD, of N bytes, stands for; 0: it stands for none. */
static char
encoded_byte(const char *word, size_t n)
{
	if (n < 3 || *word != '%')
		return '\0';
	int high = digit_of(word[1]), low = digit_of(word[2]);
	return high < 0 || low < 0 ? '\0' : (char)(high * 16 + low);
}

char *
prf_gmon_word_decode(const char *word, size_t n)
{
	char *text = malloc(n + 1), *to = text;

	for (size_t i = 0; text && i < n;) {
		char byte = encoded_byte(word + i, n - i);

		*to++ = byte ? byte : word[i];
		i += byte ? 3 : 1;
	}
	if (text)
		*to = '\0';
	return text;
}
