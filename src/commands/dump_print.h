/* dump_print.h - a dump, for people. */
#ifndef PRF_SRC_COMMANDS_DUMP_PRINT_H
#define PRF_SRC_COMMANDS_DUMP_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "core/attr.h"
#include "src/commands/dumped.h"
#include "view/table/style.h"

/* One process.  Threads with the same stack stand together unless EACH is to stand
 * alone.  -ENOMEM. */
int prf_dump_print(const struct prf_dumped *dumped, bool each,
		   const struct prf_style *style, FILE *out) PRF_MUST_CHECK;

#endif
