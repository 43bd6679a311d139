/* message.h - what profrun says of itself: nothing else writes to stderr, but
 * getopt_long(3), which refuses an option in a line of the same form.
 *
 * A message is one line, "profrun: what, where, what to do", written with one
 * write(2), so that it is not mixed with what the program writes there.
 * Control characters in it are replaced by '?': a hostile file name cannot
 * break the line or command the terminal. */
#ifndef PRF_SRC_MESSAGE_H
#define PRF_SRC_MESSAGE_H

#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "profile/warnings.h"

struct prf_messages {
	FILE *stream;
	FILE *summary; /* for all but errors; NULL: STREAM */
	int verbosity; /* -1: errors alone; 0: also warnings, notes and the
			* summary; more: more in the summary */
};

/* To stderr, with the usual verbosity. */
struct prf_messages prf_messages_to_stderr(void);

/* Something failed, and the exit status will show it. */
void prf_message_error(const struct prf_messages *messages, const char *fmt,
		       ...) PRF_PRINTF(2, 3);
/* The result is not all that was asked for; not said with -q. */
void prf_message_warn(const struct prf_messages *messages, const char *fmt, ...)
	PRF_PRINTF(2, 3);
/* The same of each of WARNINGS. */
void prf_message_warn_all(const struct prf_messages *messages,
			  const struct prf_warnings *warnings);
/* Good to know; not said with -q. */
void prf_message_note(const struct prf_messages *messages, const char *fmt, ...)
	PRF_PRINTF(2, 3);

/* What makes the plural of a word that N stands before: "s"; of one: "". */
static inline const char *
prf_message_s(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Why something could not be counted, which has failed with CODE, -errno. */
const char *prf_message_reason(int code);

/* Where the summary goes, or NULL if none is wanted (-q).  Not the caller's. */
FILE *prf_message_summary(const struct prf_messages *messages);

#endif
