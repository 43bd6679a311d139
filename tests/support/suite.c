#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Tests are processes of their own. */
static int *n_skipped;

_Noreturn void
prf_skip(const char *why)
{
	fprintf(stderr, "skipped: %s\n", why);
	__atomic_add_fetch(n_skipped, 1, __ATOMIC_SEQ_CST);
	exit(EXIT_SUCCESS);
}

const char *
prf_test_file(const char *name)
{
	static char path[4096];
	const char *top = getenv("top_srcdir");

	snprintf(path, sizeof path, "%s/tests/%s", top ? top : ".", name);
	return path;
}

/* Check's own limit of 4 s is too short for a busy machine. */
#define TEST_TIMEOUT_S "60"

int
main(void)
{
	enum { SKIPPED = 77 };

	setenv("CK_DEFAULT_TIMEOUT", TEST_TIMEOUT_S, 0);
	n_skipped = mmap(NULL, sizeof *n_skipped, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (n_skipped == MAP_FAILED)
		return EXIT_FAILURE;
	SRunner *runner = srunner_create(prf_suite());
	srunner_run_all(runner, CK_ENV);
	int n_failed = srunner_ntests_failed(runner);
	int n_run = srunner_ntests_run(runner);
	srunner_free(runner);
	if (*n_skipped)
		printf("%d of %d tests skipped\n", *n_skipped, n_run);
	return n_failed > 0                   ? EXIT_FAILURE
	       : n_run && *n_skipped == n_run ? SKIPPED
					      : EXIT_SUCCESS;
}
