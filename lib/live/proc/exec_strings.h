/* exec_strings.h - the arguments and the environment that a program was given, as
 * they are in its memory now.
 *
 * The kernel reads them there, and a program can say that they are any part of
 * that (PR_SET_MM): also pages that nobody brings, for which a read would wait for
 * ever.  These are not read (bring.h), and of the others no more than a part. */
#ifndef PRF_LIVE_PROC_EXEC_STRINGS_H
#define PRF_LIVE_PROC_EXEC_STRINGS_H

#include <stddef.h>
#include <sys/types.h>

enum {
	PRF_COMMAND_BYTES = 4096,
	PRF_ENVIRONMENT_BYTES = 1 << 20,
};

/* The arguments, with a blank after each but the last, cut at PRF_COMMAND_BYTES;
 * to be free()d.  NULL: it has ended, there are none, they do not come or may not
 * be known, or out of memory. */
char *prf_exec_strings_command(pid_t pid);
/* The environment, each variable with its NUL, cut at PRF_ENVIRONMENT_BYTES and
 * where it does not come: *N_BYTES; to be free()d.  NULL: as above, or it may not
 * be read. */
char *prf_exec_strings_environment(pid_t pid, size_t *n_bytes);

#endif
