#include "view/export/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "view/export/utf8.h"
#include "view/table/plain.h"

/* One thread writes, and millions of numbers: the file's lock is not taken. */

/* --- Text */

static void
put_ascii(unsigned char c, FILE *out)
{
	if (c == '"' || c == '\\')
		fprintf(out, "\\%c", c);
	else if (c < ' ' || c == '<' || c == 0x7f)
		fprintf(out, "\\u%04x", c);
	else
		putc_unlocked(c, out);
}

/* The N bytes of a character that is not ASCII.  What would steer a terminal is
 * spelled by its number: all of that has less than 4 bytes. */
static void
put_character(const char *text, size_t n, FILE *out)
{
	const unsigned char *c = (const unsigned char *)text;

	if (n < 4 && prf_plain_steers(text))
		fprintf(out, "\\u%04x",
			n == 2 ? (c[0] & 0x1fU) << 6 | (c[1] & 0x3f)
			       : (c[0] & 0xfU) << 12 | (c[1] & 0x3fU) << 6 |
					 (c[2] & 0x3f));
	else
		fwrite_unlocked(text, 1, n, out);
}

void
prf_json_string(const char *text, FILE *out)
{
	putc_unlocked('"', out);
	while (*text) {
		size_t n = prf_utf8_bytes(text);

		if (n == 1)
			put_ascii((unsigned char)*text, out);
		else if (n == 0)
			fputs_unlocked("\\ufffd", out);
		else
			put_character(text, n, out);
		text += n ? n : 1;
	}
	putc_unlocked('"', out);
}

/* --- Numbers */

enum { DIGITS_MAX = 20 }; /* of 64 bits */

/* The digits of NUMBER, at least LEAST of them, end at END; returns where they
 * begin. */
static char *
print_digits(uint64_t number, unsigned least, char *end)
{
	char *at = end;

	for (; number || least; number /= 10) {
		*--at = (char)('0' + number % 10);
		least -= least > 0;
	}
	return at;
}

static void
put_digits(uint64_t number, unsigned least, FILE *out)
{
	char digits[DIGITS_MAX], *end = digits + sizeof digits;
	const char *at = print_digits(number, least, end);

	fwrite_unlocked(at, 1, (size_t)(end - at), out);
}

/* --- What stands between them */

enum { NUMBERS_IN_LINE = 32 };

static bool
is_open(const struct prf_json *json, uint64_t which)
{
	return which >> json->depth & 1;
}

/* Members of the outermost objects have a line each, and so has each object and
 * list in a list. */
static void
begin_member(struct prf_json *json, const char *name, bool has_members)
{
	bool is_outer = is_open(json, json->objects) && json->depth <= 2;
	bool has_line = is_outer || (has_members && !name) ||
			json->in_line == NUMBERS_IN_LINE;

	if (is_open(json, json->begun)) {
		putc_unlocked(',', json->out);
		if (has_line)
			putc_unlocked('\n', json->out);
		json->in_line = has_line ? 1 : json->in_line + 1;
	}
	json->begun |= UINT64_C(1) << json->depth;
	if (name) {
		prf_json_string(name, json->out);
		putc_unlocked(':', json->out);
	}
}

static void
begin(struct prf_json *json, const char *name, bool is_object)
{
	begin_member(json, name, true);
	putc_unlocked(is_object ? '{' : '[', json->out);
	uint64_t bit = UINT64_C(1) << ++json->depth;
	json->objects = is_object ? json->objects | bit : json->objects & ~bit;
	json->begun &= ~bit;
	json->in_line = 1;
}

void
prf_json_object(struct prf_json *json, const char *name)
{
	begin(json, name, true);
}

void
prf_json_list(struct prf_json *json, const char *name)
{
	begin(json, name, false);
}

void
prf_json_end(struct prf_json *json)
{
	putc_unlocked(is_open(json, json->objects) ? '}' : ']', json->out);
	json->depth--;
	if (!json->depth)
		putc_unlocked('\n', json->out);
}

/* --- Values */

void
prf_json_text(struct prf_json *json, const char *name, const char *text)
{
	if (!text) {
		prf_json_null(json, name);
		return;
	}
	begin_member(json, name, false);
	prf_json_string(text, json->out);
}

void
prf_json_number(struct prf_json *json, const char *name, uint64_t number)
{
	begin_member(json, name, false);
	put_digits(number, 1, json->out);
}

void
prf_json_signed(struct prf_json *json, const char *name, int64_t number)
{
	begin_member(json, name, false);
	if (number < 0)
		putc_unlocked('-', json->out);
	put_digits(number < 0 ? -(uint64_t)number : (uint64_t)number, 1,
		   json->out);
}

void
prf_json_hex(struct prf_json *json, const char *name, uint64_t number)
{
	begin_member(json, name, false);
	fprintf(json->out, "\"0x%" PRIx64 "\"", number);
}

void
prf_json_decimal(struct prf_json *json, const char *name, uint64_t number,
		 unsigned digits)
{
	uint64_t unit = 1;

	for (unsigned i = 0; i < digits; i++)
		unit *= 10;
	begin_member(json, name, false);
	put_digits(number / unit, 1, json->out);
	if (number % unit == 0)
		return;
	putc_unlocked('.', json->out);
	put_digits(number % unit, digits, json->out);
}

void
prf_json_real(struct prf_json *json, const char *name, double number,
	      unsigned digits)
{
	static const double most = 0x1p64;

	for (unsigned i = 0; i < digits; i++)
		number *= 10;
	number += 0.5;
	prf_json_decimal(json, name,
			 number >= most  ? UINT64_MAX
			 : number >= 0.5 ? (uint64_t)number
					 : 0,
			 digits);
}

void
prf_json_float(struct prf_json *json, const char *name, double number)
{
	if (!isfinite(number)) {
		prf_json_null(json, name);
		return;
	}
	char text[32];
	snprintf(text, sizeof text, "%.6g", number);
	size_t whole = strspn(text, "-0123456789");
	/* The point is the locale's. */
	const char *rest = text + whole + strcspn(text + whole, "0123456789e");
	begin_member(json, name, false);
	fwrite_unlocked(text, 1, whole, json->out);
	if (rest != text + whole)
		putc_unlocked('.', json->out);
	fputs_unlocked(rest, json->out);
}

void
prf_json_bool(struct prf_json *json, const char *name, bool value)
{
	begin_member(json, name, false);
	fputs_unlocked(value ? "true" : "false", json->out);
}

void
prf_json_null(struct prf_json *json, const char *name)
{
	begin_member(json, name, false);
	fputs_unlocked("null", json->out);
}

void
prf_json_numbers(struct prf_json *json, const char *name,
		 const uint32_t *numbers, size_t n)
{
	char text[NUMBERS_IN_LINE * (DIGITS_MAX + 1)];
	char *end = text + sizeof text;

	begin_member(json, name, true);
	putc_unlocked('[', json->out);
	/* A line at a time, which is made from its end. */
	for (size_t i = 0; i < n; i += NUMBERS_IN_LINE) {
		size_t last = n - i < NUMBERS_IN_LINE ? n : i + NUMBERS_IN_LINE;
		char *at = end;

		for (size_t j = last; j-- > i;) {
			at = print_digits(numbers[j], 1, at);
			if (j > i)
				*--at = ',';
		}
		if (i)
			fputs_unlocked(",\n", json->out);
		fwrite_unlocked(at, 1, (size_t)(end - at), json->out);
	}
	putc_unlocked(']', json->out);
}

void
prf_json_number_or_null(struct prf_json *json, const char *name,
			uint64_t number, bool is_known)
{
	if (is_known)
		prf_json_number(json, name, number);
	else
		prf_json_null(json, name);
}

void
prf_json_repeat(struct prf_json *json, const char *name, size_t n,
		void (*put)(struct prf_json *json, const char *name))
{
	prf_json_list(json, name);
	for (size_t i = 0; i < n; i++)
		put(json, NULL);
	prf_json_end(json);
}
