/* syscalls.h - the names of system calls. */
#ifndef PRF_IMAGE_SYSCALLS_H
#define PRF_IMAGE_SYSCALLS_H

/* Numbers from 0 up to this, not including it, may have names. */
int prf_syscall_limit(void);
/* "read" for the number of read(2) on the machine this was built for; NULL
 * where the number has no name. */
const char *prf_syscall_name(int number);

#endif
