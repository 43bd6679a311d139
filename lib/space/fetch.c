#include "space/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock_ns.h"
#include "core/scope.h"

enum {
	DEADLINE_MS = 2000, /* from one answer to the next */
	MOST_MS = 20000,    /* for all of them: it may answer slowly for ever */
	PIECE_BYTES = 1 << 20,
};

#define MOST_BYTES ((off_t)256 << 20)

/* One is sent when the file is open, one for each piece, and one at the end.  They
 * are shorter than what a pipe takes as a whole. */
struct answer {
	int rc;
	bool is_last;
	struct stat st;
};

/* --- The process that asks; it calls nothing that may wait for a thread that it
 * does not have.  (malloc() does not, after fork().) */

enum { COPY_FD = 0, ANSWERS_FD = 1 };

/* It may be left for long, and nobody is to wait for what it has open. */
static void
close_others(void)
{
	enum { MOST_FDS = 1024 };

#ifdef SYS_close_range
	if (!syscall(SYS_close_range, ANSWERS_FD + 1, ~0U, 0))
		return;
#endif
	for (int fd = ANSWERS_FD + 1; fd < MOST_FDS; fd++)
		close(fd);
}

/* Who has waited too long reads no more, and the signal of that is blocked. */
static void
send_answer(const struct answer *answer)
{
	if (write(ANSWERS_FD, answer, sizeof *answer) != sizeof *answer)
		_exit(1);
}

static int
copy_all(int fd, struct answer *answer)
{
	ssize_t n;
	off_t left = answer->st.st_size;

	if (left > MOST_BYTES)
		return -EFBIG;
	for (; left > 0; left -= n) {
		n = sendfile(COPY_FD, fd, NULL,
			     left < PIECE_BYTES ? (size_t)left : PIECE_BYTES);
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		send_answer(answer);
	}
	return 0;
}

static _Noreturn void
serve(const struct prf_fetch *what, bool copies, int copy_fd, int answers_fd)
{
	struct answer answer = {0};

	/* It goes with the thread that asks, as soon as the wait allows. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(answers_fd, ANSWERS_FD) < 0 ||
	    (copies && dup2(copy_fd, COPY_FD) < 0))
		_exit(1);
	close_others();
	int fd = what->open(what->arg);
	answer.rc = fd < 0 ? fd : fstat(fd, &answer.st) ? -errno : 0;
	if (!answer.rc && copies) {
		send_answer(&answer);
		answer.rc = what->pick ? what->pick(fd, COPY_FD)
				       : copy_all(fd, &answer);
	}
	answer.is_last = true;
	send_answer(&answer);
	_exit(0);
}

/* --- The one that waits for it */

static int64_t
now_ms(void)
{
	return (int64_t)(prf_clock_ns(CLOCK_MONOTONIC) / 1000000);
}

static int
receive(int answers_fd, struct answer *answer, int64_t left_ms)
{
	struct pollfd ready = {.fd = answers_fd, .events = POLLIN};
	int n;

	/* What is there when the time is over is taken: it may have passed while
	 * this process was stopped. */
	if (left_ms < 0)
		left_ms = 0;
	do
		n = poll(&ready, 1,
			 left_ms < DEADLINE_MS ? (int)left_ms : DEADLINE_MS);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n == 0)
		return left_ms < DEADLINE_MS ? -ETIME : -ETIMEDOUT;
	return read(answers_fd, answer, sizeof *answer) == sizeof *answer
		       ? 0
		       : -EIO;
}

static int
receive_last(int answers_fd, int most_ms, struct stat *st)
{
	const int64_t end_ms = now_ms() + (most_ms ? most_ms : MOST_MS);
	struct answer answer = {0};
	int rc;

	do
		rc = receive(answers_fd, &answer, end_ms - now_ms());
	while (!rc && !answer.is_last);
	*st = answer.st;
	return rc ? rc : answer.rc;
}

/* COPY_FD -1: nothing is copied. */
static int
ask(const struct prf_fetch *what, int copy_fd, struct stat *st)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	PRF_AUTO(prf_auto_close) int answers_fd = ends[0];
	pid_t pid = fork();
	if (pid == 0)
		serve(what, copy_fd >= 0, copy_fd, ends[1]);
	int rc = pid < 0 ? -errno : 0;
	close(ends[1]);
	if (!rc)
		rc = receive_last(answers_fd, what->most_ms, st);
	/* Its end is not waited for, since that closes the file.  Who traces, and
	 * may take the end of any child, has taken this or will. */
	if (pid > 0)
		waitpid(pid, NULL, WNOHANG);
	return rc;
}

int
prf_fetch_copy(const struct prf_fetch *what, struct stat *st)
{
	int fd = memfd_create("copy", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	int rc = ask(what, fd, st);
	if (!rc)
		return fd;
	close(fd);
	return rc;
}

int
prf_fetch_stat(const struct prf_fetch *what, struct stat *st)
{
	return ask(what, -1, st);
}
