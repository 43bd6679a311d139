#include "src/top/top_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/clock_ns.h"
#include "core/scope.h"
#include "src/top/top_writer.h"

/* What was kept is shown in this time, or not at all. */
#define SHOW_NS UINT64_C(2000000000)

/* A file that has no name any more. */
static int
open_kept(void)
{
	FILE *file = tmpfile();
	int fd = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 3) : -1;

	if (file)
		fclose(file);
	/* The program and we write to it, each at its end. */
	if (fd >= 0)
		fcntl(fd, F_SETFL, O_APPEND);
	return fd;
}

/* FD leads to WHERE; returns what it was, -1: it cannot. */
static int
redirect(int fd, int where)
{
	int before = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	if (before >= 0 && dup2(where, fd) < 0) {
		close(before);
		before = -1;
	}
	return before;
}

int
prf_top_output_keep(struct prf_top_output *output, struct prf_error *err)
{
	PRF_AUTO(prf_auto_close)
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	*output = (struct prf_top_output){open_kept(), {-1, -1, -1}};
	if (output->kept < 0)
		return prf_error_set(err, -errno,
				     "a file for the program's output: %m");
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (isatty(fd))
			output->before[fd] =
				redirect(fd, fd == STDIN_FILENO ? nothing
								: output->kept);
	return 0;
}

/* Where what is to be shown begins. */
static off_t
find_shown(int kept)
{
	struct stat st;

	return fstat(kept, &st) == 0 && st.st_size > PRF_TOP_OUTPUT_SHOWN_BYTES
		       ? st.st_size - PRF_TOP_OUTPUT_SHOWN_BYTES
		       : 0;
}

/* A file system that cannot keeps it all. */
void
prf_top_output_trim(const struct prf_top_output *output)
{
	off_t at = output->kept < 0 ? 0 : find_shown(output->kept);

	if (at)
		(void)fallocate(output->kept,
				FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
				at);
}

/* False: TO does not take it in time. */
static bool
show(int kept, int to)
{
	PRF_AUTO(prf_auto_close) int quick = prf_top_open_quick(to);
	off_t at = find_shown(kept);
	const uint64_t end_ns = prf_clock_ns(CLOCK_MONOTONIC) + SHOW_NS;

	if (at)
		dprintf(quick, "... (%lld bytes)\n", (long long)at);
	return prf_top_copy(kept, &at, quick, end_ns) != -EAGAIN;
}

/* The streams lead to where they led before, or stay where they are. */
static void
end(struct prf_top_output *output, bool restores)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (output->before[fd] >= 0) {
			if (restores)
				dup2(output->before[fd], fd);
			close(output->before[fd]);
			output->before[fd] = -1;
		}
	if (output->kept >= 0)
		close(output->kept);
	output->kept = -1;
}

void
prf_top_output_drop(struct prf_top_output *output)
{
	end(output, false);
}

void
prf_top_output_release(struct prf_top_output *output)
{
	int terminal = output->before[STDOUT_FILENO] >= 0
			       ? output->before[STDOUT_FILENO]
			       : output->before[STDERR_FILENO];

	end(output,
	    output->kept < 0 || terminal < 0 || show(output->kept, terminal));
}
