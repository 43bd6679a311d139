#include "src/commands/function_search.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/table/distinct_names.h"
#include "view/table/plain.h"

enum { OTHERS_MAX = 4 };

/* HOW: each of them matches.  -ENOMEM. */
static int
find_best(const struct prf_functions *functions, bool inlined,
	  const char *wanted, unsigned char *how,
	  struct prf_found_function *found)
{
	for (size_t i = 0; i < functions->n; i++) {
		int rc = prf_function_called(functions->all[i].name, inlined,
					     wanted);

		if (rc < 0)
			return rc;
		how[i] = (unsigned char)rc;
		if (rc > (int)found->how)
			found->how = (enum prf_found_how)rc;
	}
	return 0;
}

static void
count_found(const struct prf_functions *functions, const unsigned char *how,
	    struct prf_found_function *found)
{
	found->n = 0;
	for (size_t i = functions->n; i-- > 0;)
		if (found->how && how[i] == found->how) {
			found->function = &functions->all[i];
			found->n++;
		}
}

/* Code that is in no file, as the kernel's is, cannot be shown: it is meant if
 * nothing else is called so. */
static void
leave_out_fileless(const struct prf_functions *functions, unsigned char *how,
		   enum prf_found_how best)
{
	bool has_file = false;

	for (size_t i = 0; i < functions->n; i++)
		has_file |= how[i] == best &&
			    functions->all[i].binary->kind == PRF_BINARY_FILE;
	for (size_t i = 0; has_file && i < functions->n; i++)
		if (functions->all[i].binary->kind != PRF_BINARY_FILE)
			how[i] = PRF_FOUND_NOTHING;
}

/* The one that is shown as WANTED, if there is just one, is meant. */
static int
choose_shown(const struct prf_functions *functions, const unsigned char *how,
	     const char *wanted, const bool *is_it,
	     struct prf_found_function *found)
{
	size_t number = 0;

	for (size_t i = 0; i < functions->n; i++)
		if (how[i] == found->how && is_it[number++])
			found->function = &functions->all[i];
	found->n = 1;
	found->shown = strdup(wanted);
	return found->shown ? 0 : -ENOMEM;
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
	   bool inlined, const char *wanted, const struct prf_style *style,
	   struct prf_found_function *found)
{
	size_t n_names = found->n;
	struct prf_distinct_name *names = calloc(n_names + 1, sizeof *names);
	PRF_AUTO(prf_auto_free)
	bool *is_it = calloc(n_names + 1, sizeof *is_it);
	ptrdiff_t rc = names && is_it ? 0 : -ENOMEM;

	for (size_t i = 0, n = 0; rc == 0 && i < functions->n; i++)
		if (how[i] == found->how)
			rc = prf_distinct_name_begin(
				&names[n++], functions->all[i].name, inlined,
				functions->all[i].binary->name, style);
	if (rc == 0)
		rc = prf_function_called_shown(names, n_names, wanted, style,
					       is_it);
	/* It alone is called so. */
	if (rc == 0 && n_names == 1 &&
	    prf_distinct_names_match(wanted, names[0].whole, names[0].shown)) {
		is_it[0] = true;
		rc = 1;
	}
	if (rc == 1)
		rc = choose_shown(functions, how, wanted, is_it, found);
	else if (rc >= 0)
		rc = take_names(found, names);
	prf_distinct_names_free(names, n_names);
	return rc ? -ENOMEM : 0;
}

int
prf_function_search(struct prf_functions *functions, bool inlined,
		    const char *wanted, const struct prf_style *style,
		    struct prf_found_function *found)
{
	PRF_AUTO(prf_auto_free)
	unsigned char *how = calloc(functions->n + 1, sizeof *how);
	int rc = how ? 0 : -ENOMEM;

	*found = (struct prf_found_function){0};
	prf_functions_unite(functions);
	prf_functions_sort(functions);
	if (rc == 0)
		rc = find_best(functions, inlined, wanted, how, found);
	if (rc)
		return rc;
	leave_out_fileless(functions, how, found->how);
	count_found(functions, how, found);
	return found->n ? name_found(functions, how, inlined, wanted, style,
				     found)
			: 0;
}

void
prf_found_function_clear(struct prf_found_function *found)
{
	free(found->shown);
	free(found->others);
	*found = (struct prf_found_function){0};
}
