#include "profile/origin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *
prf_origin_clock(const char *word)
{
	static const char *const clocks[] = {"cpu", "user", "wall"};

	for (size_t i = 0; word && i < sizeof clocks / sizeof *clocks; i++)
		if (strcmp(clocks[i], word) == 0)
			return clocks[i];
	return NULL;
}

int
prf_origin_tell(struct prf_origin *origin, const char *command,
		const char *clock, uint64_t begun_s)
{
	origin->is_told = true;
	origin->clock = prf_origin_clock(clock);
	origin->begun_s = begun_s;
	if (!command || !*command)
		return 0;
	origin->command = strdup(command);
	return origin->command ? 0 : -ENOMEM;
}

static bool
is_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

int
prf_origin_join(struct prf_origin *origin, const struct prf_origin *other)
{
	if (!other->is_told)
		return 0;
	if (!origin->is_told)
		return prf_origin_tell(origin, other->command, other->clock,
				       other->begun_s);
	if (!is_same(origin->command, other->command)) {
		free(origin->command);
		origin->command = NULL;
	}
	if (!is_same(origin->clock, other->clock))
		origin->clock = NULL;
	if (origin->begun_s != other->begun_s)
		origin->begun_s = 0;
	return 0;
}

void
prf_origin_clear(struct prf_origin *origin)
{
	free(origin->command);
	*origin = (struct prf_origin){0};
}
