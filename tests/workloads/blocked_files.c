/* blocked_files - waits at a descriptor that is no socket, and for locks. */
#include "blocked.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif

/* Reads from FD, which never has anything. */
static void
sit_reading(struct seat *seat, int fd)
{
	char buffer[4096];

	SIT(seat, read(fd, buffer, sizeof buffer));
}

static void
make_pipe(struct seat *seat, int ends[2])
{
	seat_needs(seat, pipe(ends));
}

static void
in_read_pipe(struct seat *seat)
{
	int ends[2];

	make_pipe(seat, ends);
	sit_reading(seat, ends[0]);
}

/* Half of it fits: that the pipe took some would show in a result. */
static void
in_write_pipe(struct seat *seat)
{
	static char buffer[1 << 17];
	int ends[2];

	make_pipe(seat, ends);
	SIT(seat, write(ends[1], buffer, sizeof buffer));
}

static void
in_splice(struct seat *seat)
{
	int from[2], to[2];

	make_pipe(seat, from);
	make_pipe(seat, to);
	SIT(seat, splice(from[0], NULL, to[1], NULL, 4096, 0));
}

static void
in_read_eventfd(struct seat *seat)
{
	sit_reading(seat, seat_needs(seat, eventfd(0, 0)));
}

static void
in_read_timerfd(struct seat *seat)
{
	const struct itimerspec later = {{0, 0}, {LONG_S, 0}};
	int fd = seat_needs(seat, timerfd_create(CLOCK_MONOTONIC, 0));

	seat_needs(seat, timerfd_settime(fd, 0, &later, NULL));
	sit_reading(seat, fd);
}

static void
in_read_signalfd(struct seat *seat)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sit_reading(seat, seat_needs(seat, signalfd(-1, &set, 0)));
}

static void
in_read_inotify(struct seat *seat)
{
	sit_reading(seat, seat_needs(seat, inotify_init()));
}

static void
in_read_tty(struct seat *seat)
{
	int master = seat_needs(seat, posix_openpt(O_RDWR | O_NOCTTY));
	char path[64];

	seat_needs(seat, grantpt(master));
	seat_needs(seat, unlockpt(master));
	seat_needs(seat, ptsname_r(master, path, sizeof path) ? -1 : 0);
	sit_reading(seat, seat_needs(seat, open(path, O_RDWR | O_NOCTTY)));
}

/* Tells of page faults; there are none. */
static void
in_read_userfaultfd(struct seat *seat)
{
	struct uffdio_api api = {.api = UFFD_API};
	int fd = seat_needs(seat,
			    (int)syscall(SYS_userfaultfd, UFFD_USER_MODE_ONLY));

	seat_needs(seat, ioctl(fd, UFFDIO_API, &api));
	sit_reading(seat, fd);
}

/* Opens again what FD is, as a file of its own. */
static int
open_again(int fd, int flags)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return open(path, flags);
}

/* Of a FIFO that has no name any more when it is waited for. */
static void
in_open_fifo(struct seat *seat)
{
	char folder[] = "/tmp/blocked-XXXXXX", path[64];
	int fd = -1, code;

	if (!mkdtemp(folder))
		seat_needs(seat, -1);
	snprintf(path, sizeof path, "%s/fifo", folder);
	if (!mkfifo(path, 0600))
		fd = open(path, O_PATH);
	code = errno;
	unlink(path);
	rmdir(folder);
	errno = code;
	seat_needs(seat, fd);
	SIT(seat, open_again(fd, O_RDONLY));
}

static void
in_flock(struct seat *seat)
{
	int held = seat_needs(seat, memfd_create("flock", 0));
	int other = seat_needs(seat, open_again(held, O_RDWR));

	seat_needs(seat, flock(held, LOCK_EX));
	SIT(seat, flock(other, LOCK_EX));
}

static void
in_fcntl_lock(struct seat *seat)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int held = seat_needs(seat, memfd_create("fcntl", 0));
	int other = seat_needs(seat, open_again(held, O_RDWR));

	seat_needs(seat, fcntl(held, F_OFD_SETLK, &lock));
	SIT(seat, fcntl(other, F_OFD_SETLKW, &lock));
}

const struct place blocked_files[] = {
	{"read_pipe", in_read_pipe},
	{"write_pipe", in_write_pipe},
	{"splice", in_splice},
	{"read_eventfd", in_read_eventfd},
	{"read_timerfd", in_read_timerfd},
	{"read_signalfd", in_read_signalfd},
	{"read_inotify", in_read_inotify},
	{"read_tty", in_read_tty},
	{"read_userfaultfd", in_read_userfaultfd},
	{"open_fifo", in_open_fifo},
	{"flock", in_flock},
	{"fcntl_lock", in_fcntl_lock},
	{NULL, NULL},
};
