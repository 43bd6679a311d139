#include "live/life/debuggers.h"

#include <stddef.h>
#include <string.h>

/* By name, since many programs can call ptrace and hardly any does.  A
 * debugger that is not here learns from the kernel that its child is traced
 * already. */
static const char *const names[] = {
	"criu",   "dlv",     "gdb",    "gdbserver", "lldb",   "lldb-server",
	"ltrace", "profrun", "reptyr", "rr",        "strace",
};

bool
prf_debuggers_has(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Valgrind's tools, such as /usr/libexec/valgrind/memcheck-amd64-linux. */
bool
prf_debuggers_is_valgrind(const char *path)
{
	static const char folder[] = "/valgrind", end[] = "-linux";
	const size_t folder_length = sizeof folder - 1;
	const size_t end_length = sizeof end - 1;
	const char *slash = strrchr(path, '/');

	return slash && (size_t)(slash - path) >= folder_length &&
	       !strncmp(slash - folder_length, folder, folder_length) &&
	       strlen(slash) > end_length &&
	       !strcmp(slash + strlen(slash) - end_length, end);
}
