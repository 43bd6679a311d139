/* mainprogram.h - a sink that finds out what a run was of: the program that its
 * first process was in the end.  A profile's main file is that one's. */
#ifndef PRF_SRC_MAINPROGRAM_H
#define PRF_SRC_MAINPROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/sample.h"
#include "view/program.h"

struct prf_mainprogram {
	struct prf_sink base; /* to be given the events; frees nothing */
	pid_t pid;            /* of the first process; 0: none yet */
	bool has_ended;       /* its number can come again */
	char *path;           /* NULL: it was never told */
	uint64_t inode;
};

void prf_mainprogram_begin(struct prf_mainprogram *main);
void prf_mainprogram_clear(struct prf_mainprogram *main);

/* Is PROGRAM that one?  Where it was not told, it is what is not known. */
bool prf_mainprogram_is(const struct prf_mainprogram *main,
			const struct prf_program *program);

#endif
