#include "live/proc/timers.h"

#include <inttypes.h>

#include "core/scope.h"

/* A process can have millions. */
enum { MOST_LINES = 100000 };

bool
prf_timers_parse(FILE *in, const struct prf_timers_entry *wanted)
{
	struct prf_timers_entry found = {.id = -1};
	char line[128];

	for (int i = 0; i < MOST_LINES && fgets(line, sizeof line, in); i++) {
		if (sscanf(line, "ID: %d", &found.id) == 1)
			continue;
		if (found.id == wanted->id &&
		    sscanf(line, "signal: %d/%" SCNx64, &found.signal,
			   &found.value) == 2)
			return found.signal == wanted->signal &&
			       found.value == wanted->value;
	}
	return !feof(in);
}

bool
prf_timers_lacks(pid_t pid, const struct prf_timers_entry *wanted)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/timers", (int)pid);
	PRF_AUTO(prf_auto_fclose) FILE *in = fopen(path, "re");
	return in && !prf_timers_parse(in, wanted);
}
