#include "core/pctrace/pctrace_info.h"

#define TEXT(name)                                                             \
	{                                                                      \
#name, false, offsetof(struct prf_pctrace_info, name)          \
	}
#define NUMBER(name)                                                           \
	{                                                                      \
#name, true, offsetof(struct prf_pctrace_info, name)           \
	}

/* The command is the last: it may fill a block, and the others must not be cut
 * off. */
const struct prf_pctrace_fact prf_pctrace_facts[PRF_PCTRACE_N_FACTS] = {
	TEXT(recorder),       TEXT(host),        TEXT(machine),
	TEXT(order),          TEXT(clock),       TEXT(trigger),
	NUMBER(period_ns),    NUMBER(jitter_ns), NUMBER(realtime_ns),
	NUMBER(monotonic_ns), TEXT(command),
};
