#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>

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
	setenv("CK_DEFAULT_TIMEOUT", TEST_TIMEOUT_S, 0);
	SRunner *runner = srunner_create(prf_suite());
	srunner_run_all(runner, CK_ENV);
	int n_failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return n_failed > 0;
}
