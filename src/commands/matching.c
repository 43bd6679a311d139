#include "src/commands/matching.h"

#include <errno.h>
#include <stddef.h>

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
prf_matching_focus(struct prf_matching *matching, const char *word,
		   struct prf_error *err)
{
	return compile(&matching->focus, &matching->has_focus, word, err);
}

int
prf_matching_ignore(struct prf_matching *matching, const char *word,
		    struct prf_error *err)
{
	return compile(&matching->ignore, &matching->has_ignore, word, err);
}

void
prf_matching_clear(struct prf_matching *matching)
{
	if (matching->has_focus)
		regfree(&matching->focus);
	if (matching->has_ignore)
		regfree(&matching->ignore);
	*matching = (struct prf_matching){0};
}

static bool
matches(const regex_t *regex, const char *const *names)
{
	while (*names && regexec(regex, *names, 0, NULL, 0))
		names++;
	return *names;
}

bool
prf_matching_wants(const struct prf_matching *matching,
		   const char *const *names)
{
	return (!matching->has_focus || matches(&matching->focus, names)) &&
	       !(matching->has_ignore && matches(&matching->ignore, names));
}
