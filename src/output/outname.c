#include "src/output/outname.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <search.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

/* Kept free at the end of a name for "~" and a number. */
#define SUFFIX_MAX 11

char *
prf_outname_symbols(const char *name)
{
	static const char ending[] = ".out";
	size_t length = strlen(name);
	size_t cut = sizeof ending - 1;
	char *result;

	if (length > cut && strcmp(name + length - cut, ending) == 0)
		length -= cut;
	return asprintf(&result, "%.*s.syms", (int)length, name) < 0 ? NULL
								     : result;
}

/* A character of a file name that needs no quoting in a shell; all of UTF-8
 * beyond ASCII passes.  '~' does not, since it sets our numbers apart. */
static bool
is_plain(unsigned char c)
{
	return isalnum(c) || c >= 0x80 || strchr("._+-@=,:", c);
}

/* NAME.OBJECT, cut to leave room for a number. */
static char *
object_name(const char *name, const char *object)
{
	const char *slash = strrchr(object, '/');
	char *result = NULL, *end;

	if (asprintf(&result, "%s.%s", name, slash ? slash + 1 : object) < 0)
		return NULL;
	end = result + strlen(name) + 1;
	for (const char *c = end; *c; c++) {
		if (*c == '[' || *c == ']') /* [vdso] is vdso */
			continue;
		*end++ = is_plain((unsigned char)*c) ? *c : '_';
	}
	*end = '\0';
	if (end - result > NAME_MAX - SUFFIX_MAX)
		result[NAME_MAX - SUFFIX_MAX] = '\0';
	return result;
}

/* A name in use, and the number that its next double gets. */
struct taken {
	const char *name;
	unsigned next;
};

static int
compare_taken(const void *a, const void *b)
{
	return strcmp(((const struct taken *)a)->name,
		      ((const struct taken *)b)->name);
}

/* Makes *NAME differ from all of SET, and puts it there. */
static int
make_unique(void **set, struct taken *entry, char **name)
{
	*entry = (struct taken){.name = *name, .next = 2};
	struct taken **found = tsearch(entry, set, compare_taken);
	if (!found)
		return -ENOMEM;
	if (*found == entry)
		return 0;
	/* Only doubles of this very name end in "~number". */
	char *numbered;
	if (asprintf(&numbered, "%s~%u", *name, (*found)->next++) < 0)
		return -ENOMEM;
	free(*name);
	*name = numbered;
	return 0;
}

static int
fill_names(const char *name, const char *const *objects, size_t n, char **names,
	   struct taken *taken, void **set)
{
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++) {
		names[i] = object_name(name, objects[i]);
		rc = names[i] ? make_unique(set, &taken[i], &names[i])
			      : -ENOMEM;
	}
	return rc;
}

/* The entries are an array's, not the tree's. */
static void
keep(void *entry)
{
	(void)entry;
}

int
prf_outname_split(const char *name, const char *const *objects, size_t n,
		  char ***names, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free)
	struct taken *taken = calloc(n + 1, sizeof *taken);
	char **result = calloc(n + 1, sizeof *result);
	void *set = NULL;
	int rc = -ENOMEM;

	if (taken && result)
		rc = fill_names(name, objects, n, result, taken, &set);
	tdestroy(set, keep);
	if (rc < 0) {
		prf_outname_free(result, n);
		return prf_error_set(err, rc, "out of memory");
	}
	*names = result;
	return 0;
}

void
prf_outname_free(char **names, size_t n)
{
	for (size_t i = 0; names && i < n; i++)
		free(names[i]);
	free(names);
}

/* --- Names that are given */

/* FNV-1a: what is kept of a name, however many files there are. */
static uintptr_t
hash_of(const char *name)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3;
	return (uintptr_t)hash;
}

/* The tree holds the numbers themselves. */
static int
by_number(const void *a, const void *b)
{
	uintptr_t left = (uintptr_t)a, right = (uintptr_t)b;

	return (left > right) - (left < right);
}

int
prf_outnames_claim(struct prf_outnames *names, const char *name)
{
	PRF_AUTO(prf_auto_free) char *symbols = prf_outname_symbols(name);

	if (!symbols)
		return -ENOMEM;
	const void *hashes[] = {(void *)hash_of(name),
				(void *)hash_of(symbols)};
	if (tfind(hashes[0], &names->hashes, by_number) ||
	    tfind(hashes[1], &names->hashes, by_number))
		return -EEXIST;
	for (size_t i = 0; i < 2; i++)
		if (!tsearch(hashes[i], &names->hashes, by_number))
			return -ENOMEM;
	return 0;
}

void
prf_outnames_clear(struct prf_outnames *names)
{
	tdestroy(names->hashes, keep);
	names->hashes = NULL;
}
