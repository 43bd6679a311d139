#include "live/place.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/sample.h"
#include "live/procfs.h"
#include "live/stat.h"

int
prf_thread_syscall_open(pid_t pid, pid_t tid)
{
	return prf_procfs_open(pid, tid, "syscall");
}

int
prf_thread_syscall_read(pid_t pid, pid_t tid, char *text, size_t size)
{
	return prf_procfs_read(pid, tid, "syscall", text, size);
}

bool
prf_thread_is_running(pid_t pid, pid_t tid, int fd)
{
	char first;

	if (fd >= 0 && pread(fd, &first, 1, 0) == 1)
		return first == 'r';
	return prf_thread_state_read(pid, tid) == 'R';
}

/* "running"; or a number and, if it is not -1, the six arguments of the call;
 * then SP and PC. */
int
prf_thread_place_parse(const char *text, struct prf_thread_place *place)
{
	int64_t number;
	int n;

	if (!strncmp(text, "running", 7))
		return -EAGAIN;
	if (sscanf(text, "%" SCNd64 "%n", &number, &n) != 1)
		return -EINVAL;
	text += n;
	for (int i = 0; number != -1 && i < 6 && *text == ' '; i++)
		text += 1 + strcspn(text + 1, " ");
	if (sscanf(text, "%" SCNx64 " %" SCNx64, &place->sp, &place->pc) != 2)
		return -EINVAL;
	/* A program can ask for any number; those below zero are no call. */
	place->syscall = number < 0 || number > INT32_MAX ? PRF_NO_SYSCALL
							  : (int32_t)number;
	return 0;
}

int
prf_thread_place_pread(int fd, struct prf_thread_place *place)
{
	char text[256];
	int rc = prf_procfs_pread(fd, text, sizeof text);

	return rc ? rc : prf_thread_place_parse(text, place);
}
