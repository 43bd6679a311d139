#!/bin/sh
# prf_monitor fails as its manual page says, and then nothing has begun.
set -eu
. "$abs_top_srcdir/tests/inproc/installed.sh"

cat >errors.c <<'END'
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <profrun/monitor.h>

extern char __executable_start[], etext[];

static int n_bad;

static void
expect(const char *what, int rc, int wanted_errno)
{
	if (wanted_errno ? rc == -1 && errno == wanted_errno : rc == 0)
		return;
	fprintf(stderr, "%s: %d, %s\n", what, rc, strerror(errno));
	n_bad++;
}

static int
begin(const char *path)
{
	return prf_monitor(__executable_start, etext, path);
}

static int
end(void)
{
	return prf_monitor(NULL, NULL, NULL);
}

/* Is nothing to be written, and no signal handled? */
static void
expect_nothing(const char *what)
{
	struct sigaction action;

	sigaction(SIGTERM, NULL, &action);
	expect(what, action.sa_handler == SIG_DFL ? 0 : -1, 0);
	expect(what, end(), 0);
	expect(what, access("x", F_OK), ENOENT);
}

static void
check_ranges(void)
{
	const char *libcs = (const char *)stdout;

	expect("backwards", prf_monitor(etext, __executable_start, "x"),
	       EINVAL);
	expect("empty", prf_monitor(etext, etext, "x"), EINVAL);
	expect("nowhere", prf_monitor((void *)8, (void *)16, "x"), EINVAL);
	expect("two objects", prf_monitor(__executable_start, libcs + 1, "x"),
	       EINVAL);
	expect_nothing("after bad ranges");
}

static void
check_paths(void)
{
	static char path[8192];
	char *here = getcwd(NULL, 0);

	memset(path, 'x', sizeof path - 1);
	expect("a long path", begin(path), ENAMETOOLONG);
	if (mkdir("gone", 0777) < 0 || chdir("gone") < 0 ||
	    rmdir("../gone") < 0)
		abort();
	expect("a path below nothing", begin("x"), ENOENT);
	if (chdir(here) < 0)
		abort();
	free(here);
	expect_nothing("after bad paths");
}

static void
check_limit(const char *what, int resource, int wanted_errno)
{
	struct rlimit before, limit;

	getrlimit(resource, &before);
	limit = (struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max};
	setrlimit(resource, &limit);
	int rc = begin("x"), rc_errno = errno;
	setrlimit(resource, &before);
	errno = rc_errno;
	expect(what, rc, wanted_errno);
	expect_nothing(what);
}

static void
on_signal(int signo)
{
	(void)signo;
}

static void
check_others_handler(void)
{
	signal(SIGURG, on_signal);
	expect("the program's SIGURG", begin("x"), EBUSY);
	expect_nothing("after the program's SIGURG");
	signal(SIGURG, SIG_DFL);
}

/* Known only when it is written. */
static void
check_write(void)
{
	expect("begun in no directory", begin("nowhere/x"), 0);
	expect("written to no directory", end(), ENOENT);
	expect_nothing("after no directory");
	expect("begun in no directory again", begin("nowhere/x"), 0);
	expect("a second call", begin("x"), ENOENT);
	expect_nothing("after a second call");
}

int
main(void)
{
	signal(SIGTERM, SIG_DFL);
	check_ranges();
	check_paths();
	check_others_handler();
	check_limit("no memory", RLIMIT_AS, ENOMEM);
	check_limit("no timers", RLIMIT_SIGPENDING, EAGAIN);
	check_write();
	expect("after all that", begin("x"), 0);
	expect("the end", end(), 0);
	expect("the file", access("x", F_OK), 0);
	return n_bad > 0;
}
END
compile errors errors.c || exit 1
./errors || bad=1
exit "$bad"
