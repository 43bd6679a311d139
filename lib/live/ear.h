/* ear.h - hears what is said to a thread that waits for stops alone.
 *
 * poll(2) can wait for stops among other things, by SIGCHLD; but for each stop
 * the signal has to be read, and waitid(2) asked until there is nothing left.
 * While there is nothing else to poll for, a tracer waits in waitid, and a thread
 * listens in its place.  It knocks, by a signal that makes waitid return, and does
 * so again until it was heard: the first may come a moment before the wait.  Who
 * else sends that signal is told apart, and given on. */
#ifndef PRF_LIVE_EAR_H
#define PRF_LIVE_EAR_H

#include <signal.h>
#include <stdbool.h>

#include "core/attr.h"
#include "core/error.h"

struct prf_ear;

/* Listens for the thread that calls this, until FD is readable or there is a
 * stray (something to be heard, as long as that is so), and once EVERY_MS (at most
 * twice that) have passed in which no wait has ended.  A thread can have one.
 * -EAGAIN and others: no descriptor, no thread. */
int prf_ear_new(int fd, int every_ms, struct prf_ear **out,
		struct prf_error *err) PRF_MUST_CHECK;
/* By the same thread.  A stray that is left is sent to this process again.  NULL
 * does nothing. */
void prf_ear_free(struct prf_ear *ear);

/* Waits until a child or a thread that is traced has stopped or ended, which
 * takes nothing of it away; or, true: it is time to listen.  By the same
 * thread. */
bool prf_ear_wait(struct prf_ear *ear);

/* Takes a stray: a signal that came from elsewhere, of the kind that the ear
 * knocks by.  False: there is none (now), for which to poll the descriptor.
 * NULL has none. */
bool prf_ear_stray(const struct prf_ear *ear, siginfo_t *stray);
int prf_ear_stray_fd(const struct prf_ear *ear);

#endif
