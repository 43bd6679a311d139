/* traced.h - a forked child under ptrace, for tests of what is done to one. */
#ifndef PRF_TESTS_TRACED_H
#define PRF_TESTS_TRACED_H

#include <sys/types.h>

#include "live/arch.h"

/* What children are seized with; as it is for what is not followed. */
extern long prf_traced_options;

/* Forks a child that calls RUN and then turns in a loop for ever, and stops it
 * in that loop, in user mode: REGS are its registers then.  It dies with the
 * test.  Ends the test program with 77 if ptrace is refused. */
pid_t prf_traced_spinner(void (*run)(void), struct prf_regs *regs);
/* The same with a child that calls RUN, which never returns; it is seized, and
 * runs. */
pid_t prf_traced_runner(void (*run)(void));
/* The same with a child that calls SLEEP, which never returns; it is seized,
 * runs, and has gone to sleep. */
pid_t prf_traced_sleeper(void (*sleep)(void));

/* Lets it go on, with SIGNAL, to its next stop or end, and returns its wait
 * status. */
int prf_traced_go(pid_t child, int signal);
/* Waits for its next stop or end. */
int prf_traced_wait(pid_t child);

/* The path of a workload. */
const char *prf_workload(const char *name);

#endif
