/* teller.h - says lines in a thread of its own: the one that has them never waits
 * for who reads stderr, such as a pager that is left alone. */
#ifndef PRF_SRC_OUTPUT_TELLER_H
#define PRF_SRC_OUTPUT_TELLER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "core/error.h"
#include "src/message.h"

/* So much waits at most; of what comes then it is told how many lines it was. */
enum { PRF_TELLER_BYTES = 8 << 10 };

/* All zero: it says nothing. */
struct prf_teller {
	struct prf_messages messages;
	pthread_t thread;
	bool runs;

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t come;
	bool is_over;
	size_t used; /* of TEXT: lines, each with its null byte */
	unsigned n_lost;
	char text[PRF_TELLER_BYTES];
};

/* From now on lines are said as notes of MESSAGES. */
int prf_teller_begin(struct prf_teller *teller,
		     const struct prf_messages *messages,
		     struct prf_error *err) PRF_MUST_CHECK;
/* Any thread; it does not wait.  LINE may be NULL: nothing. */
void prf_teller_say(struct prf_teller *teller, const char *line);
/* Waits until all has been said.  TELLER may be all zero, or ended. */
void prf_teller_end(struct prf_teller *teller);

#endif
