/* thread_files.h - the files of /proc that tell again and again whether a
 * thread runs, on which processor, and how long it has run.  They stay open,
 * since to open one takes longer than to read it; where too many are open,
 * they are opened each time. */
#ifndef PRF_LIVE_PROC_THREAD_FILES_H
#define PRF_LIVE_PROC_THREAD_FILES_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/attr.h"
#include "live/proc/schedstat.h"

struct prf_thread_files;

/* NULL: out of memory. */
struct prf_thread_files *prf_thread_files_new(pid_t pid, pid_t tid);
void prf_thread_files_free(struct prf_thread_files *files); /* takes NULL */

/* Does it run, or could it if it had a processor? */
bool prf_thread_files_is_running(const struct prf_thread_files *files);
/* Where it runs or ran last; -ESRCH and the like: the thread has ended. */
int prf_thread_files_processor(const struct prf_thread_files *files,
			       int *cpu) PRF_MUST_CHECK;
int prf_thread_files_times(const struct prf_thread_files *files,
			   struct prf_schedstat *times) PRF_MUST_CHECK;

#endif
