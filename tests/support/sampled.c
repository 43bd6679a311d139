/* sampled - runs a program under a trigger, and tells what was seen of it.
 *
 *	sampled TRIGGER RATE_HZ PROGRAM [ARG...]
 *
 * TRIGGER is one of profrun's, or "auto", or "naive".  Prints on stderr, a line
 * each: "ticks N", "cpu_ns N", "threads N", "processes N", "programs N", "lost N"
 * (ticks), "own_kb N" (the most memory of this program), and for each system call
 * that ticks fell in, "syscall NUMBER N", with -1 for user mode and less for
 * what else the kernel does (core/sample.h).  Ends as the program does. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "live/sampler.h"
#include "support/sample_sink.h"
#include "support/trigger_naive.h"

enum { FIRST = -16, MAX_CALLS = 1024 };

struct counter {
	struct prf_sink base;
	uint64_t ticks[MAX_CALLS - FIRST]; /* [0]: of number FIRST */
};

static int
count_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct counter *counter = (struct counter *)sink;

	if (sample->syscall >= FIRST && sample->syscall < MAX_CALLS)
		counter->ticks[sample->syscall - FIRST] += sample->ticks;
	return 0;
}

static const struct prf_sink_ops counter_ops =
	PRF_SAMPLE_SINK_OPS(count_sample);

static void
tell_figures(const struct prf_sampler_stats *stats)
{
	struct rusage own;
	const struct {
		const char *name;
		uint64_t n;
	} figures[] = {
		{"threads", stats->threads},
		{"processes", stats->processes},
		{"programs", stats->programs},
		{"lost", stats->gone + stats->unseen + stats->refused},
		{"own_kb",
		 getrusage(RUSAGE_SELF, &own) ? 0 : (uint64_t)own.ru_maxrss},
	};

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		fprintf(stderr, "%s %llu\n", figures[i].name,
			(unsigned long long)figures[i].n);
}

int
main(int argc, char **argv)
{
	struct counter counter = {.base.ops = &counter_ops};
	struct prf_sampler_config config = {0};
	struct prf_error err = {0};
	struct prf_run run;

	if (argc < 4 || atoi(argv[2]) < 1)
		return 99;
	config.period_ns = 1000000000u / (unsigned)atoi(argv[2]);
	config.trigger = strcmp(argv[1], "naive") == 0
				 ? &prf_trigger_naive
				 : prf_triggers_find(argv[1]);
	if (prf_sampler_run(&config, argv + 3, &counter.base, &run, &err)) {
		fprintf(stderr, "sampled: %s\n", err.text);
		return err.code == -EPERM ? 77 : 99;
	}
	fprintf(stderr, "ticks %llu\ncpu_ns %llu\n",
		(unsigned long long)run.stats.ticks,
		(unsigned long long)run.stats.cpu_ns);
	tell_figures(&run.stats);
	for (int call = FIRST; call < MAX_CALLS; call++)
		if (counter.ticks[call - FIRST])
			fprintf(stderr, "syscall %d %llu\n", call,
				(unsigned long long)
					counter.ticks[call - FIRST]);
	return WIFEXITED(run.wait_status) ? WEXITSTATUS(run.wait_status)
					  : 128 + WTERMSIG(run.wait_status);
}
