#include "src/commands/row_filter.h"

#include <errno.h>
#include <stdlib.h>

static int
compile(regex_t *regex, bool *has, const char *word, struct prf_error *err)
{
	char why[100];

	if (*has)
		regfree(regex);
	int code = regcomp(regex, word, REG_EXTENDED | REG_NOSUB);
	*has = code == 0;
	if (!code)
		return 0;
	regerror(code, regex, why, sizeof why);
	return prf_error_set(err, -EINVAL, "%s: is no regular expression: %s",
			     word, why);
}

int
prf_row_filter_focus(struct prf_row_filter *filter, const char *word,
		     struct prf_error *err)
{
	return compile(&filter->focus, &filter->has_focus, word, err);
}

int
prf_row_filter_ignore(struct prf_row_filter *filter, const char *word,
		      struct prf_error *err)
{
	return compile(&filter->ignore, &filter->has_ignore, word, err);
}

void
prf_row_filter_clear(struct prf_row_filter *filter)
{
	if (filter->has_focus)
		regfree(&filter->focus);
	if (filter->has_ignore)
		regfree(&filter->ignore);
	*filter = (struct prf_row_filter){0};
}

static bool
matches(const regex_t *regex, const struct prf_row *row)
{
	return !regexec(regex, row->name, 0, NULL, 0) ||
	       !regexec(regex, row->binary, 0, NULL, 0);
}

static void
drop(struct prf_row *row)
{
	free(row->name);
	free(row->binary);
}

void
prf_row_filter_match(const struct prf_row_filter *filter, struct prf_rows *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->n; i++) {
		struct prf_row *row = &rows->rows[i];

		if ((!filter->has_focus || matches(&filter->focus, row)) &&
		    !(filter->has_ignore && matches(&filter->ignore, row)))
			rows->rows[kept++] = *row;
		else
			drop(row);
	}
	rows->n = kept;
}

size_t
prf_row_filter_cut(const struct prf_row_filter *filter, struct prf_rows *rows)
{
	size_t n_more = 0;

	while (filter->max && rows->n > filter->max) {
		drop(&rows->rows[--rows->n]);
		n_more++;
	}
	return n_more;
}
