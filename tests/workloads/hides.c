/* hides - shuts itself in, or others out, and works.
 *
 *	hides [SECONDS [plain|dumpable|chroot|ptracer|no_new_privs]]
 *
 * plain does nothing, dumpable makes its memory nobody's business, chroot goes
 * where there are no files, ptracer names another process as the one that may
 * trace it, no_new_privs gives up all rights that exec could bring.  Then it takes
 * SECONDS (0.2) of CPU time in hidden(), half of it in a thread that it makes after
 * that.  Prints
 *
 *	cpu_seconds S
 *
 * and ends with 77 if it may not do so. */
#include "work.h"

#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>

static APART void
hidden(uint64_t quota_ns)
{
	struct budget time = budget(quota_ns);

	while (is_left(&time))
		spend(50 * TURNS_PER_US, 1);
}

static int
plainly(void)
{
	return 0;
}

static int
by_dumpable(void)
{
	return prctl(PR_SET_DUMPABLE, 0);
}

static int
by_chroot(void)
{
	char folder[] = "hides-XXXXXX", outside[32] = "../";

	/* An empty one.  It is removed from outside, and yet the root. */
	if (!mkdtemp(folder) || chdir(folder) || rmdir(strcat(outside, folder)))
		die(folder);
	return chroot(".");
}

static int
by_ptracer(void)
{
	/* A security module may know of this; else nothing is changed. */
	prctl(PR_SET_PTRACER, 1);
	return 0;
}

static int
by_no_new_privs(void)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static const struct {
	const char *name;
	int (*hide)(void);
} ways[] = {
	{"plain", plainly},
	{"dumpable", by_dumpable},
	{"chroot", by_chroot},
	{"ptracer", by_ptracer},
	{"no_new_privs", by_no_new_privs},
};

static void *
work_hidden(void *quota_ns)
{
	hidden(*(uint64_t *)quota_ns);
	return NULL;
}

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 1, 0.2) / 2;
	const char *name = word(argc, argv, 2, "plain");
	pthread_t thread;

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (strcmp(ways[i].name, name))
			continue;
		if (ways[i].hide()) {
			perror(name);
			return 77;
		}
		hidden(quota_ns);
		if (pthread_create(&thread, NULL, work_hidden, &quota_ns))
			die("pthread_create");
		pthread_join(thread, NULL);
		printf("cpu_seconds %.6f\n", seconds(process_ns()));
		return 0;
	}
	usage(argv[0],
	      "[SECONDS [plain|dumpable|chroot|ptracer|no_new_privs]]");
}
