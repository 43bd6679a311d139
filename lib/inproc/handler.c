#include "inproc/handler.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>

/* Where the kernel does not say how large its frame is: as on x86_64 with
 * AVX-512. */
#define FRAME_BYTES 3584
#define OWN_BYTES 1024

static bool
is_ours(const struct sigaction *action, prf_handler *handler)
{
	return action->sa_flags & SA_SIGINFO && action->sa_sigaction == handler;
}

/* With SA_SIGINFO, too: a program that changes sa_handler alone leaves it. */
static bool
is_nobodys(const struct sigaction *action)
{
	return action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN;
}

size_t
prf_handler_stack_bytes(void)
{
	size_t frame_bytes = getauxval(AT_MINSIGSTKSZ);

	return 2 * (frame_bytes ? frame_bytes : FRAME_BYTES) + OWN_BYTES;
}

/* That of the calling thread; those of others cannot be asked for. */
static bool
has_small_stack(void)
{
	stack_t stack;

	return sigaltstack(NULL, &stack) < 0 ||
	       (!(stack.ss_flags & SS_DISABLE) &&
		stack.ss_size < prf_handler_stack_bytes());
}

int
prf_handler_install(int signo, prf_handler *handler, bool on_stack,
		    struct sigaction *before)
{
	struct sigaction action = {
		.sa_sigaction = handler,
		.sa_flags = SA_SIGINFO | SA_RESTART | (int)SA_NODEFER |
			    (on_stack && !has_small_stack() ? SA_ONSTACK : 0),
	};

	if (sigaction(signo, NULL, before) < 0)
		return -errno;
	if (!is_ours(before, handler) && !is_nobodys(before))
		return -EBUSY;
	/* All signals, also those that sigfillset leaves out: a thread must not
	 * be cancelled while it has the lock. */
	memset(&action.sa_mask, 0xff, sizeof action.sa_mask);
	sigdelset(&action.sa_mask, signo);
	return sigaction(signo, &action, NULL) < 0 ? -errno : 0;
}

bool
prf_handler_is_installed(int signo, prf_handler *handler)
{
	struct sigaction action;

	return sigaction(signo, NULL, &action) == 0 &&
	       is_ours(&action, handler);
}

bool
prf_handler_is_possible(int signo)
{
	switch (signo) {
	case SIGKILL:
	case SIGSTOP:
	case SIGSEGV:
	case SIGBUS:
	case SIGILL:
	case SIGFPE:
	case SIGTRAP:
		return false;
	default:
		return signo > 0 && sigaction(signo, NULL, NULL) == 0;
	}
}
