#include "image/demangle.h"

#include "config.h" /* bfd.h insists */

#include <bfd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

/* The bits of libiberty's demangle.h, which is not installed with bfd.h. */
enum {
	DMGL_PARAMS = 1 << 0,
	DMGL_ANSI = 1 << 1,
	DMGL_GNAT = 1 << 15,
	DMGL_DLANG = 1 << 16,
};

/* A name of a few hundred characters can stand for more text than fits into
 * memory, where each part is made of several of the one before it. */
#define EXPANSION_MAX ((uint64_t)1 << 28)

/* Clones of clones are rare, and each suffix that is cut off is another try. */
enum { SUFFIXES_MAX = 10 };

/* How mangled names begin, what asks for them, what letter in them calls an
 * earlier part back, and from how many bytes on they are left as they are: the
 * demangler calls itself for each letter of a type of D, without a limit, and
 * takes time by the square of the length of others. */
static const struct scheme {
	const char *start;
	int flags;
	const char *references;
	size_t bytes_max;
} schemes[] = {
	{"_Z", DMGL_PARAMS | DMGL_ANSI, "ST", 1 << 16},
	{"___Z", DMGL_PARAMS | DMGL_ANSI, "ST", 1 << 16},
	{"_R", DMGL_PARAMS | DMGL_ANSI, "B", 1 << 14},
	{"_D", DMGL_PARAMS | DMGL_DLANG, "Q", 1 << 12},
	{"_ada_", DMGL_GNAT, "", 1 << 16},
};

static const struct scheme *
scheme_of(const char *name)
{
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (strncmp(name, schemes[i].start, strlen(schemes[i].start)) ==
		    0)
			return &schemes[i];
	return NULL;
}

/* Whether a reference to an earlier part ends at C: "S_", "S1A_", "T0_". */
static bool
is_reference(const char *c, const char *letters)
{
	if (!strchr(letters, *c))
		return false;
	c++;
	while ((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') ||
	       (*c >= 'a' && *c <= 'z' && letters[0] != 'S'))
		c++;
	return *c == '_' || letters[0] == 'Q';
}

/* An estimate from above: N references make the most of it by tripling each
 * part.  An expansion of a parameter pack ("Dp") is taken for a pack of 16.
 * Of 95,000 names of node and LLVM all but a handful stay below 2^26. */
static bool
expands_too_far(const char *name, const struct scheme *scheme)
{
	uint64_t bytes = strlen(name);
	unsigned n = 0;

	for (const char *c = name; *c && bytes <= EXPANSION_MAX; c++) {
		if (is_reference(c, scheme->references) && ++n % 3 == 0)
			bytes *= 3;
		if (c[0] == 'D' && c[1] == 'p')
			bytes *= 16;
	}
	return bytes > EXPANSION_MAX;
}

/* A clone's suffix that the demangler does not know is cut off and written as
 * it writes those it knows. */
static char *
demangle_without_suffix(const char *name, const struct scheme *scheme)
{
	PRF_AUTO(prf_auto_free) char *stem = strdup(name);
	char *dot = stem ? strrchr(stem, '.') : NULL;
	char *joined;

	for (int i = 0; dot && i < SUFFIXES_MAX; i++) {
		*dot = '\0';
		PRF_AUTO(prf_auto_free)
		char *demangled = bfd_demangle(NULL, stem, scheme->flags);
		if (demangled) {
			if (asprintf(&joined, "%s [clone %s]", demangled,
				     name + (dot - stem)) < 0)
				return NULL;
			return joined;
		}
		dot = strrchr(stem, '.');
	}
	return NULL;
}

char *
prf_demangle(const char *name)
{
	const struct scheme *scheme = scheme_of(name);
	char *demangled = NULL;

	if (scheme && strnlen(name, scheme->bytes_max) < scheme->bytes_max &&
	    !expands_too_far(name, scheme)) {
		demangled = bfd_demangle(NULL, name, scheme->flags);
		if (!demangled)
			demangled = demangle_without_suffix(name, scheme);
	}
	return demangled ? demangled : strdup(name);
}
