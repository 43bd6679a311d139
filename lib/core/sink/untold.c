#include "untold.h"

#include <stddef.h>
#include <stdlib.h>
#include <sys/types.h>

/* Linux has no more processes. */
enum { MOST = 1 << 22 };

void
prf_untold_clear(struct prf_untold *untold)
{
	free(untold->bits);
	*untold = (struct prf_untold){0};
}

static bool
is_untold(const struct prf_untold *untold, pid_t pid)
{
	size_t id = (size_t)pid;

	if (!untold->bits)
		return untold->is_all;
	return id >= MOST || untold->bits[id / 8] & 1U << id % 8;
}

static void
mark(struct prf_untold *untold, pid_t pid, bool is)
{
	size_t id = (size_t)pid;
	unsigned char bit = (unsigned char)(1U << id % 8);

	if (is && !untold->bits && !untold->is_all) {
		untold->bits = calloc(MOST / 8, 1);
		untold->is_all = !untold->bits;
	}
	if (!untold->bits || id >= MOST)
		return;
	if (is)
		untold->bits[id / 8] |= bit;
	else
		untold->bits[id / 8] &= (unsigned char)~bit;
}

/* Of a process that begins, or begins anew, its samples mean what is told from now
 * on; or what they mean for PARENT. */
static bool
admit_begin(struct prf_untold *untold, pid_t pid, bool is_admitted)
{
	mark(untold, pid, !is_admitted);
	return is_admitted;
}

static bool
admit_mapping(struct prf_untold *untold, pid_t pid, bool has_room)
{
	bool is_admitted = has_room && !is_untold(untold, pid);

	if (!is_admitted)
		mark(untold, pid, true);
	return is_admitted;
}

static bool
admit_life(struct prf_untold *untold, const struct prf_life *life,
	   bool has_room)
{
	switch (life->kind) {
	case PRF_LIFE_FORK:
		return admit_begin(untold, life->pid,
				   has_room &&
					   !is_untold(untold, life->parent));
	case PRF_LIFE_THREAD:
	case PRF_LIFE_END:
		return has_room && !is_untold(untold, life->pid);
	case PRF_LIFE_EXIT:
	case PRF_LIFE_LEAVE:
	case PRF_N_LIFE_KINDS:
		break;
	}
	return has_room; /* its begin may have been told */
}

bool
prf_untold_admits(struct prf_untold *untold, enum prf_event_kind kind,
		  const void *what, bool has_room)
{
	const struct prf_exec *exec = what;
	const struct prf_mapping *map = what;
	const struct prf_sample *sample = what;

	switch (kind) {
	case PRF_EVENT_SAMPLE:
		return !is_untold(untold, sample->pid);
	case PRF_EVENT_EXEC:
		return admit_begin(untold, exec->pid,
				   has_room && !untold->is_all);
	case PRF_EVENT_MAPPING:
		return admit_mapping(untold, map->pid, has_room);
	case PRF_EVENT_LIFE:
		return admit_life(untold, what, has_room);
	case PRF_EVENT_FIGURE:
		break;
	}
	return true;
}
