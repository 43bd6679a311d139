/* unanswered - a thread whose stack pointer leads to memory that never comes.
 *
 *	unanswered [SECONDS]
 *
 * For about SECONDS (1) of CPU time of a usual processor it counts, touching no
 * memory; its stack is a userfaultfd's that nobody reads.  Ends with 0; with 77
 * where that is not permitted, or on another machine. */
#include <stdint.h>
#include <stdlib.h>

#include "../support/unanswered.h"

enum { TURNS_PER_S = 1000000000, STACK_BYTES = 64 << 10 };

int
main(int argc, char **argv)
{
	char *never = prf_unanswered_map(STACK_BYTES);
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	uint64_t turns = 1 + (uint64_t)(seconds * TURNS_PER_S);

	if (!never)
		return 77;
#ifdef __x86_64__
	__asm__ volatile("mov %0, %%rsp\n"
			 "1:\n\t"
			 "dec %1\n\t"
			 "jnz 1b\n\t"
			 "xor %%edi, %%edi\n\t"
			 "mov %2, %%eax\n\t"
			 "syscall" ::"r"(never + STACK_BYTES / 2),
			 "r"(turns), "i"(SYS_exit_group)
			 : "rdi", "rax");
#else
	(void)turns;
#endif
	return 77;
}
