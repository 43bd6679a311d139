/* fetch.h - a file is opened and copied by a process of its own, which can be left
 * behind where the file never answers (mounts.h).
 *
 * A thread could not be left: this process could not end before it.  Nor may this
 * process have such a file open, since the end closes it, and that asks, too. */
#ifndef PRF_SPACE_FETCH_H
#define PRF_SPACE_FETCH_H

#include <stdbool.h>
#include <sys/stat.h>

#include "core/attr.h"

/* What is opened: OPEN is called in that process, and returns a descriptor or a
 * negative errno value. */
struct prf_fetch {
	int (*open)(const void *arg);
	const void *arg;
	/* Is called there, too: writes to TO what is wanted of FROM, the file.
	 * Negative: why it could not.  NULL: all of it is copied. */
	int (*pick)(int from, int to);
	int most_ms; /* 0: twenty seconds */
};

/* A copy of the file in memory, a descriptor and the caller's to close; *ST tells
 * of the file itself.  What OPEN returned, if that failed; -ETIMEDOUT: it does not
 * answer for two seconds; -ETIME: it answers, but not in full within MOST_MS;
 * -EFBIG: it is too large to be copied; -errno. */
int prf_fetch_copy(const struct prf_fetch *what,
		   struct stat *st) PRF_MUST_CHECK;

/* The same, without the copy: 0. */
int prf_fetch_stat(const struct prf_fetch *what,
		   struct stat *st) PRF_MUST_CHECK;

#endif
