#include "src/commands/not_found.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/scope.h"

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

int
prf_not_found_explain(const char *name, struct prf_error *err)
{
	bool has_slash = strchr(name, '/');

	if (*name && (has_slash ? access(name, F_OK) == 0 : is_in_path(name)))
		return prf_error_set(err, -ENOENT,
				     "%s: the interpreter or dynamic loader "
				     "that it names is not there",
				     name);
	return has_slash ? prf_error_set(err, -ENOENT, "%s: no such file", name)
			 : prf_error_set(err, -ENOENT, "%s: not found in PATH",
					 name);
}
