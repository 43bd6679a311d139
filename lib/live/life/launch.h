/* launch.h - a program is started, traced from its first instruction on. */
#ifndef PRF_LIVE_LIFE_LAUNCH_H
#define PRF_LIVE_LIFE_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/error.h"

/* A child that has been forked and seized, and waits for leave to call exec. */
struct prf_launch {
	pid_t pid;
	int go_fd;    /* closed: it may call exec */
	int errno_fd; /* delivers exec's errno, or ends empty */
};

/* How a process treats signals, where this one treats them otherwise. */
struct prf_launch_signals {
	sigset_t mask;
	struct sigaction sigchld;
	bool ignores_setxid;
};

/* Is signal 33 ignored in this process?  The C library takes it for itself (to set
 * the user of all threads) when a process begins its first thread; to be called
 * before that. */
bool prf_launch_ignores_setxid(void);

/* Forks a child that will become ARGV, treating signals as SIGNALS say and as
 * this process does, and seizes it with ptrace OPTIONS.  -EPERM and others:
 * ptrace refused, with the reason in ERR; -EAGAIN: no fork. */
int prf_launch_fork(char *const argv[],
		    const struct prf_launch_signals *signals, long options,
		    struct prf_launch *launch,
		    struct prf_error *err) PRF_MUST_CHECK;
/* Lets it call exec.  What becomes of it is seen by waiting: an exec event, or
 * its end, and then prf_launch_errno says why. */
void prf_launch_go(struct prf_launch *launch);
/* exec's errno, 0 if it succeeded or has not ended.  Closes what is left
 * open. */
int prf_launch_errno(struct prf_launch *launch);
/* Instead of both: kills and reaps it, closes what is open. */
void prf_launch_abandon(struct prf_launch *launch);

#endif
