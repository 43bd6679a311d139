#include "inproc/threadlist.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TASKS "/proc/self/task"
#define MAX_TID_DIGITS 10

struct entry {
	uint64_t inode;
	int64_t offset;
	uint16_t size_bytes;
	uint8_t type;
	char name[];
};

/* Of the thread that has the lock. */
static struct {
	_Alignas(struct entry) char list[1024];
	char name[sizeof TASKS "/" + MAX_TID_DIGITS + sizeof "/status"];
	char status[2048];
} text;

static int
open_file(const char *name, int flags)
{
	return (int)syscall(SYS_openat, AT_FDCWD, name,
			    O_RDONLY | O_CLOEXEC | flags, 0);
}

/* --- Which there are. */

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
prf_threadlist_visit(void (*visit)(pid_t tid, void *context), void *context)
{
	long n;
	int fd = open_file(TASKS, O_DIRECTORY);

	if (fd < 0)
		return -errno;
	while ((n = syscall(SYS_getdents64, fd, text.list, sizeof text.list)) >
	       0) {
		for (long at = 0; at < n;) {
			const struct entry *entry =
				(const void *)(text.list + at);
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

/* --- What one blocks. */

/* By hand: the C library's formatting is not async-signal-safe. */
static const char *
status_name(pid_t tid)
{
	char digits[MAX_TID_DIGITS];
	int n = 0;
	char *to = text.name;

	for (; tid > 0 && n < MAX_TID_DIGITS; tid /= 10)
		digits[n++] = (char)('0' + tid % 10);
	memcpy(to, TASKS "/", sizeof TASKS);
	to += sizeof TASKS;
	while (n > 0)
		*to++ = digits[--n];
	memcpy(to, "/status", sizeof "/status");
	return text.name;
}

static uint64_t
hex_of(const char *digits)
{
	uint64_t value = 0;

	for (; *digits; digits++) {
		if (*digits >= '0' && *digits <= '9')
			value = value << 4 | (uint64_t)(*digits - '0');
		else if (*digits >= 'a' && *digits <= 'f')
			value = value << 4 | (uint64_t)(*digits - 'a' + 10);
		else
			break;
	}
	return value;
}

/* In pieces, as the line of its groups may be of any length.  Of what has no label
 * yet only so much is kept as may be the beginning of one and of its value. */
bool
prf_threadlist_status_blocks(int fd, int signo)
{
	static const char label[] = "\nSigBlk:\t";
	enum { KEPT = 64 };
	size_t used = 0;
	long n;

	while ((n = syscall(SYS_read, fd, text.status + used,
			    sizeof text.status - 1 - used)) > 0) {
		used += (size_t)n;
		text.status[used] = '\0';
		const char *line = strstr(text.status, label);
		if (line && strchr(line + 1, '\n'))
			return hex_of(line + sizeof label - 1) >> (signo - 1) &
			       1;
		if (used > KEPT) {
			memmove(text.status, text.status + used - KEPT, KEPT);
			used = KEPT;
		}
	}
	return false;
}

bool
prf_threadlist_blocks(pid_t tid, int signo)
{
	int fd = open_file(status_name(tid), 0);

	if (fd < 0)
		return false;
	bool blocks = prf_threadlist_status_blocks(fd, signo);
	syscall(SYS_close, fd);
	return blocks;
}
