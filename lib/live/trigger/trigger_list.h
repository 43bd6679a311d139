/* trigger_list.h - which triggers there are. */
#ifndef PRF_LIVE_TRIGGER_TRIGGER_LIST_H
#define PRF_LIVE_TRIGGER_TRIGGER_LIST_H

#include "live/trigger/trigger.h"

/* A row for each, in the order in which they are tried: NAME is that of the file
 * trigger_NAME.c, which defines prf_trigger_NAME. */
#define PRF_TRIGGERS(ROW)                                                      \
	ROW(ring)                                                              \
	ROW(timer)                                                             \
	ROW(interrupt)

#define PRF_TRIGGERS_DECLARE(name)                                             \
	extern const struct prf_trigger_ops prf_trigger_##name;
PRF_TRIGGERS(PRF_TRIGGERS_DECLARE)

#define PRF_TRIGGERS_COUNT(name) +1
enum { PRF_MAX_TRIGGERS = PRF_TRIGGERS(PRF_TRIGGERS_COUNT) };

#endif
