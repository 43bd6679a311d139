#include "sampling.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "support/suite.h"
#include "traced.h"

enum { MAX_ARGS = 6 };

struct prf_sampling prf_sampling;

const struct prf_trigger_ops *const prf_sampling_triggers[] = {
	NULL,
	&prf_trigger_timer,
	&prf_trigger_interrupt,
	&prf_trigger_ring,
};

void
prf_sampling_set_up(void)
{
	memset(&prf_sampling, 0, sizeof prf_sampling);
	prf_recorder_begin(&prf_sampling.recorder);
	prf_sampling.config.period_ns = PRF_SAMPLING_PERIOD_NS;
}

void
prf_sampling_tear_down(void)
{
	prf_recorder_end(&prf_sampling.recorder);
}

void
prf_sampling_begin_again(void)
{
	prf_sampling_tear_down();
	prf_recorder_begin(&prf_sampling.recorder);
	memset(&prf_sampling.run, 0, sizeof prf_sampling.run);
}

static void
take_nothing(void *arg, struct prf_task *task,
	     const struct prf_ring_record *record, uint32_t ticks)
{
	(void)arg;
	(void)task;
	(void)record;
	(void)ticks;
}

/* Where the ring is refused, its turn is another one for auto. */
static void
replace_refused_trigger(void)
{
	const struct prf_trigger_ops *ops = prf_sampling.config.trigger;
	const struct prf_trigger_config any = {
		.period_ns = PRF_SAMPLING_PERIOD_NS,
		.take = take_nothing,
	};
	struct prf_trigger *tried;

	if (ops != &prf_trigger_ring)
		return;
	if (ops->open(&any, &tried, NULL))
		prf_sampling.config.trigger = NULL;
	else
		tried->ops->close(tried);
}

int
prf_sampling_run(struct prf_sink *sink, const char *program,
		 const char *arguments)
{
	char words[256], *argv[MAX_ARGS + 2] = {(char *)program};
	int n = 1;

	snprintf(words, sizeof words, "%s", arguments);
	for (char *word = strtok(words, " "); word && n <= MAX_ARGS;
	     word = strtok(NULL, " "))
		argv[n++] = word;
	replace_refused_trigger();
	int rc = prf_sampler_run(&prf_sampling.config, argv, sink,
				 &prf_sampling.run, &prf_sampling.err);
	if (rc == -EPERM && !prf_sampling.run.pid)
		prf_skip(prf_sampling.err.text);
	return rc;
}

/* Each tick that a trigger brought is somewhere. */
void
prf_sampling_check_sums(void)
{
	const struct prf_sampler_stats *stats = &prf_sampling.run.stats;
	uint64_t brought = 0, looks = 0;

	for (int i = 0; i < PRF_MAX_TRIGGERS; i++) {
		brought += stats->trigger[i].ticks;
		looks += stats->trigger[i].samples;
	}
	ck_assert_uint_eq(brought, stats->ticks + stats->gone + stats->refused +
					   stats->in_kernel);
	ck_assert_uint_ge(looks, stats->samples);
	ck_assert_uint_eq(stats->ticks, stats->samples + stats->late);
	ck_assert_uint_eq(prf_sampling.recorder.ticks, stats->ticks);
	ck_assert_uint_eq(prf_sampling.recorder.n_samples, stats->samples);
	ck_assert_uint_le(stats->stale_map, stats->ticks);
}

void
prf_sampling_run_workload(const char *name, const char *arguments)
{
	int rc = prf_sampling_run(&prf_sampling.recorder.base,
				  prf_workload(name), arguments);

	ck_assert_msg(rc == 0, "%s %s: %s", name, arguments,
		      prf_sampling.err.text);
	ck_assert_int_gt(prf_sampling.run.pid, 0);
	prf_sampling_check_sums();
}

void
prf_sampling_check_exit(int status)
{
	ck_assert_msg(WIFEXITED(prf_sampling.run.wait_status) &&
			      WEXITSTATUS(prf_sampling.run.wait_status) ==
				      status,
		      "wait status 0x%x, not exit %d",
		      (unsigned)prf_sampling.run.wait_status, status);
}

/* The ticks are the CPU time, at most a quarter and four more.  Of these short
 * runs a busy machine can lose most: what a thread has run since its last stop
 * is lost with it, and an interrupt waits for its turn on the processor. */
void
prf_sampling_check_ticks(void)
{
	double expected =
		(double)prf_sampling.run.stats.cpu_ns / PRF_SAMPLING_PERIOD_NS;

	ck_assert_double_ge((double)prf_sampling.run.stats.ticks,
			    expected * 0.25 - 4);
	ck_assert_double_le((double)prf_sampling.run.stats.ticks,
			    expected * 1.25 + 4);
}
