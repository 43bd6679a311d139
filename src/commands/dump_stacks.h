/* dump_stacks.h - the stacks of a dump, with names: the sink that a dump is
 * given to, and what is made of it when the process runs on. */
#ifndef PRF_SRC_COMMANDS_DUMP_STACKS_H
#define PRF_SRC_COMMANDS_DUMP_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"
#include "profile/warnings.h"

struct prf_dump_frame {
	uint64_t addr;
	bool is_guessed;      /* found without unwind information */
	bool is_inlined;      /* into the next one */
	const char *function; /* mangled; NULL: without a name */
	uint64_t off;         /* of the address, in it */
	const char *binary;   /* its path, or "[vdso]", "[jit]", "[unknown]" */
	uint64_t vaddr;       /* the binary's own; ADDR where it has none */
	const char *file;     /* of the source; NULL: not known, or not asked */
	uint32_t line;
};

/* Of one thread. */
struct prf_dump_stack {
	pid_t tid;
	struct prf_frame *raw; /* as they were unwound */
	size_t n_raw;
	enum prf_stack_end end;
	struct prf_dump_frame *frames; /* innermost first */
	size_t n;
};

struct prf_dump_stacks;

/* For one process.  -ENOMEM. */
int prf_dump_stacks_new(struct prf_dump_stacks **out,
			struct prf_error *err) PRF_MUST_CHECK;
void prf_dump_stacks_free(struct prf_dump_stacks *stacks); /* takes NULL */

/* Where samples go; lent. */
struct prf_sink *prf_dump_stacks_sink(struct prf_dump_stacks *stacks);

/* All samples came: names their frames, with source lines and inlined calls if
 * those are WANTED.  What is amiss goes to WARNINGS.  -ENOMEM. */
int prf_dump_stacks_name(struct prf_dump_stacks *stacks, bool wanted,
			 struct prf_warnings *warnings) PRF_MUST_CHECK;

/* The stack of TID; NULL: it has none. */
const struct prf_dump_stack *
prf_dump_stacks_of(const struct prf_dump_stacks *stacks, pid_t tid);

/* Is A the same as B, function by function, and line by line with lines? */
bool prf_dump_stack_is_same(const struct prf_dump_stack *a,
			    const struct prf_dump_stack *b);
/* Those that are the same have the same. */
uint32_t prf_dump_stack_hash(const struct prf_dump_stack *stack);

#endif
