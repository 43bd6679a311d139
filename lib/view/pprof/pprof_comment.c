#include "view/pprof/pprof_comment.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const ends[PRF_N_STACK_ENDS] = {
	[PRF_STACK_NONE] = "not taken",
	[PRF_STACK_COMPLETE] = "complete",
	[PRF_STACK_NO_CFI] = "cut where code has no unwind information",
	[PRF_STACK_MEMORY] = "cut where memory could not be read",
	[PRF_STACK_LIMIT] = "cut at the most frames that are taken",
	[PRF_STACK_LOOP] = "cut where they came back to an earlier frame",
};

void
prf_pprof_comment_end(enum prf_stack_end end, uint64_t ticks, char *text)
{
	snprintf(text, PRF_PPROF_COMMENT_BYTES, "stacks %s: %" PRIu64 " ticks",
		 ends[end], ticks);
}

bool
prf_pprof_comment_is_end(const char *text, enum prf_stack_end *end,
			 uint64_t *ticks)
{
	char same[PRF_PPROF_COMMENT_BYTES];
	const char *number = strrchr(text, ':');

	if (!number || sscanf(number, ": %" SCNu64, ticks) != 1)
		return false;
	for (int i = 0; i < PRF_N_STACK_ENDS; i++) {
		*end = (enum prf_stack_end)i;
		prf_pprof_comment_end(*end, *ticks, same);
		if (strcmp(same, text) == 0)
			return true;
	}
	return false;
}

void
prf_pprof_comment_link(uint64_t addr, uint64_t vaddr, char *text)
{
	snprintf(text, PRF_PPROF_COMMENT_BYTES,
		 "text at 0x%" PRIx64 " is linked at 0x%" PRIx64, addr, vaddr);
}

bool
prf_pprof_comment_is_link(const char *text, uint64_t *addr, uint64_t *vaddr)
{
	char same[PRF_PPROF_COMMENT_BYTES];

	if (sscanf(text, "text at 0x%" SCNx64 " is linked at 0x%" SCNx64, addr,
		   vaddr) != 2)
		return false;
	prf_pprof_comment_link(*addr, *vaddr, same);
	return strcmp(same, text) == 0;
}
