#include "view/table/clones.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/named_counts.h"

size_t
prf_clones_name_bytes(const char *name)
{
	static const char *const marks[] = {
		" [clone",    ".constprop.", ".isra.", ".part.",
		".lto_priv.", ".llvm.",      ".cold",
	};
	size_t n = strlen(name);

	if (!n)
		return 0;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		const char *mark = strstr(name + 1, marks[i]);

		if (mark && (size_t)(mark - name) < n)
			n = (size_t)(mark - name);
	}
	return n;
}

static int
number_row(struct prf_named_counts *keys, const struct prf_row *row,
	   size_t *number)
{
	PRF_AUTO(prf_auto_free) char *key = NULL;

	if (asprintf(&key, "%.*s\n%s", (int)prf_clones_name_bytes(row->name),
		     row->name, row->binary) < 0) {
		key = NULL;
		return -ENOMEM;
	}
	return prf_named_counts_intern(keys, key, number);
}

int
prf_clones_number(const struct prf_rows *rows, size_t *numbers)
{
	PRF_AUTO(prf_named_counts_clear) struct prf_named_counts keys = {0};
	int rc = 0;

	for (size_t i = 0; !rc && i < rows->n; i++)
		rc = number_row(&keys, &rows->rows[i], &numbers[i]);
	return rc;
}
