#include "src/commands/not_found.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/scope.h"
#include "src/options/option_values.h"

/* Is NAME in the LENGTH bytes of DIRECTORY?  Those are none: in this one. */
static bool
is_in(const char *directory, size_t length, const char *name)
{
	PRF_AUTO(prf_auto_free) char *path = NULL;

	if (asprintf(&path, "%.*s/%s", length ? (int)length : 1,
		     length ? directory : ".", name) < 0)
		path = NULL;
	return path && access(path, F_OK) == 0;
}

static bool
is_in_path(const char *name)
{
	const char *path = getenv("PATH");
	const char *at = path ? path : "/bin:/usr/bin";

	for (;; at++) {
		size_t length = strcspn(at, ":");

		if (is_in(at, length, name))
			return true;
		at += length;
		if (!*at)
			return false;
	}
}

/* Other profilers have the value of -g in a word of its own.  What NAME, behind
 * BEFORE, is among ours; NULL: none. */
static const char *
stacks_meant(const char *name, const char *before)
{
	const char *word;

	if (strcmp(before, "-g") != 0 && strcmp(before, "--call-graph") != 0)
		return NULL;
	if (strcmp(name, "dwarf") == 0)
		return "cfi";
	if (strcmp(name, "lbr") == 0)
		return "auto";
	for (size_t i = 0; (word = prf_option_values_word("HOW", i)); i++)
		if (strcmp(name, word) == 0)
			return word;
	return NULL;
}

int
prf_not_found_explain(const char *name, const char *before,
		      struct prf_error *err)
{
	bool has_slash = strchr(name, '/');
	const char *stacks = stacks_meant(name, before);

	if (*name && (has_slash ? access(name, F_OK) == 0 : is_in_path(name)))
		return prf_error_set(err, -ENOENT,
				     "%s: the interpreter or dynamic loader "
				     "that it names is not there",
				     name);
	if (stacks)
		return prf_error_set(err, -ENOENT,
				     "%s: not found in PATH; for stacks write "
				     "--call-graph=%s",
				     name, stacks);
	return has_slash ? prf_error_set(err, -ENOENT, "%s: no such file", name)
			 : prf_error_set(err, -ENOENT, "%s: not found in PATH",
					 name);
}
