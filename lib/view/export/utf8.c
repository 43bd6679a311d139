#include "view/export/utf8.h"

#include <stdlib.h>
#include <string.h>

/* What the first byte of a character says of it. */
static const struct {
	unsigned char lo, hi;               /* the first byte */
	unsigned char second_lo, second_hi; /* 0: there is none */
	size_t n;
} forms[] = {
	{0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2},
	{0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
	{0xed, 0xed, 0x80, 0x9f, 3}, /* no surrogates */
	{0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
	{0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

size_t
prf_utf8_bytes(const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;
	size_t form = 0, n_forms = sizeof forms / sizeof *forms;

	while (form < n_forms &&
	       (bytes[0] < forms[form].lo || bytes[0] > forms[form].hi))
		form++;
	if (form == n_forms)
		return 0;
	if (forms[form].n > 1 && (bytes[1] < forms[form].second_lo ||
				  bytes[1] > forms[form].second_hi))
		return 0;
	for (size_t i = 2; i < forms[form].n; i++)
		if (bytes[i] < 0x80 || bytes[i] > 0xbf)
			return 0;
	return forms[form].n;
}

char *
prf_utf8_mended(const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd";
	size_t most = sizeof replacement - 1;
	char *mended = malloc(most * strlen(text) + 1), *end = mended;

	if (!mended)
		return NULL;
	while (*text) {
		size_t n = prf_utf8_bytes(text);

		end = mempcpy(end, n ? text : replacement, n ? n : most);
		text += n ? n : 1;
	}
	*end = '\0';
	return mended;
}
