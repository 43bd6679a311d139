#include "src/commands/function_search.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/table/distinct_names.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"

enum { OTHERS_MAX = 4 };

/* How well NAME, mangled, is the one that is wanted.  -ENOMEM. */
static int
match(const char *name, const char *wanted)
{
	static const struct prf_style whole = {.full_names = true}, brief = {0};
	PRF_AUTO(prf_auto_free)
	char *full = prf_name_columns_name(name, &whole);
	PRF_AUTO(prf_auto_free)
	char *brief_name = prf_name_columns_name(name, &brief);

	if (!full || !brief_name)
		return -ENOMEM;
	if (!strcmp(name, wanted) || !strcmp(full, wanted) ||
	    !strcmp(brief_name, wanted) ||
	    prf_distinct_names_match(wanted, full, brief_name))
		return PRF_FOUND_NAME;
	return strstr(brief_name, wanted) ? PRF_FOUND_PART : PRF_FOUND_NOTHING;
}

/* HOW: each of them matches. */
static int
find_best(const struct prf_functions *functions, const char *wanted,
	  unsigned char *how, struct prf_found_function *found)
{
	for (size_t i = 0; i < functions->n; i++) {
		int rc = match(functions->all[i].name, wanted);

		if (rc < 0)
			return rc;
		how[i] = (unsigned char)rc;
		if (rc > (int)found->how)
			*found = (struct prf_found_function){
				.how = (enum prf_found_how)rc,
				.function = &functions->all[i],
			};
		found->n += rc > PRF_FOUND_NOTHING && rc == (int)found->how;
	}
	return 0;
}

/* The one that is shown as WANTED, if there is just one, is meant. */
static void
choose_shown(const struct prf_functions *functions, const unsigned char *how,
	     const char *wanted, struct prf_distinct_name *names,
	     struct prf_found_function *found)
{
	size_t n = 0, at = 0, number = 0;

	for (size_t i = 0; i < functions->n; i++) {
		if (how[i] != found->how)
			continue;
		if (strcmp(names[number].shown, wanted) == 0) {
			at = i;
			n++;
		}
		number++;
	}
	if (n != 1)
		return;
	found->function = &functions->all[at];
	found->shown = strdup(wanted);
	found->n = 1;
}

/* The names of the others, and that of what was found. */
static int
take_names(struct prf_found_function *found, struct prf_distinct_name *names)
{
	size_t size;
	FILE *out = open_memstream(&found->others, &size);

	if (!out)
		return -ENOMEM;
	for (size_t i = 1; i < found->n && i <= OTHERS_MAX; i++) {
		fputs(i > 1 ? ", " : "", out);
		prf_plain_print(names[i].shown, out);
		/* The same name, in another binary. */
		if (strcmp(names[i].shown, names[0].shown) == 0) {
			fputs(" in ", out);
			prf_plain_print(names[i].binary, out);
		}
	}
	if (found->n > OTHERS_MAX + 1)
		fprintf(out, " and %zu more", found->n - OTHERS_MAX - 1);
	found->shown = PRF_TAKE(names[0].shown);
	return fclose(out) == 0 ? 0 : -ENOMEM;
}

static int
name_found(const struct prf_functions *functions, const unsigned char *how,
	   const char *wanted, const struct prf_style *style,
	   struct prf_found_function *found)
{
	size_t n_names = found->n;
	struct prf_distinct_name *names = calloc(n_names + 1, sizeof *names);
	int rc = names ? 0 : -ENOMEM;

	for (size_t i = 0, n = 0; rc == 0 && i < functions->n; i++)
		if (how[i] == found->how)
			rc = prf_distinct_name_begin(
				&names[n++], functions->all[i].name,
				functions->all[i].binary->name, style);
	if (rc == 0)
		rc = prf_distinct_names_make(names, n_names, style);
	if (rc == 0)
		choose_shown(functions, how, wanted, names, found);
	if (rc == 0 && !found->shown)
		rc = take_names(found, names);
	/* It alone is called so. */
	if (rc == 0 && n_names == 1 &&
	    prf_distinct_names_match(wanted, names[0].whole, found->shown)) {
		free(found->shown);
		found->shown = strdup(wanted);
		rc = found->shown ? 0 : -ENOMEM;
	}
	prf_distinct_names_free(names, n_names);
	return rc;
}

int
prf_function_search(struct prf_functions *functions, const char *wanted,
		    const struct prf_style *style,
		    struct prf_found_function *found)
{
	PRF_AUTO(prf_auto_free)
	unsigned char *how = calloc(functions->n + 1, sizeof *how);
	int rc = how ? 0 : -ENOMEM;

	*found = (struct prf_found_function){0};
	prf_functions_sort(functions);
	if (rc == 0)
		rc = find_best(functions, wanted, how, found);
	return rc == 0 && found->n
		       ? name_found(functions, how, wanted, style, found)
		       : rc;
}

void
prf_found_function_clear(struct prf_found_function *found)
{
	free(found->shown);
	free(found->others);
	*found = (struct prf_found_function){0};
}
