/* recorded.h - traces of small runs, for tests of what reads them; in a
 * directory of the test's own. */
#ifndef PRF_TESTS_SRC_RECORDED_H
#define PRF_TESTS_SRC_RECORDED_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/pctrace.h"
#include "src/commands/reading.h"

/* When the runs begin. */
#define RECORDED_BEGIN_NS (UINT64_C(100) * 1000000000)

/* A fixture: the test is in a new directory, which is removed with all its
 * files. */
void recorded_enter(void);
void recorded_leave(void);

struct recorded {
	FILE *file;
	struct prf_sink *sink;
};

/* 100 Hz, begun at RECORDED_BEGIN_NS. */
extern const struct prf_pctrace_info recorded_info;

/* A trace in the new file PATH. */
struct recorded recorded_begin(const char *path,
			       const struct prf_pctrace_info *info);
void recorded_end(struct recorded *recorded);

/* PID becomes PROGRAM, a file that is not there; 0x1000 bytes from its offset
 * 0x1000 on are mapped at 0x1000.  TICKS of PID fell 0x100 bytes behind that, S
 * seconds after the begin. */
void recorded_exec(struct recorded *recorded, pid_t pid, const char *program);
void recorded_fork(struct recorded *recorded, pid_t pid, pid_t parent);
void recorded_ticks(struct recorded *recorded, pid_t pid, double s,
		    uint32_t ticks);
void recorded_exit(struct recorded *recorded, pid_t pid);

/* A trace of PROGRAM with TICKS, and of each of CHILDREN (NULL at the end) with
 * as many: a copy of it if its name is "", else it becomes that program. */
void recorded_run(const char *path, const char *program, uint32_t ticks,
		  const char *const *children);

/* TEXT as the file PATH. */
void recorded_write(const char *path, const void *bytes, size_t n_bytes);

/* What would be said; the caller's to close, then to free *TEXT. */
struct prf_messages recorded_messages(char **text);

#endif
