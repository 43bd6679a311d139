#include "src/exit_status.h"

#include <errno.h>
#include <stddef.h>

/* What execve(2) says of a file that is there.  ENOMEM, EAGAIN, EMFILE and the
 * like are about this system, EPERM about ptrace: those are our own failure. */
static const int exec_errors[] = {
	E2BIG, EACCES,       EINVAL,  EIO,     EISDIR,  ELIBBAD,
	ELOOP, ENAMETOOLONG, ENOEXEC, ENOTDIR, ETXTBSY,
};

enum prf_exit_status
prf_exit_of_error(int code)
{
	if (code == -ENOENT)
		return PRF_EXIT_NOT_FOUND;
	for (size_t i = 0; i < sizeof exec_errors / sizeof *exec_errors; i++)
		if (code == -exec_errors[i])
			return PRF_EXIT_CANNOT_RUN;
	return PRF_EXIT_FAILED;
}
