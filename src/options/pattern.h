/* pattern.h - names of output files, as -o gives them.
 *
 *	%p  process id		%n  name of the program, without its directory
 *	%t  thread id		%h  name of the host
 *	%%  a per cent sign	%r  MPI rank, 0 outside of MPI
 *	%i  number of the interval
 *	%q{VAR}  the environment variable VAR
 *
 * What is put in can hold no '/' (it becomes '_', as control characters do),
 * so a pattern's last '/' is also its result's. */
#ifndef PRF_SRC_OPTIONS_PATTERN_H
#define PRF_SRC_OPTIONS_PATTERN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/error.h"

/* No process id is longer: Linux' own limit, PID_MAX_LIMIT. */
#define PRF_PATTERN_PID_MAX 4194304

struct prf_pattern_values {
	bool is_rest;        /* of many: "rest" stands for their ids and
			      * names */
	pid_t pid;           /* 0: not known yet, and %p is an error */
	pid_t tid;           /* 0: the same for %t */
	const char *program; /* its argv[0], directory and all */
	uint64_t interval;   /* 0: there are none, and %i is an error */
	const char *rank;    /* where this process is none; NULL: 0 */
};

/* Is PATTERN one?  -EINVAL: it is empty, ends in '/' (a directory), has an
 * unknown %, or has %p, %t or %i in its directory, which must be there before the
 * program has an id. */
int prf_pattern_check(const char *pattern,
		      struct prf_error *err) PRF_MUST_CHECK;
/* Has it %LETTER? */
bool prf_pattern_has(const char *pattern, char letter);

/* What the environment of an MPI rank calls it; NULL: this is none. */
const char *prf_pattern_rank(void);

/* The file name a good PATTERN stands for, in two parts, both the caller's to
 * free(): the directory ("." and "/" included) and the name in it.
 * -EINVAL: as above; -ENOENT: %q{VAR} without such a variable; -ENOMEM. */
int prf_pattern_directory(const char *pattern,
			  const struct prf_pattern_values *values,
			  char **directory,
			  struct prf_error *err) PRF_MUST_CHECK;
int prf_pattern_name(const char *pattern,
		     const struct prf_pattern_values *values, char **name,
		     struct prf_error *err) PRF_MUST_CHECK;

#endif
