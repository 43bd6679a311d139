/* take_sample.h - a stopped thread is sampled, and runs on. */
#ifndef PRF_LIVE_STOPPED_TAKE_SAMPLE_H
#define PRF_LIVE_STOPPED_TAKE_SAMPLE_H

#include <stdbool.h>

#include "live/stop.h"
#include "live/tasks.h"
#include "live/watch.h"

/* If a trigger made TASK stop, samples TASK, lets it run, and returns true. */
bool prf_take_sample(struct prf_watch *watch, struct prf_task *task,
		     const struct prf_stop *stop);

#endif
