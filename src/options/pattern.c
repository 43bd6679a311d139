#include "src/options/pattern.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/proc/rank.h"

/* Writes a value from outside so that it can be part of a file's name. */
static void
put_clean(FILE *out, const char *value)
{
	for (; *value; value++) {
		unsigned char c = (unsigned char)*value;
		fputc(c == '/' || c < 0x20 || c == 0x7f ? '_' : c, out);
	}
}

static int
put_pid(FILE *out, const struct prf_pattern_values *values,
	struct prf_error *err)
{
	if (values->is_rest) {
		fputs("rest", out);
		return 0;
	}
	if (values->pid <= 0)
		return prf_error_set(err, -EINVAL,
				     "%%p is not known before the program "
				     "runs");
	fprintf(out, "%d", (int)values->pid);
	return 0;
}

static int
put_tid(FILE *out, const struct prf_pattern_values *values,
	struct prf_error *err)
{
	if (values->is_rest) {
		fputs("rest", out);
		return 0;
	}
	if (values->tid <= 0)
		return prf_error_set(err, -EINVAL,
				     "%%t is not known before the program "
				     "runs");
	fprintf(out, "%d", (int)values->tid);
	return 0;
}

static int
put_interval(FILE *out, const struct prf_pattern_values *values,
	     struct prf_error *err)
{
	if (!values->interval)
		return prf_error_set(err, -EINVAL,
				     "%%i numbers the files of --every alone");
	fprintf(out, "%" PRIu64, values->interval);
	return 0;
}

static int
put_program(FILE *out, const struct prf_pattern_values *values,
	    struct prf_error *err)
{
	const char *slash = strrchr(values->program, '/');
	const char *base = slash ? slash + 1 : values->program;

	(void)err;
	put_clean(out, *base ? base : "_");
	return 0;
}

static int
put_host(FILE *out, const struct prf_pattern_values *values,
	 struct prf_error *err)
{
	char host[HOST_NAME_MAX + 1] = "";

	(void)values;
	if (gethostname(host, sizeof host - 1) < 0)
		return prf_error_set(err, -errno, "name of this host: %m");
	put_clean(out, host);
	return 0;
}

const char *
prf_pattern_rank(void)
{
	for (const char *const *name = prf_rank_variables; *name; name++) {
		const char *rank = getenv(*name);

		if (rank && *rank)
			return rank;
	}
	return NULL;
}

static int
put_rank(FILE *out, const struct prf_pattern_values *values,
	 struct prf_error *err)
{
	const char *rank = prf_pattern_rank();

	(void)err;
	if (!rank)
		rank = values->rank ? values->rank : "0";
	put_clean(out, rank);
	return 0;
}

static int
put_percent(FILE *out, const struct prf_pattern_values *values,
	    struct prf_error *err)
{
	(void)values;
	(void)err;
	fputc('%', out);
	return 0;
}

static const struct conversion {
	char letter;
	int (*put)(FILE *out, const struct prf_pattern_values *values,
		   struct prf_error *err);
} conversions[] = {
	{'p', put_pid},     {'t', put_tid},  {'n', put_program},
	{'h', put_host},    {'r', put_rank}, {'i', put_interval},
	{'%', put_percent},
};

static const struct conversion *
conversion_of(char letter)
{
	for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
		if (conversions[i].letter == letter)
			return &conversions[i];
	return NULL;
}

/* The length of VAR in "{VAR}", or 0 if TEXT does not begin like that. */
static size_t
variable_length(const char *text)
{
	size_t n = 0;

	if (*text++ != '{' || isdigit((unsigned char)*text))
		return 0;
	while (isalnum((unsigned char)text[n]) || text[n] == '_')
		n++;
	return text[n] == '}' ? n : 0;
}

static int
put_variable(FILE *out, const char *name, size_t length, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *variable = strndup(name, length);

	if (!variable)
		return prf_error_set(err, -ENOMEM, "out of memory");
	const char *value = getenv(variable);
	if (!value)
		return prf_error_set(err, -ENOENT,
				     "%%q{%s}: there is no such environment "
				     "variable; set it",
				     variable);
	put_clean(out, value);
	return 0;
}

/* Puts what the text behind a '%' at *AT stands for, and moves *AT past that.
 * Without OUT it is only checked. */
static int
convert(const char **at, FILE *out, const struct prf_pattern_values *values,
	struct prf_error *err)
{
	char letter = **at;
	const struct conversion *conversion = conversion_of(letter);

	if (conversion) {
		*at += 1;
		return out ? conversion->put(out, values, err) : 0;
	}
	size_t length = letter == 'q' ? variable_length(*at + 1) : 0;
	if (length) {
		const char *name = *at + 2;
		*at = name + length + 1;
		return out ? put_variable(out, name, length, err) : 0;
	}
	if (letter == 'q')
		return prf_error_set(err, -EINVAL,
				     "%%q needs the name of a variable: "
				     "%%q{VAR}");
	return prf_error_set(err, -EINVAL,
			     "unknown %%%.1s; use %%p, %%t, %%n, %%h, %%r, "
			     "%%i, %%q{VAR}, or %%%% for a per cent sign",
			     letter ? *at : "");
}

static int
expand(const char *pattern, size_t length, FILE *out,
       const struct prf_pattern_values *values, struct prf_error *err)
{
	for (const char *at = pattern; at < pattern + length;) {
		if (*at != '%') {
			if (out)
				fputc(*at, out);
			at++;
			continue;
		}
		at++;
		int rc = convert(&at, out, values, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int
expand_new(const char *pattern, size_t length,
	   const struct prf_pattern_values *values, char **result,
	   struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = expand(pattern, length, out, values, err);
	bool short_of_memory = ferror(out);
	/* The GNU C library's fclose() does not tell of what it cannot have. */
	if (fclose(out) == EOF || short_of_memory || !text)
		return prf_error_set(err, -ENOMEM, "out of memory");
	if (rc == 0)
		*result = PRF_TAKE(text);
	return rc;
}

/* Where the name begins: after the last '/'. */
static const char *
name_of(const char *pattern)
{
	const char *slash = strrchr(pattern, '/');

	return slash ? slash + 1 : pattern;
}

static bool
has(const char *pattern, size_t length, char letter)
{
	for (const char *at = pattern; at + 1 < pattern + length; at++)
		if (*at == '%' && *++at == letter)
			return true;
	return false;
}

bool
prf_pattern_has(const char *pattern, char letter)
{
	return has(pattern, strlen(pattern), letter);
}

int
prf_pattern_check(const char *pattern, struct prf_error *err)
{
	const char *name = name_of(pattern);

	if (!*name)
		return prf_error_set(err, -EINVAL,
				     "the name of a file is missing");
	int rc = expand(pattern, strlen(pattern), NULL, NULL, err);
	if (rc < 0)
		return rc;
	size_t directory = (size_t)(name - pattern);
	if (has(pattern, directory, 'p') || has(pattern, directory, 't') ||
	    has(pattern, directory, 'i'))
		return prf_error_set(
			err, -EINVAL,
			"%%p, %%t and %%i cannot be in the directory, which "
			"must exist before the program runs");
	return 0;
}

int
prf_pattern_directory(const char *pattern,
		      const struct prf_pattern_values *values, char **directory,
		      struct prf_error *err)
{
	size_t length = (size_t)(name_of(pattern) - pattern);

	if (!length)
		return expand_new(".", 1, values, directory, err);
	/* Without its last '/', unless that is the whole of it. */
	return expand_new(pattern, length > 1 ? length - 1 : 1, values,
			  directory, err);
}

int
prf_pattern_name(const char *pattern, const struct prf_pattern_values *values,
		 char **name, struct prf_error *err)
{
	const char *part = name_of(pattern);

	return expand_new(part, strlen(part), values, name, err);
}
