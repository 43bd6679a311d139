#include "live/proc/exec_strings.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/proc/bring.h"
#include "live/proc/procfs.h"
#include "live/proc/reach.h"
#include "live/proc/stat.h"

/* No more than MOST bytes of file NAME of process PID, and a NUL. */
static char *
read_file(pid_t pid, const char *name, size_t most, size_t *n_bytes)
{
	char path[64];
	ssize_t n;

	*n_bytes = 0;
	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	PRF_AUTO(prf_auto_close) int fd = prf_procfs_open_path(path);
	if (fd < 0)
		return NULL;
	PRF_AUTO(prf_auto_free) char *text = malloc(most + 1);
	if (!text)
		return NULL;
	prf_reach_begin();
	while (*n_bytes < most &&
	       (n = read(fd, text + *n_bytes, most - *n_bytes)) > 0)
		*n_bytes += (size_t)n;
	prf_reach_end();
	text[*n_bytes] = '\0';
	return PRF_TAKE(text);
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How many bytes from ADDR on, which are not to be more than MOST, are there at
 * END_NS. */
static size_t
n_there(pid_t pid, uint64_t addr, uint64_t most, uint64_t end_ns)
{
	uint64_t n = 0;

	while (n < most) {
		uint64_t more = least(most - n, PRF_BRING_MOST_BYTES);

		if (prf_bring_until(pid, addr + n, more, end_ns))
			break;
		n += more;
	}
	return n;
}

/* The kernel asks for the last byte, too: where that is overwritten, the text goes
 * on in the environment. */
static bool
has_command(pid_t pid, const struct prf_stat_strings *at)
{
	bool goes_on = at->env == at->args_end && at->env_end > at->env;
	uint64_t end = goes_on ? at->env_end : at->args_end;

	if (at->args_end <= at->args)
		return false;
	uint64_t n = least(end - at->args, PRF_COMMAND_BYTES);
	uint64_t end_ns = prf_bring_end_ns();
	return n_there(pid, at->args_end - 1, 1, end_ns) == 1 &&
	       n_there(pid, at->args, n, end_ns) == n;
}

char *
prf_exec_strings_command(pid_t pid)
{
	struct prf_stat_strings at;
	size_t n_bytes;

	if (prf_stat_read_strings(pid, &at) || !has_command(pid, &at))
		return NULL;
	char *command = read_file(pid, "cmdline", PRF_COMMAND_BYTES, &n_bytes);
	for (size_t i = 0; command && i + 1 < n_bytes; i++)
		if (!command[i])
			command[i] = ' ';
	return command;
}

char *
prf_exec_strings_environment(pid_t pid, size_t *n_bytes)
{
	struct prf_stat_strings at;

	if (prf_stat_read_strings(pid, &at) || at.env_end < at.env)
		return NULL;
	uint64_t most = least(at.env_end - at.env, PRF_ENVIRONMENT_BYTES);
	size_t n = n_there(pid, at.env, most, prf_bring_end_ns());
	return read_file(pid, "environ", n, n_bytes);
}
