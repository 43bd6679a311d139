#include "inproc/tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Small: it may be on an alternate signal stack. */
#define LIST_BYTES 1024

struct entry {
	uint64_t inode;
	int64_t offset;
	uint16_t size_bytes;
	uint8_t type;
	char name[];
};

/* 0 for "." and "..". */
static pid_t
tid_of(const char *name)
{
	pid_t tid = 0;

	for (; *name >= '0' && *name <= '9'; name++)
		tid = tid * 10 + (*name - '0');
	return tid;
}

int
prf_tasks_visit(void (*visit)(pid_t tid, void *context), void *context)
{
	_Alignas(struct entry) char list[LIST_BYTES];
	long n;
	int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/task",
			      O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	while ((n = syscall(SYS_getdents64, fd, list, sizeof list)) > 0) {
		for (long at = 0; at < n;) {
			const struct entry *entry = (const void *)(list + at);
			pid_t tid = tid_of(entry->name);

			if (tid)
				visit(tid, context);
			at += entry->size_bytes;
		}
	}
	int rc = n < 0 ? -errno : 0;
	syscall(SYS_close, fd);
	return rc;
}
