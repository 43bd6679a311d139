/* tasks.h - the threads that this process has, as the kernel lists them. */
#ifndef PRF_INPROC_TASKS_H
#define PRF_INPROC_TASKS_H

#include <sys/types.h>

/* Calls VISIT for each thread.  0, or a negative errno value if the list
 * cannot be read (without /proc, or without a free file descriptor).
 * Async-signal-safe if VISIT is. */
int prf_tasks_visit(void (*visit)(pid_t tid, void *context), void *context);

#endif
