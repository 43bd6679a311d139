/* copied_stack.h - what a sink that makes stacks is given, as lib/live does it:
 * what is mapped, and samples that come with a copy of a stack. */
#ifndef PRF_TESTS_COPIED_STACK_H
#define PRF_TESTS_COPIED_STACK_H

#include <stddef.h>
#include <sys/types.h>

#include "core/error.h"
#include "core/sample.h"
#include "unwind/stack_copy.h"

/* Room for a copy whose ranges have so many bytes. */
#define PRF_COPIED_STACK_ROOM(n_bytes)                                         \
	union {                                                                \
		struct prf_stack_copy head;                                    \
		char room[sizeof(struct prf_stack_copy) + (n_bytes)];          \
	}

/* PID has what TEXT says, which is of SIZE bytes, as in /proc/PID/maps. */
int prf_copied_stack_maps(struct prf_sink *sink, pid_t pid, const char *text,
			  size_t size, struct prf_error *err);

/* A sample of PID worth a tick, at PC, with COPY, which is of N_BYTES. */
int prf_copied_stack_sample(struct prf_sink *sink, pid_t pid, uint64_t pc,
			    const void *copy, size_t n_bytes);

#endif
