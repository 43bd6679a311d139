#include "src/top/top_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/clock_ns.h"

/* A file has a place where it is written, which is not to be lost. */
int
prf_top_open_quick(int fd)
{
	char path[64];
	struct stat st;
	int quick = -1;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (!fstat(fd, &st) && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode)))
		quick = open(path,
			     O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (quick < 0)
		quick = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return quick < 0 ? -errno : quick;
}

/* A terminal that has room for one byte, and so is said to take some, need not take
 * the end of a line, which is two: so it is not asked when it will. */
static void
pause_a_little(void)
{
	const struct timespec little = {.tv_nsec = 10000000};

	nanosleep(&little, NULL);
}

int
prf_top_copy(int from, off_t *at, int quick, uint64_t end_ns)
{
	char bytes[4096];
	ssize_t n;

	while ((n = pread(from, bytes, sizeof bytes, *at)) > 0) {
		ssize_t taken = write(quick, bytes, (size_t)n);

		if (taken > 0)
			*at += taken;
		else if (taken < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		else if (prf_clock_ns(CLOCK_MONOTONIC) >= end_ns)
			return -EAGAIN;
		else
			pause_a_little();
	}
	return 0;
}

int
prf_top_writer_open(struct prf_top_writer *writer, int fd)
{
	*writer = (struct prf_top_writer){
		.fd = fd,
		.usual = fcntl(fd, F_DUPFD_CLOEXEC, 3),
		.quick = prf_top_open_quick(fd),
		.kept = memfd_create("kept", MFD_CLOEXEC),
	};
	return writer->usual >= 0 && writer->quick >= 0 && writer->kept >= 0
		       ? 0
		       : -errno;
}

void
prf_top_writer_close(struct prf_top_writer *writer)
{
	const int own[] = {writer->usual, writer->quick, writer->kept};

	for (size_t i = 0; writer->fd && i < sizeof own / sizeof *own; i++)
		if (own[i] >= 0)
			close(own[i]);
	*writer = (struct prf_top_writer){0};
}

void
prf_top_writer_begin(struct prf_top_writer *writer)
{
	dup3(writer->kept, writer->fd, O_CLOEXEC);
}

void
prf_top_writer_end(struct prf_top_writer *writer)
{
	dup3(writer->usual, writer->fd, O_CLOEXEC);
}

int
prf_top_writer_give(struct prf_top_writer *writer, int ms)
{
	const uint64_t end_ns =
		prf_clock_ns(CLOCK_MONOTONIC) + (uint64_t)ms * 1000000;
	int rc = prf_top_copy(writer->kept, &writer->n_given, writer->quick,
			      end_ns);

	if (rc == -EAGAIN)
		return rc;
	writer->n_given = 0;
	lseek(writer->kept, 0, SEEK_SET);
	return ftruncate(writer->kept, 0) < 0 ? -errno : rc;
}
