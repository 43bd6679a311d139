#include "view/export/json.h"

#include "view/export/utf8.h"

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
	putc('"', out);
	while (*text) {
		size_t n = prf_utf8_bytes(text);

		if (n == 1)
			put_ascii((unsigned char)*text, out);
		else if (n == 0)
			fputs("\\ufffd", out);
		else
			fwrite(text, 1, n, out);
		text += n ? n : 1;
	}
	putc('"', out);
}
