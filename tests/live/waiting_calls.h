/* waiting_calls.h - by which system calls poll() and pause() wait. */
#ifndef PRF_TESTS_WAITING_CALLS_H
#define PRF_TESTS_WAITING_CALLS_H

#include <sys/syscall.h>

/* Machines that came later have only the newer call. */
#ifdef SYS_poll
enum { POLL_CALL = SYS_poll, PAUSE_CALL = SYS_pause };
#else
enum { POLL_CALL = SYS_ppoll, PAUSE_CALL = SYS_ppoll };
#endif

#endif
