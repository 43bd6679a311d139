#include "support/descriptors.h"

#include <check.h>
#include <fcntl.h>
#include <unistd.h>

int
prf_test_n_open(void)
{
	int n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

void
prf_test_limit_open(rlim_t most)
{
	struct rlimit limit;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = most;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

void
prf_test_leave_little_room(void)
{
	int lowest_free = dup(STDIN_FILENO);

	ck_assert_int_ge(lowest_free, 0);
	close(lowest_free);
	prf_test_limit_open(2 * (rlim_t)lowest_free);
}
