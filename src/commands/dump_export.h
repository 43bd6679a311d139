/* dump_export.h - a dump, for programs to read. */
#ifndef PRF_SRC_COMMANDS_DUMP_EXPORT_H
#define PRF_SRC_COMMANDS_DUMP_EXPORT_H

#include <stddef.h>
#include <stdio.h>

#include "core/attr.h"
#include "src/commands/dumped.h"

/* N processes, as data/schema/dump.schema.json says.  -ENOMEM: perhaps a part. */
int prf_dump_export_json(const struct prf_dumped *dumped, size_t n,
			 FILE *out) PRF_MUST_CHECK;
/* The same as rows, one for each frame: RFC 4180, but lines end in a newline alone. */
int prf_dump_export_csv(const struct prf_dumped *dumped, size_t n,
			FILE *out) PRF_MUST_CHECK;

#endif
