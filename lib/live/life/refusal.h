/* refusal.h - why a process may not be traced, and what can be done. */
#ifndef PRF_LIVE_LIFE_REFUSAL_H
#define PRF_LIVE_LIFE_REFUSAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/error.h"

/* What is known of a process that could not be seized. */
struct prf_refusal {
	pid_t pid;
	int code;       /* ptrace's errno; ETIMEDOUT: an exec stood between */
	bool exists;    /* what follows has been read */
	bool is_zombie; /* all of its threads have ended */
	bool is_kernel; /* a thread of the kernel's own */
	bool is_ours;   /* this very process */
	pid_t tracer;   /* 0: it is not traced */
	uid_t uid;      /* real */
	uid_t owner;    /* of its files in /proc */
	uid_t own_uid;  /* effective, of this process */
	bool can_trace; /* this process has CAP_SYS_PTRACE */
	int yama_scope; /* kernel.yama.ptrace_scope; -1: none */
};

struct prf_refusal prf_refusal_read(pid_t pid, int code);
/* Sets ERR to the reason and the remedy; returns its code, negative. */
int prf_refusal_explain(const struct prf_refusal *refusal,
			struct prf_error *err);

#endif
