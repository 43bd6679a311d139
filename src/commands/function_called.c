#include "src/commands/function_called.h"

#include <errno.h>
#include <string.h>

#include "view/table/name_columns.h"

static int
how_called(const char *name, const struct prf_distinct_name *brief,
	   const char *wanted)
{
	if (!strcmp(name, wanted) || !strcmp(brief->whole, wanted) ||
	    !strcmp(brief->shown, wanted) ||
	    prf_distinct_names_match(wanted, brief->whole, brief->shown))
		return PRF_FOUND_NAME;
	return strstr(brief->shown, wanted) ? PRF_FOUND_PART
					    : PRF_FOUND_NOTHING;
}

int
prf_function_called(const char *name, bool inlined, const char *wanted)
{
	static const struct prf_style style = {0};
	struct prf_distinct_name brief;
	int rc = prf_distinct_name_begin(&brief, name, inlined, "", &style);

	if (!rc) {
		prf_name_columns_unmark(brief.shown);
		rc = how_called(name, &brief, wanted);
	}
	prf_distinct_name_clear(&brief);
	return rc;
}

ptrdiff_t
prf_function_called_shown(struct prf_distinct_name *names, size_t n,
			  const char *wanted, const struct prf_style *style,
			  bool *is_it)
{
	ptrdiff_t n_shown = 0;
	int rc = prf_distinct_names_make(names, n, style);

	for (size_t i = 0; !rc && i < n; i++) {
		prf_name_columns_unmark(names[i].shown);
		is_it[i] = strcmp(names[i].shown, wanted) == 0;
		n_shown += is_it[i];
	}
	return rc ? rc : n_shown;
}
