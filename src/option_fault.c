#include "option_fault.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define SEE "; --help lists the options"

static bool
is_end(const struct argp_option *option)
{
	return !option->name && !option->key && !option->doc && !option->group;
}

static const struct argp_option *
by_letter(const struct argp_option *table, char letter)
{
	for (const struct argp_option *o = table; !is_end(o); o++)
		if (o->key == letter && letter)
			return o;
	return NULL;
}

/* The option whose name begins with the LENGTH bytes of NAME, *N of them. */
static const struct argp_option *
by_name(const struct argp_option *table, const char *name, size_t length,
	int *n)
{
	const struct argp_option *found = NULL;

	*n = 0;
	for (const struct argp_option *o = table; !is_end(o); o++) {
		if (!o->name || strncmp(o->name, name, length) != 0)
			continue;
		found = o;
		if (!o->name[length]) {
			*n = 1;
			break;
		}
		++*n;
	}
	return found;
}

/* These return how many words the option takes, 1 or 2, or -EINVAL. */
static int
check_long(const struct argp_option *table, const char *word, bool is_last,
	   struct prf_error *err)
{
	size_t length = strcspn(word, "=");
	bool has_value = word[length] == '=';
	int n;
	const struct argp_option *option =
		by_name(table, word + 2, length - 2, &n);

	if (n == 0)
		return prf_error_set(err, -EINVAL, "%.*s: unknown option" SEE,
				     (int)length, word);
	if (n > 1)
		return prf_error_set(err, -EINVAL,
				     "%.*s: could be several options" SEE,
				     (int)length, word);
	if (!option->arg && has_value)
		return prf_error_set(err, -EINVAL, "--%s: takes no value" SEE,
				     option->name);
	if (option->arg && !has_value && is_last)
		return prf_error_set(err, -EINVAL,
				     "--%s: needs a value, --%s=%s" SEE,
				     option->name, option->name, option->arg);
	return option->arg && !has_value ? 2 : 1;
}

static int
check_letters(const struct argp_option *table, const char *word, bool is_last,
	      struct prf_error *err)
{
	for (const char *letter = word + 1; *letter; letter++) {
		const struct argp_option *option = by_letter(table, *letter);
		if (!option)
			return prf_error_set(err, -EINVAL,
					     "-%c: unknown option" SEE,
					     *letter);
		if (!option->arg)
			continue;
		if (letter[1])
			return 1;
		if (!is_last)
			return 2;
		return prf_error_set(err, -EINVAL,
				     "-%c: needs a value, -%c %s" SEE, *letter,
				     *letter, option->arg);
	}
	return 1;
}

int
prf_option_fault(const struct argp_option *table, int argc, char **argv,
		 struct prf_error *err)
{
	for (int i = 1; i < argc;) {
		const char *word = argv[i];
		bool is_last = i + 1 == argc;
		if (strcmp(word, "--") == 0)
			break;
		if (word[0] != '-' || !word[1]) {
			i++;
			continue;
		}
		int n = word[1] == '-'
				? check_long(table, word, is_last, err)
				: check_letters(table, word, is_last, err);
		if (n < 0)
			return n;
		i += n;
	}
	return prf_error_set(err, -EINVAL, "bad command line" SEE);
}
