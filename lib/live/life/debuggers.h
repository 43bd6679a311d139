/* debuggers.h - programs that trace what they start.  A thread can have one
 * tracer only: what they start is left to them. */
#ifndef PRF_LIVE_LIFE_DEBUGGERS_H
#define PRF_LIVE_LIFE_DEBUGGERS_H

#include <stdbool.h>

/* Is the program at PATH one?  Its name decides, the last part of PATH. */
bool prf_debuggers_has(const char *path);

/* Valgrind runs its program itself, and asks the kernel for every signal, those of
 * the C library too, to deliver them to the program: ours would end that. */
bool prf_debuggers_is_valgrind(const char *path);

#endif
