/* unanswered.h - memory that never comes: it belongs to a userfaultfd that
 * nobody reads. */
#ifndef PRF_TESTS_UNANSWERED_H
#define PRF_TESTS_UNANSWERED_H

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Maps N_BYTES of it, in this process.  NULL: that is not permitted.  When *FD is
 * closed, who waits for it has zeros. */
static inline char *
prf_unanswered_map_until(size_t n_bytes, int *fd)
{
	struct uffdio_api api = {.api = UFFD_API};
	char *at = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (*fd < 0 || at == MAP_FAILED)
		return NULL;
	struct uffdio_register registration = {
		.range = {(__u64)(size_t)at, n_bytes},
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	return ioctl(*fd, UFFDIO_API, &api) ||
			       ioctl(*fd, UFFDIO_REGISTER, &registration)
		       ? NULL
		       : at;
}

static inline char *
prf_unanswered_map(size_t n_bytes)
{
	int fd;

	return prf_unanswered_map_until(n_bytes, &fd);
}

#endif
