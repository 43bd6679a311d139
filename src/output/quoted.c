#include "src/output/quoted.h"

#include <string.h>

#include "view/table/plain.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
			      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			      "%+,-./:=@_";

static void
print_in_apostrophes(const char *word, FILE *out)
{
	fputc('\'', out);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	fputc('\'', out);
}

/* What could steer a terminal, in octal numbers, which no digit behind them
 * can lengthen. */
static void
print_escaped(const char *word, FILE *out)
{
	fputs("$'", out);
	for (; *word; word++)
		if (strchr(letters, *word))
			fputc(*word, out);
		else
			fprintf(out, "\\%03o", (unsigned char)*word);
	fputc('\'', out);
}

void
prf_quoted_print(const char *word, FILE *out)
{
	if (*word && !word[strspn(word, letters)])
		fputs(word, out);
	else if (prf_plain_is_same(word))
		print_in_apostrophes(word, out);
	else
		print_escaped(word, out);
}
