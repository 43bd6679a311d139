/* memory.h - the memory of another process, as far as it is there: a page that
 * somebody else has to bring (pagemap.h) is not waited for.
 *
 * The threads of the process may run, and one can take a page away between the
 * question and the answer.  The kernel has no read of another's memory that does
 * not wait then, and does not say which memory is a userfaultfd's; to have all of
 * it read by another thread would cost each sample two switches.  So it is left to
 * who looks at the reads (reach.h). */
#ifndef PRF_LIVE_PROC_MEMORY_H
#define PRF_LIVE_PROC_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "live/proc/page_runs.h"

/* At most so much is read at once. */
enum { PRF_MEMORY_MOST_BYTES = PRF_PAGE_RUNS_MOST_BYTES };

/* The memory of one process, while it runs one program. */
struct prf_memory;

/* NULL: out of memory. */
struct prf_memory *prf_memory_new(void);
void prf_memory_free(struct prf_memory *memory); /* takes NULL */

/* Reads the N_BYTES at ADDR of the process of TID, a thread that lives.  Pages
 * that are not there read as bytes ABSENT: 0 as those do that were never touched.
 * Returns how many bytes could be read: 0 if there is nothing at ADDR.
 */
size_t prf_memory_read(struct prf_memory *memory, pid_t tid, uint64_t addr,
		       void *to, size_t n_bytes, uint8_t absent);

#endif
