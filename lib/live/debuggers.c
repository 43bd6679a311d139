#include "live/debuggers.h"

#include <stddef.h>
#include <string.h>

/* By name: that a program can call ptrace says little, some only could.  One
 * that is not here is told by the kernel that its child is traced already. */
static const char *const names[] = {
	"criu",   "dlv",     "gdb",    "gdbserver", "lldb",   "lldb-server",
	"ltrace", "profrun", "reptyr", "rr",        "strace",
};

bool
prf_is_debugger(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}
