/* cmd_record.h - run a program, profile it, write the profile. */
#ifndef PRF_SRC_COMMANDS_CMD_RECORD_H
#define PRF_SRC_COMMANDS_CMD_RECORD_H

#include <stdint.h>
#include <sys/types.h>

#include "live/sampler_config.h"
#include "profile/profile.h"
#include "src/message.h"
#include "src/options/options.h"

/* Somebody who looks at the profile while the run goes on. */
struct prf_record_observer {
	uint64_t every_ns;
	/* Called in a thread of its own, between two samples; SO_FAR, which it
	 * may change, lasts for the call.  RATE_HZ is that of ticks. */
	void (*look)(void *arg, struct prf_profile *so_far, uint32_t rate_hz);
	/* The program is about to run its first instruction, or all processes
	 * have been attached to; PID is the first one. */
	void (*begun)(void *arg, pid_t pid);
	/* See struct prf_sampler_config. */
	void (*changed)(void *arg, enum prf_sampler_change change);
	/* The run is over, or could not begin: nothing was said of that yet. */
	void (*ended)(void *arg);
	void *arg;
};

/* The same as prf_cmd_record(), with OBSERVER, who may be NULL; what is to be
 * said when a run begins is not said to one. */
int prf_cmd_record_observed(const struct prf_options *options,
			    const struct prf_messages *messages,
			    const struct prf_record_observer *observer);

/* Does what profrun without a command does.  Returns profrun's exit status;
 * does not return if the program died by a signal, but dies by the same. */
int prf_cmd_record(const struct prf_options *options,
		   const struct prf_messages *messages);

#endif
