/* work.h - something to profile, and a gmon.out of what was found: what the
 * examples have in common, so that each shows its own system's call alone. */
#ifndef WORK_H
#define WORK_H

#include <stddef.h>
#include <stdint.h>

/* The text of this program, by names that the linker gives. */
extern char __executable_start[], etext[];

/* Some tenths of a second of CPU time, three quarters of it in much(). */
void work(void);

/* N counters of WIDTH bytes, each for BYTES_EACH of text from OFFSET on, as a
 * gmon.out called PATH.  0, or -1 after a message. */
int write_counters(const char *path, const void *counters, size_t n,
		   unsigned width, uintptr_t offset, size_t bytes_each);
/* The same of N pcs, which are sorted. */
int write_pcs(const char *path, uintptr_t *pcs, size_t n);

#endif
