#include "live/proc/stat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/proc/kernel.h"
#include "live/proc/procfs.h"

/* Field NUMBER (from 1) of a stat file.  The second, the command's name, is
 * in parentheses and can hold anything, blanks and parentheses too. */
static const char *
stat_field(const char *text, int number)
{
	const char *at = strrchr(text, ')');

	for (int i = 2; at && i < number; i++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at && *at ? at : NULL;
}

int
prf_stat_parse_processor(const char *text, int *cpu)
{
	enum { PROCESSOR = 39 };
	const char *at = stat_field(text, PROCESSOR);

	if (!at || sscanf(at, "%d", cpu) != 1 || *cpu < 0)
		return -EINVAL;
	return 0;
}

int
prf_stat_parse_faults(const char *text, uint64_t *n)
{
	/* The number of its children's stands between the two. */
	enum { MINOR = 10 };
	const char *at = stat_field(text, MINOR);
	uint64_t minor, major;

	if (!at || sscanf(at, "%" SCNu64 " %*u %" SCNu64, &minor, &major) != 2)
		return -EINVAL;
	*n = minor + major;
	return 0;
}

int
prf_stat_read_faults(pid_t pid, pid_t tid, uint64_t *n)
{
	char text[PRF_PROCFS_BYTES];
	int rc = prf_procfs_read(pid, tid, "stat", text, sizeof text);

	return rc ? rc : prf_stat_parse_faults(text, n);
}

int
prf_stat_parse_strings(const char *text, struct prf_stat_strings *strings)
{
	enum { ARG_START = 48 };
	const char *at = stat_field(text, ARG_START);

	if (!at || sscanf(at, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
			  &strings->args, &strings->args_end, &strings->env,
			  &strings->env_end) != 4)
		return -EINVAL;
	return 0;
}

int
prf_stat_read_strings(pid_t pid, struct prf_stat_strings *strings)
{
	char text[PRF_PROCFS_BYTES];
	int rc = prf_procfs_read(pid, pid, "stat", text, sizeof text);

	return rc ? rc : prf_stat_parse_strings(text, strings);
}

int
prf_stat_parse_flags(const char *text, uint64_t *flags)
{
	enum { FLAGS = 9 };
	const char *at = stat_field(text, FLAGS);

	return at && sscanf(at, "%" SCNu64, flags) == 1 ? 0 : -EINVAL;
}

/* (Before Linux 6.4 the second of these bits had another meaning.) */
bool
prf_stat_is_worker(pid_t pid, pid_t tid)
{
	enum { IO_WORKER = 0x10, USER_WORKER = 0x4000 };
	char text[PRF_PROCFS_BYTES];
	uint64_t flags;

	if (prf_procfs_read(pid, tid, "stat", text, sizeof text) ||
	    prf_stat_parse_flags(text, &flags))
		return false;
	return flags & IO_WORKER ||
	       (flags & USER_WORKER && !prf_kernel_is_before(6, 4));
}

char
prf_stat_parse_state(const char *text)
{
	enum { STATE = 3 };
	const char *at = stat_field(text, STATE);

	return at ? *at : '\0';
}

char
prf_stat_read_state(pid_t pid, pid_t tid)
{
	char text[PRF_PROCFS_BYTES];

	return prf_procfs_read(pid, tid, "stat", text, sizeof text)
		       ? '\0'
		       : prf_stat_parse_state(text);
}
