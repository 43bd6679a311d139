/* flicker - a thread whose stack comes and goes.
 *
 *	flicker [SECONDS]
 *
 * For about SECONDS (1) of CPU time of a usual processor one thread counts, touching
 * no memory; its stack pointer leads to memory of a userfaultfd's, which another
 * thread brings and takes away all the time.  Who reads it in between waits for that
 * thread.  Ends with 0; with 77 where that is not permitted, or on another machine. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "../support/unanswered.h"

enum { TURNS_PER_S = 1000000000, STACK_BYTES = 16 << 10 };

static char *stack;
static int fd;
static char zeros[STACK_BYTES] __attribute__((aligned(4096)));

static void *
flicker(void *arg)
{
	for (;;) {
		struct uffdio_copy copy = {
			.dst = (uintptr_t)stack,
			.src = (uintptr_t)zeros,
			.len = STACK_BYTES,
		};

		ioctl(fd, UFFDIO_COPY, &copy);
		for (volatile int i = 0; i < 20; i++)
			;
		madvise(stack, STACK_BYTES, MADV_DONTNEED);
	}
	return arg;
}

int
main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	uint64_t turns = 1 + (uint64_t)(seconds * TURNS_PER_S);
	pthread_t thread;

	stack = prf_unanswered_map_until(STACK_BYTES, &fd);
	if (!stack || pthread_create(&thread, NULL, flicker, NULL))
		return 77;
#ifdef __x86_64__
	__asm__ volatile("mov %0, %%rsp\n"
			 "1:\n\t"
			 "dec %1\n\t"
			 "jnz 1b\n\t"
			 "xor %%edi, %%edi\n\t"
			 "mov %2, %%eax\n\t"
			 "syscall" ::"r"(stack + STACK_BYTES / 2),
			 "r"(turns), "i"(SYS_exit_group)
			 : "rdi", "rax");
#else
	(void)turns;
#endif
	return 77;
}
