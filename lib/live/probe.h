/* probe.h - what this machine lets profrun do: tried, not guessed. */
#ifndef PRF_LIVE_PROBE_H
#define PRF_LIVE_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

struct prf_probe {
	/* Each was tried, on a child; code 0: it works. */
	struct prf_error ptrace;    /* it was stopped and its registers read */
	struct prf_error timer;     /* a timer made inside it has stopped it */
	struct prf_error ring;      /* the kernel would have sampled this
				     * process itself, without a stop */
	struct prf_error ring_user; /* the same, for user time alone */
	bool has_perf_paranoid;
	int perf_paranoid;
	int yama_scope;           /* ptrace_scope, or -1: there is no Yama */
	unsigned seccomp_mode;    /* of this process: 0 none, 2 filters */
	unsigned seccomp_filters; /* how many; 0 also if the kernel does not
				   * tell */
	uint64_t capabilities;    /* effective, by their numbers */
	uint64_t tick_ns;         /* the kernel's own tick */
	bool can_query_mappings;  /* PROCMAP_QUERY */
	bool in_pid_namespace;    /* other than the machine's own */
};

/* Tries it all, which takes some milliseconds. */
void prf_probe_machine(struct prf_probe *probe);

#endif
