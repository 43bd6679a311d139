#include "view/gmon/symsfile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon.h"
#include "core/scope.h"
#include "view/gmon/gmon_word.h"

PRF_DEFINE_AUTO(prf_syms, prf_syms_free);

enum {
	ADDRESS_DIGITS = 16,
	MAX_BUILD_ID_DIGITS = 128,
	/* A path of 4096 bytes, each as %xx, and numbers before it. */
	MAX_LINE_BYTES = 16382,
	MAX_LINES = 1 << 24,
};

static const char first_lines[][16] = {"# gmon.syms 1", "# gmon.syms 2"};

/* Where the reader is.  A line is a string: its newline has become NUL. */
struct reader {
	struct prf_syms *syms;
	char *next, *end;
	unsigned long line; /* its number */
	bool ended;         /* "[end]" was there */
};

void
prf_syms_free(struct prf_syms *syms)
{
	if (!syms)
		return;
	free(syms->objects);
	free(syms->symbols);
	free(syms->text);
	free(syms);
}

static int
complain(const struct reader *reader, const char *what, struct prf_error *err)
{
	return prf_error_set(err, -EBADMSG, "line %lu: %s", reader->line, what);
}

/* --- Words */

static int
digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The number at *AT, which moves behind it. */
static bool
take_number(char **at, uint64_t *number)
{
	char *digit = *at;

	for (*number = 0; digit_of(*digit) >= 0; digit++)
		*number = *number << 4 | (uint64_t)digit_of(*digit);
	size_t n_digits = (size_t)(digit - *at);
	*at = digit;
	return n_digits > 0 && n_digits <= ADDRESS_DIGITS;
}

/* TEXT, which must be at *AT. */
static bool
take_text(char **at, const char *text)
{
	size_t n = strlen(text);

	if (strncmp(*at, text, n) != 0)
		return false;
	*at += n;
	return true;
}

/* A word of printing characters of ASCII; *AT becomes what follows its end,
 * which becomes NUL. */
static const char *
take_word(char **at)
{
	char *word = *at, *end = word;

	while (*end > ' ' && *end < 0x7f)
		end++;
	if (end == word || (*end && *end != ' '))
		return NULL;
	*at = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

static bool
is_build_id(const char *word)
{
	size_t n = 0;

	while (digit_of(word[n]) >= 0)
		n++;
	return strcmp(word, "-") == 0 ||
	       (n && n % 2 == 0 && n <= MAX_BUILD_ID_DIGITS && !word[n]);
}

/* --- Lines */

static uint64_t
block_of(uint64_t addr)
{
	return addr / PRF_GMON_BLOCK_BYTES;
}

/* What was added to addresses moves whole blocks, so that those of two files
 * can be added. */
static int
check_object(const struct reader *reader, const struct prf_syms_object *object,
	     struct prf_error *err)
{
	const struct prf_syms *syms = reader->syms;

	if (object->lo >= object->hi)
		return complain(reader, "an object without a place", err);
	if (object->shift % PRF_GMON_BLOCK_BYTES)
		return complain(reader, "a shift of no whole blocks", err);
	/* Its end is an address, too. */
	if (object->hi - object->shift <= object->lo - object->shift)
		return complain(reader, "an object beyond all addresses", err);
	if (syms->n_objects &&
	    (object->lo < object[-1].hi ||
	     block_of(object->lo) <= block_of(object[-1].hi - 1)))
		return complain(reader, "an object in the place of another",
				err);
	return 0;
}

/* What is behind the path at *AT: the ticks of an object that was executed, or
 * nothing. */
static bool
take_program(const struct reader *reader, struct prf_syms_object *object,
	     char **at)
{
	if (reader->syms->version == 1)
		object->is_program = !reader->syms->n_objects && !object->shift;
	else if (**at)
		object->is_program = take_number(at, &object->program_ticks);
	return !**at;
}

static int
read_object(struct reader *reader, char *at, struct prf_error *err)
{
	struct prf_syms *syms = reader->syms;
	struct prf_syms_object *object = &syms->objects[syms->n_objects];

	if (syms->n_symbols)
		return complain(reader, "an object behind symbols", err);
	if (!take_number(&at, &object->lo) || !take_text(&at, " ") ||
	    !take_number(&at, &object->hi) || !take_text(&at, " ") ||
	    !take_number(&at, &object->shift) || !take_text(&at, " ") ||
	    !(object->build_id = take_word(&at)) ||
	    !is_build_id(object->build_id) ||
	    !(object->path = take_word(&at)) ||
	    !take_program(reader, object, &at))
		return complain(reader, "no object as gmon.syms(5) has it",
				err);
	int rc = check_object(reader, object, err);
	syms->n_objects += rc == 0;
	return rc;
}

/* Names are ASCII or not; blanks and control characters they have none. */
static bool
is_name(const char *name)
{
	for (const char *c = name; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			return false;
	return *name;
}

static int
read_end(struct reader *reader, uint64_t addr, struct prf_error *err)
{
	const struct prf_syms *syms = reader->syms;

	if (syms->n_objects && addr != syms->objects[syms->n_objects - 1].hi)
		return complain(reader, "the end is not the last object's",
				err);
	reader->ended = true;
	return 0;
}

static int
read_symbol(struct reader *reader, char *at, struct prf_error *err)
{
	struct prf_syms *syms = reader->syms;
	struct prf_syms_symbol *symbol = &syms->symbols[syms->n_symbols];
	const char *begin = at;

	if (!take_number(&at, &symbol->addr) || at - begin != ADDRESS_DIGITS ||
	    !take_text(&at, " T ") || !is_name(at))
		return complain(reader, "no symbol as gmon.syms(5) has it",
				err);
	symbol->name = at;
	if (strcmp(at, "[end]") == 0)
		return read_end(reader, symbol->addr, err);
	symbol->object = 0;
	if (syms->n_symbols) {
		symbol->object = symbol[-1].object;
		if (symbol->addr <= symbol[-1].addr)
			return complain(reader,
					"not above the symbol before it", err);
	}
	while (symbol->object < syms->n_objects &&
	       symbol->addr >= syms->objects[symbol->object].hi)
		symbol->object++;
	if (symbol->object == syms->n_objects ||
	    symbol->addr < syms->objects[symbol->object].lo)
		return complain(reader, "a symbol that is in no object", err);
	syms->n_symbols++;
	return 0;
}

/* NULL: there is none, or it has no end, or a far one. */
static char *
next_line(struct reader *reader)
{
	char *line = reader->next;
	char *end = memchr(line, '\n', (size_t)(reader->end - line));

	reader->line++;
	if (!end || end - line > MAX_LINE_BYTES)
		return NULL;
	*end = '\0';
	reader->next = end + 1;
	/* A NUL in it would hide what is behind it. */
	return strlen(line) == (size_t)(end - line) ? line : NULL;
}

/* Lines of other kinds that begin with '#' are for people, or for others. */
static int
read_line(struct reader *reader, char *line, struct prf_error *err)
{
	char *at = line;

	if (take_text(&at, "# object "))
		return read_object(reader, at, err);
	return *line == '#' ? 0 : read_symbol(reader, line, err);
}

static int
read_lines(struct reader *reader, struct prf_error *err)
{
	char *line = next_line(reader);
	int rc = 0;

	reader->syms->version = !line                           ? 0
				: !strcmp(line, first_lines[0]) ? 1
				: !strcmp(line, first_lines[1]) ? 2
								: 0;
	if (!reader->syms->version)
		return complain(reader, "not \"# gmon.syms 2\"", err);
	while (!rc && reader->next < reader->end) {
		line = next_line(reader);
		if (!line)
			return complain(reader, "no whole line of text", err);
		if (reader->ended)
			return complain(reader, "something behind [end]", err);
		rc = read_line(reader, line, err);
	}
	if (!rc && !reader->ended)
		return complain(reader, "cut: the last line is not [end]", err);
	return rc;
}

/* --- All of it */

/* Room for what TEXT may hold; TEXT, free()d with it, is of N_BYTES. */
static struct prf_syms *
new_syms(char *text, size_t n_bytes, size_t n_lines)
{
	PRF_AUTO(prf_syms_auto) struct prf_syms *syms = calloc(1, sizeof *syms);

	if (!syms) {
		free(text);
		return NULL;
	}
	syms->text = text;
	text[n_bytes] = '\0';
	syms->symbols = calloc(n_lines, sizeof *syms->symbols);
	syms->objects = calloc(n_lines, sizeof *syms->objects);
	return syms->symbols && syms->objects ? PRF_TAKE(syms) : NULL;
}

/* TEXT has room for one byte more, and is free()d in any case. */
static int
parse_own(char *text, size_t n_bytes, struct prf_syms **out,
	  struct prf_error *err)
{
	size_t n_lines = 0;

	for (size_t i = 0; i < n_bytes; i++)
		n_lines += text[i] == '\n';
	if (n_lines > MAX_LINES) {
		free(text);
		return prf_error_set(err, -EFBIG, "more than %d lines",
				     MAX_LINES);
	}
	PRF_AUTO(prf_syms_auto)
	struct prf_syms *syms = new_syms(text, n_bytes, n_lines + 1);
	if (!syms)
		return prf_error_set(err, -ENOMEM, "out of memory");
	struct reader reader = {
		.syms = syms,
		.next = syms->text,
		.end = syms->text + n_bytes,
	};
	int rc = read_lines(&reader, err);
	if (!rc)
		*out = PRF_TAKE(syms);
	return rc;
}

int
prf_syms_parse(const char *text, size_t n_bytes, struct prf_syms **out,
	       struct prf_error *err)
{
	char *copy = malloc(n_bytes + 1);

	if (!copy)
		return prf_error_set(err, -ENOMEM, "out of memory");
	memcpy(copy, text, n_bytes);
	return parse_own(copy, n_bytes, out, err);
}

/* --- What it says */

const struct prf_syms_symbol *
prf_syms_at(const struct prf_syms *syms, uint64_t addr)
{
	size_t lo = 0, hi = syms->n_symbols;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (syms->symbols[middle].addr <= addr)
			lo = middle + 1;
		else
			hi = middle;
	}
	if (!lo)
		return NULL;
	const struct prf_syms_symbol *symbol = &syms->symbols[lo - 1];
	return addr < syms->objects[symbol->object].hi ? symbol : NULL;
}

char *
prf_syms_decode_path(const struct prf_syms_object *object)
{
	return prf_gmon_word_decode(object->path, strlen(object->path));
}
