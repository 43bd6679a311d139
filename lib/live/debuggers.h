/* debuggers.h - programs that trace what they start.  A thread has one tracer:
 * what they start is left to them. */
#ifndef PRF_LIVE_DEBUGGERS_H
#define PRF_LIVE_DEBUGGERS_H

#include <stdbool.h>

/* By the last part of PATH, its name. */
bool prf_is_debugger(const char *path);

/* Valgrind runs its program itself, and asks the kernel for every signal, those of
 * the C library too, to deliver them to the program: ours would end that. */
bool prf_is_valgrind(const char *path);

#endif
