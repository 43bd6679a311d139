/* dump_print.h - a dump, for people and for programs. */
#ifndef PRF_SRC_COMMANDS_DUMP_PRINT_H
#define PRF_SRC_COMMANDS_DUMP_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/attr.h"
#include "live/dump/dump.h"
#include "src/commands/dump_stacks.h"
#include "view/table/style.h"

/* One process. */
struct prf_dumped {
	struct prf_dump dump;
	struct prf_dump_stacks *stacks;
	char *command; /* NULL: not known */
};

/* Threads with the same stack stand together unless EACH is to stand alone.
 * -ENOMEM. */
int prf_dump_print(const struct prf_dumped *dumped, bool each,
		   const struct prf_style *style, FILE *out) PRF_MUST_CHECK;
/* As data/schema/dump.schema.json says.  N processes. */
int prf_dump_print_json(const struct prf_dumped *dumped, size_t n,
			FILE *out) PRF_MUST_CHECK;

#endif
