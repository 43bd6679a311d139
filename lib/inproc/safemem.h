/* safemem.h - memory of this process that may not be there.
 *
 * A buffer can be unmapped, or made read-only, or its file be cut short, at any
 * moment and by any thread.  The kernel reads and writes it for us: memory that
 * is not there is -EFAULT, not a signal, and the program's handlers of SIGSEGV
 * and SIGBUS are never involved.  Private read-only memory is not written.
 *
 * Where process_vm_readv(2) is forbidden (by a seccomp filter), the kernel is
 * asked about the memory, which is then touched; memory that another thread
 * unmaps in the few nanoseconds between the two causes the signal.
 *
 * All of these are async-signal-safe.  They leave errno undefined. */
#ifndef PRF_INPROC_SAFEMEM_H
#define PRF_INPROC_SAFEMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies SIZE_BYTES; 0, or -EFAULT if not all of them could be copied. */
int prf_safemem_read(void *to, uintptr_t from, size_t size_bytes);
int prf_safemem_write(uintptr_t to, const void *from, size_t size_bytes);

/* Can the byte at ADDR be written? */
bool prf_safemem_is_writable(uintptr_t addr);

/* Are SIZE_BYTES (not 0) there, can they be read, and the first and the last of
 * them be written?  A system call for each page, which is read: the pages
 * between are not written, since that would make memory of pages that nobody
 * has touched yet. */
bool prf_safemem_is_buffer(uintptr_t addr, size_t size_bytes);

/* The counter at ADDR, of 2, 4 or 8 bytes, was BEFORE and becomes AFTER.  What
 * others add to it meanwhile, in this process or in one that shares the memory,
 * is not lost, and its neighbours are not touched.  0 or -EFAULT.
 *
 * A counter in shared memory that becomes less, or comes within 4096 of the most
 * that it can hold, changes only if it is still BEFORE; otherwise this is
 * -EAGAIN, and nothing has changed.  So does one of 8 bytes whose lower half is
 * like that.  There, a file that is cut short in the same nanoseconds
 * causes a signal.  None of this is promised for a counter that is not aligned;
 * for one of a process that is stopped in here while others count 4096 ticks
 * more; and for one near its maximum where mremap(2) is forbidden, or the pages
 * are huge. */
int prf_safemem_change(uintptr_t addr, unsigned width_bytes, uint64_t before,
		       uint64_t after);

#endif
