/* failing - a library to preload: one allocation of a program fails.
 *
 *	PRF_FAIL=N PRF_FAILED=FILE LD_PRELOAD=.../failing.so PROGRAM
 *
 * Of the allocations that PROGRAM and the C library make from the beginning of
 * main() on, the Nth fails; FILE then says where.  What other libraries ask for
 * is given to them.  Children of the program, and what they run, are left
 * alone. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What glibc calls its own. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

#define EXPORTED __attribute__((visibility("default")))
#define CALLER ((uintptr_t)__builtin_return_address(0))

/* The code of one file. */
struct code {
	uintptr_t lo, hi;
};

static struct {
	struct code program, libc;
	unsigned long nth;
	const char *told; /* the file to tell where */
	int (*main)(int argc, char **argv, char **environ_);
	pid_t pid; /* 0: not yet in main() */
} failing;

static atomic_ulong n_allocations;

static bool
is_in(const struct code *code, uintptr_t addr)
{
	return addr >= code->lo && addr < code->hi;
}

static void
tell(void)
{
	void *frames[32];
	int fd = open(failing.told, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		      0600);

	if (fd < 0)
		_exit(99);
	backtrace_symbols_fd(frames, backtrace(frames, 32), fd);
	close(fd);
}

/* Is it the turn of the allocation that CALLER asks for? */
static bool
fails(uintptr_t caller)
{
	if (!failing.pid ||
	    (!is_in(&failing.program, caller) && !is_in(&failing.libc, caller)))
		return false;
	if (atomic_fetch_add(&n_allocations, 1) + 1 != failing.nth ||
	    getpid() != failing.pid)
		return false;
	tell();
	errno = ENOMEM;
	return true;
}

EXPORTED void *
malloc(size_t size)
{
	return fails(CALLER) ? NULL : __libc_malloc(size);
}

EXPORTED void *
calloc(size_t n, size_t size)
{
	return fails(CALLER) ? NULL : __libc_calloc(n, size);
}

EXPORTED void *
realloc(void *old, size_t size)
{
	return fails(CALLER) ? NULL : __libc_realloc(old, size);
}

EXPORTED void *
reallocarray(void *old, size_t n, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(n, size, &all) || fails(CALLER)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_realloc(old, all);
}

EXPORTED void *
aligned_alloc(size_t alignment, size_t size)
{
	return fails(CALLER) ? NULL : __libc_memalign(alignment, size);
}

EXPORTED int
posix_memalign(void **memory, size_t alignment, size_t size)
{
	void *found = fails(CALLER) ? NULL : __libc_memalign(alignment, size);

	if (!found)
		return ENOMEM;
	*memory = found;
	return 0;
}

/* --- Where the code lies, and when it begins */

static int
note_code(struct dl_phdr_info *info, size_t size, void *addr_in_libc)
{
	struct code code = {UINTPTR_MAX, 0};

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *phdr = &info->dlpi_phdr[i];
		uintptr_t lo = info->dlpi_addr + phdr->p_vaddr;

		if (phdr->p_type != PT_LOAD || !(phdr->p_flags & PF_X))
			continue;
		code.lo = lo < code.lo ? lo : code.lo;
		code.hi = lo + phdr->p_memsz > code.hi ? lo + phdr->p_memsz
						       : code.hi;
	}
	if (!failing.program.hi)
		failing.program = code; /* it comes first */
	if (is_in(&code, (uintptr_t)addr_in_libc))
		failing.libc = code;
	return 0;
}

static int
fail_from_here(int argc, char **argv, char **environ_)
{
	void *frame;

	backtrace(&frame, 1); /* this loads what it needs */
	failing.pid = getpid();
	return failing.main(argc, argv, environ_);
}

static const char *
take_variable(const char *name)
{
	const char *value = getenv(name);

	value = value ? strdup(value) : NULL;
	unsetenv(name);
	return value;
}

typedef int start_main(int (*)(int, char **, char **), int, char **,
		       void (*)(void), void (*)(void), void (*)(void), void *);

EXPORTED start_main __libc_start_main;

EXPORTED int
__libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
		  void (*init)(void), void (*fini)(void),
		  void (*rtld_fini)(void), void *stack_end)
{
	start_main *start = (start_main *)dlsym(RTLD_NEXT, "__libc_start_main");
	const char *nth = take_variable("PRF_FAIL");

	failing.told = take_variable("PRF_FAILED");
	unsetenv("LD_PRELOAD");
	if (nth && failing.told) {
		failing.nth = strtoul(nth, NULL, 10);
		dl_iterate_phdr(note_code, (void *)(uintptr_t)start);
		failing.main = main;
		main = fail_from_here;
	}
	return start(main, argc, argv, init, fini, rtld_fini, stack_end);
}
