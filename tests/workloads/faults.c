/* faults - kernel time outside of system calls.
 *
 *	faults [SECONDS]
 *
 * For SECONDS (1) of CPU time it touches pages that it has not touched yet, in
 * touch(); for each page the kernel is entered without a system call.  Prints, by
 * the kernel's accounting:
 *
 *	user_seconds S
 *	system_seconds S
 *	faults N
 *	cpu_seconds S */
#include "work.h"

#include <sys/mman.h>
#include <sys/resource.h>

#define PAGES 4096u

static APART void
touch(volatile char *memory, size_t page_bytes)
{
	for (size_t i = 0; i < PAGES; i++)
		memory[i * page_bytes] = 1;
}

static double
seconds_of(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

int
main(int argc, char **argv)
{
	struct budget time = budget(number_ns(argc, argv, 1, 1.0));
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	struct rusage used;

	do {
		char *memory =
			mmap(NULL, PAGES * page_bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED)
			die("mmap");
		/* One page at a time. */
		madvise(memory, PAGES * page_bytes, MADV_NOHUGEPAGE);
		touch(memory, page_bytes);
		munmap(memory, PAGES * page_bytes);
	} while (is_left(&time));
	if (getrusage(RUSAGE_SELF, &used))
		die("getrusage");
	printf("user_seconds %.6f\nsystem_seconds %.6f\nfaults %ld\n"
	       "cpu_seconds %.6f\n",
	       seconds_of(used.ru_utime), seconds_of(used.ru_stime),
	       used.ru_minflt, seconds(process_ns()));
	return 0;
}
