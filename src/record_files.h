/* record_files.h - the files of programs that have ended, written at once: what
 * happens to the others later does not lose them. */
#ifndef PRF_SRC_RECORD_FILES_H
#define PRF_SRC_RECORD_FILES_H

#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "view/family.h"

/* What people read of many: as many lines. */
enum { PRF_RECORD_LINES = 8 };

/* A file, and whose it is. */
struct prf_record_name {
	char *file, *owner;
	uint64_t ticks;
};

struct prf_record_files {
	const struct prf_options *options;
	struct prf_output *output;
	char *commands; /* of the main program's files, for the summary */
	/* Of the others: those with the most ticks, in the order of writing. */
	struct prf_record_name names[PRF_RECORD_LINES];
	uint64_t n_others, n_left_out; /* left out: written in place, no room */
	/* What could not be written, and why. */
	char *errors[PRF_RECORD_LINES];
	uint64_t n_errors;
};

/* OPTIONS and OUTPUT must outlive it. */
void prf_record_files_init(struct prf_record_files *files,
			   const struct prf_options *options,
			   struct prf_output *output);
void prf_record_files_clear(struct prf_record_files *files);

/* Writes what ENDED has; FILES is a struct prf_record_files.  To be given to a
 * family, see prf_family_config. */
void prf_record_files_write(void *files, const struct prf_ended *ended);

/* Where the files are, and how to read them. */
void prf_record_files_print(const struct prf_record_files *files, FILE *out);
/* Says which could not be written; returns how many that are. */
uint64_t prf_record_files_complain(const struct prf_record_files *files,
				   const struct prf_messages *messages);

#endif
