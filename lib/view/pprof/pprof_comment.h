/* pprof_comment.h - what a pprof file of profrun says in comments, written and
 * read: its command, why stacks ended, and where the text of a binary is
 * linked. */
#ifndef PRF_VIEW_PPROF_PPROF_COMMENT_H
#define PRF_VIEW_PPROF_PPROF_COMMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sample.h"

enum { PRF_PPROF_COMMENT_BYTES = 128 };

/* A command follows. */
#define PRF_PPROF_COMMAND "command: "

/* Locations are where functions begin, and lines are of none. */
#define PRF_PPROF_BY_FUNCTION                                                  \
	"calls were too many to be kept by address: they are by function, "    \
	"without lines"

/* "stacks complete: 120 ticks".  No stack at all is none of them. */
void prf_pprof_comment_end(enum prf_stack_end end, uint64_t ticks, char *text);
bool prf_pprof_comment_is_end(const char *text, enum prf_stack_end *end,
			      uint64_t *ticks);

/* "text at 0x2000000 is linked at 0x1000". */
void prf_pprof_comment_link(uint64_t addr, uint64_t vaddr, char *text);
bool prf_pprof_comment_is_link(const char *text, uint64_t *addr,
			       uint64_t *vaddr);

#endif
