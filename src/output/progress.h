/* progress.h - one line on a terminal that says what takes so long.
 *
 * It appears when a second has passed, tells how far the reading of a file is,
 * and is gone before anything else is printed.  A thread of its own keeps it: who
 * works does not stop to tell. */
#ifndef PRF_SRC_OUTPUT_PROGRESS_H
#define PRF_SRC_OUTPUT_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "src/message.h"

struct prf_progress;

/* How far something is. */
struct prf_progress_state {
	const char *what;    /* such as "reading" */
	const char *name;    /* of what is read, or NULL */
	uint64_t done, size; /* bytes; SIZE 0: nobody knows */
	uint64_t seconds;    /* since it began */
};

/* The line for STATE, of at most WIDTH columns; the caller's.  NULL: out of
 * memory. */
char *prf_progress_line(const struct prf_progress_state *state, size_t width);

/* WHAT begins, and NAME, which is lent, is what it is about, or NULL; FD is the
 * file that is read, whose offset tells how far it is, or -1.  NULL: nothing will
 * be said, since the stream of MESSAGES is no terminal, -q was given, or there is
 * no thread to be had. */
struct prf_progress *prf_progress_begin(const struct prf_messages *messages,
					const char *what, const char *name,
					int fd);
/* It has ended; the line is gone. */
void prf_progress_end(struct prf_progress *progress); /* takes NULL */

static inline void
prf_progress_end_auto(struct prf_progress **progress)
{
	prf_progress_end(*progress);
}

#endif
