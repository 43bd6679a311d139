#include "inproc/handler.h"

#include <errno.h>
#include <string.h>

static bool
is_ours(const struct sigaction *action, prf_handler *handler)
{
	return action->sa_flags & SA_SIGINFO && action->sa_sigaction == handler;
}

static bool
is_nobodys(const struct sigaction *action)
{
	return !(action->sa_flags & SA_SIGINFO) &&
	       (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN);
}

int
prf_handler_install(int signo, prf_handler *handler)
{
	struct sigaction action = {
		.sa_sigaction = handler,
		.sa_flags =
			SA_SIGINFO | SA_RESTART | SA_ONSTACK | (int)SA_NODEFER,
	};
	struct sigaction before;

	if (sigaction(signo, NULL, &before) < 0)
		return -errno;
	if (is_ours(&before, handler))
		return 0;
	if (!is_nobodys(&before))
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
