/* jitted - takes CPU time in machine code it made itself.
 *
 *	jitted [SECONDS]
 *
 * Writes two small functions into anonymous memory, names them jit_one and
 * jit_two in /tmp/perf-PID.map, as JIT compilers do, and takes SECONDS (1) of
 * CPU time in them, 1 : 3, in slices of random length.  The map stays there.
 * Prints the shares in the CPU time of the process, in percent:
 *
 *	map PATH
 *	jit_one, jit_two P
 *	cpu_seconds S
 *
 * Only for x86-64; elsewhere `refused jit`, and exit status 77. */
#include "work.h"

#include <string.h>
#include <sys/mman.h>

#ifdef __x86_64__
/* void f(uint64_t turns): counts down to 0; TURNS > 0. */
static const unsigned char code[] = {
	0x48, 0x89, 0xf8, /*    mov %rdi, %rax */
	0x48, 0xff, 0xc8, /* 1: dec %rax */
	0x75, 0xfb,       /*    jnz 1b */
	0xc3,             /*    ret */
};

#define ROOM 4096 /* for both; the second begins in the middle */

static void
write_map(const char *memory)
{
	char path[64];
	FILE *map;

	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
	printf("map %s\n", path);
	map = fopen(path, "w");
	if (!map)
		die(path);
	fprintf(map, "%llx %zx jit_one\n%llx %zx jit_two\n",
		(unsigned long long)(uintptr_t)memory, sizeof code,
		(unsigned long long)(uintptr_t)(memory + ROOM / 2),
		sizeof code);
	if (fclose(map))
		die(path);
}

static char *
make_code(void)
{
	char *memory = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die("mmap");
	memcpy(memory, code, sizeof code);
	memcpy(memory + ROOM / 2, code, sizeof code);
	if (mprotect(memory, ROOM, PROT_READ | PROT_EXEC)) {
		puts("refused jit");
		exit(77);
	}
	return memory;
}

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 1, 1.0), random = 88172645463;
	uint64_t start_ns, work_ns, all_ns;
	char *memory = make_code();
	void (*jit_one)(uint64_t turns), (*jit_two)(uint64_t turns);

	*(void **)&jit_one = memory;
	*(void **)&jit_two = memory + ROOM / 2;
	write_map(memory);
	start_ns = thread_ns();
	struct budget time = budget(quota_ns);
	while (is_left(&time)) {
		uint64_t turns = 4 * draw_slice(&random);

		jit_one(turns);
		jit_two(turns * 3);
	}
	work_ns = thread_ns() - start_ns;
	all_ns = process_ns();
	printf("jit_one %.3f\n", percent(work_ns, all_ns) / 4);
	printf("jit_two %.3f\n", percent(work_ns, all_ns) * 3 / 4);
	printf("cpu_seconds %.6f\n", seconds(all_ns));
	return 0;
}
#else
int
main(void)
{
	puts("refused jit");
	return 77;
}
#endif
