#include "live/proc/position.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/sample.h"
#include "live/proc/procfs.h"
#include "live/proc/stat.h"

int
prf_position_open(pid_t pid, pid_t tid)
{
	return prf_procfs_open(pid, tid, "syscall");
}

bool
prf_position_is_running(pid_t pid, pid_t tid, int fd)
{
	char first[2];

	if (fd >= 0 && !prf_procfs_pread(fd, first, sizeof first))
		return *first == 'r';
	return prf_stat_read_state(pid, tid) == 'R';
}

/* "running"; or a number and, if it is not -1, the six arguments of the call;
 * then SP and PC. */
int
prf_position_parse(const char *text, struct prf_position *position)
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
	if (sscanf(text, "%" SCNx64 " %" SCNx64, &position->sp,
		   &position->pc) != 2)
		return -EINVAL;
	/* A program can ask for any number; those below zero are no call. */
	position->syscall = number < 0 || number > INT32_MAX ? PRF_NO_SYSCALL
							     : (int32_t)number;
	return 0;
}

enum { LINE_BYTES = 256 };

int
prf_position_read(pid_t pid, pid_t tid, struct prf_position *position)
{
	char text[LINE_BYTES];
	int rc = prf_procfs_read(pid, tid, "syscall", text, sizeof text);

	return rc ? rc : prf_position_parse(text, position);
}

int
prf_position_parse_call(const char *text, struct prf_position *position,
			uint64_t args[6])
{
	int rc = prf_position_parse(text, position);

	memset(args, 0, 6 * sizeof *args);
	if (!rc && position->syscall != PRF_NO_SYSCALL &&
	    sscanf(text,
		   "%*d %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
		   " %" SCNx64 " %" SCNx64,
		   &args[0], &args[1], &args[2], &args[3], &args[4],
		   &args[5]) != 6)
		return -EINVAL;
	return rc;
}

int
prf_position_read_call(pid_t pid, pid_t tid, struct prf_position *position,
		       uint64_t args[6])
{
	char text[LINE_BYTES];
	int rc = prf_procfs_read(pid, tid, "syscall", text, sizeof text);

	return rc ? rc : prf_position_parse_call(text, position, args);
}

int
prf_position_pread(int fd, struct prf_position *position)
{
	char text[LINE_BYTES];
	int rc = prf_procfs_pread(fd, text, sizeof text);

	return rc ? rc : prf_position_parse(text, position);
}
