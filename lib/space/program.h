/* program.h - what a process has become by exec; shared by all that were forked
 * from it since. */
#ifndef PRF_SPACE_PROGRAM_H
#define PRF_SPACE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "core/sample.h"
#include "space/file.h"

struct prf_program {
	char *path;    /* as /proc/PID/exe told; "" if it is not known */
	char *command; /* its arguments, perhaps cut short */
	uint64_t inode;
	uint8_t addr_bytes; /* 4 or 8 */
	uint16_t machine;   /* of its system calls; 0: not known */
	int32_t rank;       /* of an MPI program; -1: none */
	uint32_t uid;       /* PRF_NO_USER: not known */
	pid_t pid;          /* of the process that was made it */
	time_t begun; /* when that was, or earlier: of one that ran already,
			     * when its process was made */
	size_t n_users;
};

/* EXEC NULL: one of which nothing is known.  NULL: out of memory. */
struct prf_program *prf_program_new(const struct prf_exec *exec);
struct prf_program *prf_program_hold(struct prf_program *program);
void prf_program_drop(struct prf_program *program); /* takes NULL */

/* Is it the one in FILE? */
bool prf_program_is(const struct prf_program *program,
		    const struct prf_file *file);
/* The last part of its path. */
const char *prf_program_name(const struct prf_program *program);
/* Its name for people: what it was called with, else where it was; without the
 * directories of its first word, which need not be a path. */
const char *prf_program_command(const struct prf_program *program);

#endif
