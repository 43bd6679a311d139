/* dlopened - takes CPU time in two libraries, one after the other.
 *
 *	dlopened FIRST SECOND [SECONDS]
 *
 * Loads the shared library FIRST, takes a quarter of SECONDS (1) of CPU time in
 * its function in_first(), unloads it, does the same for the rest of the time
 * with SECOND and in_second(), which the loader likes to put at the same place.
 * Prints the share of each in the CPU time of the process, in percent:
 *
 *	in_first P
 *	in_second P
 *	same_address 0|1	the functions were at the same place
 *	cpu_seconds S */
#include "work.h"

#include <dlfcn.h>

struct visit {
	uintptr_t addr; /* of the function */
	uint64_t ns;    /* of CPU time in it */
};

static struct visit
visit(const char *path, const char *name, uint64_t quota_ns)
{
	struct visit visit = {0};
	uint64_t random = 88172645463;
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	void (*function)(uint64_t turns) = NULL;

	if (library)
		*(void **)&function = dlsym(library, name);
	if (!function) {
		fprintf(stderr, "%s: %s\n", path, dlerror());
		exit(99);
	}
	visit.addr = (uintptr_t)function;
	uint64_t start_ns = thread_ns();
	struct budget time = budget(quota_ns);

	while (is_left(&time))
		function(draw_slice(&random));
	visit.ns = thread_ns() - start_ns;
	dlclose(library);
	return visit;
}

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 3, 1.0), all_ns;
	struct visit first, second;

	if (argc < 3)
		usage(argv[0], "FIRST SECOND [SECONDS]");
	first = visit(argv[1], "in_first", quota_ns / 4);
	second = visit(argv[2], "in_second", quota_ns - quota_ns / 4);
	all_ns = process_ns();
	printf("in_first %.3f\n", percent(first.ns, all_ns));
	printf("in_second %.3f\n", percent(second.ns, all_ns));
	printf("same_address %d\n", first.addr == second.addr);
	printf("cpu_seconds %.6f\n", seconds(all_ns));
	return 0;
}
