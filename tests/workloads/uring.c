/* uring - waits for completions that never come.
 *
 *	uring [SECONDS]
 *
 * For SECONDS (1) of wall time it waits with io_uring_enter(), each time until a
 * time-out of 20 us.  What is left to do for a thread on its way out of the kernel
 * is done in this call before it sleeps.  Nobody sends a signal, so no wait may end
 * with EINTR.  Prints
 *
 *	refused NAME ERROR	instead of all else, where the kernel has it not
 *	calls total N
 *	eintr total N	0 */
#include "work.h"

#include <errno.h>
#include <linux/io_uring.h>

#ifdef IORING_ENTER_EXT_ARG

enum { WAIT_NS = 20000 };

/* 0, or the errno of the wait. */
static int
wait_once(int ring)
{
	const struct {
		int64_t s, ns;
	} timeout = {0, WAIT_NS};
	const struct io_uring_getevents_arg arg = {
		.ts = (uintptr_t)&timeout,
	};
	const unsigned flags = IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG;

	return syscall(SYS_io_uring_enter, ring, 0, 1, flags, &arg,
		       sizeof arg) < 0
		       ? errno
		       : 0;
}

static void
wait_until(int ring, uint64_t end_ns)
{
	unsigned calls = 0, eintr = 0;

	while (wall_ns() < end_ns) {
		int code = wait_once(ring);

		if (code != ETIME && code != EINTR)
			die("io_uring_enter");
		calls++;
		eintr += code == EINTR;
	}
	printf("calls total %u\neintr total %u\n", calls, eintr);
}

int
main(int argc, char **argv)
{
	struct io_uring_params parameters = {0};
	uint64_t quota_ns = number_ns(argc, argv, 1, 1);
	int ring = (int)syscall(SYS_io_uring_setup, 1, &parameters);

	if (ring < 0)
		printf("refused io_uring_setup %d\n", errno);
	else if (!(parameters.features & IORING_FEAT_EXT_ARG))
		printf("refused io_uring_enter %d\n", EINVAL);
	else
		wait_until(ring, wall_ns() + quota_ns);
	return 0;
}

#else

int
main(void)
{
	printf("refused io_uring_enter %d\n", ENOSYS);
	return 0;
}

#endif
