/* wide - a program with a great many mappings in a great address space.
 *
 *	wide [SECONDS [MAPPINGS]]
 *
 * Reserves 4 TiB, has the kernel make MAPPINGS (100000) of them, every second one
 * executable, or as many as vm.max_map_count lets it, touches some, and takes SECONDS
 * (1) of CPU time in work().  Prints
 *
 *	mappings N
 *	cpu_seconds S */
#include "work.h"

#include <sys/mman.h>

#define RESERVED (UINT64_C(4) << 40)

static APART void
work(uint64_t turns)
{
	spend(turns, 5);
}

/* Makes two of one with every call.  Returns how many there are. */
static unsigned
divide(char *reserved, unsigned most)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	unsigned n = 1;

	for (; n + 2 <= most; n += 2)
		if (mprotect(reserved + n * page_bytes, page_bytes,
			     PROT_READ | PROT_EXEC))
			break;
	return n;
}

int
main(int argc, char **argv)
{
	uint64_t random = 88172645463;
	uint64_t quota_ns = number_ns(argc, argv, 1, 1.0);
	unsigned most = (unsigned)number(argc, argv, 2, 100000);
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	char *reserved =
		mmap(NULL, RESERVED, PROT_READ | PROT_WRITE, flags, -1, 0);

	if (reserved == MAP_FAILED) {
		perror("4 TiB");
		return 77;
	}
	printf("mappings %u\n", divide(reserved, most));
	for (uint64_t at = RESERVED / 2; at < RESERVED; at += RESERVED / 64)
		reserved[at] = 1;
	struct budget time = budget(quota_ns);
	do
		work(draw_slice(&random));
	while (is_left(&time));
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	return 0;
}
