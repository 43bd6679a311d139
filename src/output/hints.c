#include "src/output/hints.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "profile/calls.h"
#include "src/options/format.h"
#include "src/output/next_step.h"

/* --- Programs that wait */

enum { LONG_NS = 1000000000, LONG_WATCHED_NS = 100000000, BUSY_PERCENT = 5 };

/* profrun OPTION, and what was profiled. */
static void
put_run(struct prf_next_step *step, const char *option,
	const struct prf_options *options)
{
	char pid[16];

	prf_next_step_put(step, "profrun");
	prf_next_step_put(step, option);
	prf_next_step_put(step, options->n_pids ? " -p " : "");
	for (size_t i = 0; i < options->n_pids; i++) {
		snprintf(pid, sizeof pid, "%s%d", i ? "," : "",
			 (int)options->pids[i]);
		prf_next_step_put(step, pid);
	}
	if (options->no_command)
		prf_next_step_put(step, " --");
	for (char *const *word = options->program; !options->n_pids && *word;
	     word++)
		prf_next_step_put_word(step, *word);
}

static void
print_sleeper(const struct prf_options *options,
	      const struct prf_sampler_stats *stats, FILE *out)
{
	struct prf_next_step step;
	char remark[96];
	uint64_t counted_ns = stats->wall_ns - stats->paused_ns;

	/* Of one that is watched nobody knows whether it computes. */
	if (options->clock == PRF_CLOCK_WALL ||
	    counted_ns < (options->n_pids ? LONG_WATCHED_NS : LONG_NS) ||
	    stats->cpu_ns >= counted_ns / 100 * BUSY_PERCENT)
		return;
	fputc('\n', out);
	prf_next_step_begin(&step);
	put_run(&step, " -w", options);
	snprintf(remark, sizeof remark,
		 "where it waits: it computed %.3f s of %.3f s",
		 (double)stats->cpu_ns / 1e9, (double)counted_ns / 1e9);
	prf_next_step_end(&step, remark, out);
}

/* --- JIT code without names */

enum { MIN_JIT_PERCENT = 5 };

/* Variables by which a program, also one that another one starts, writes a map
 * for perf, and keeps frame pointers in what it compiles (NULL: it does). */
static const struct compiler {
	const char *program, *names, *frames;
} compilers[] = {
	{"node", "NODE_OPTIONS=--perf-basic-prof", NULL},
	{"nodejs", "NODE_OPTIONS=--perf-basic-prof", NULL},
	{"java",
	 "JAVA_TOOL_OPTIONS='-XX:+UnlockDiagnosticVMOptions "
	 "-XX:+DumpPerfMapAtExit'",
	 "JAVA_TOOL_OPTIONS=-XX:+PreserveFramePointer"},
	{"dotnet", "DOTNET_PerfMapEnabled=1", NULL},
};

/* The ticks in JIT code for which no map had a name. */
static uint64_t
count_nameless(const struct prf_profile *profile)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < profile->n_binaries; i++) {
		const struct prf_binary *binary = profile->binaries[i];

		if (binary->kind != PRF_BINARY_JIT)
			continue;
		for (size_t j = 0; j < binary->names.n; j++)
			if (strcmp(binary->names.all[j].text, binary->name) ==
			    0)
				ticks += binary->names.all[j].count.ticks;
	}
	return ticks;
}

/* The ticks whose stacks end in JIT code, as it keeps no frame pointers. */
static uint64_t
count_frameless(const struct prf_profile *profile)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < profile->n_binaries; i++)
		if (profile->binaries[i]->kind == PRF_BINARY_JIT)
			ticks += profile->binaries[i]->no_cfi_ticks;
	return ticks;
}

/* The first of the run's programs that are known; NULL: none. */
static const struct compiler *
find_compiler(const struct prf_programs *programs)
{
	for (size_t i = 0; i < programs->n; i++)
		for (size_t j = 0; j < sizeof compilers / sizeof *compilers;
		     j++)
			if (strcmp(prf_programs_name(&programs->rows[i]),
				   compilers[j].program) == 0)
				return &compilers[j];
	return NULL;
}

/* The same run with VARIABLE.  One that runs already has to be started anew. */
static void
print_variable(const struct prf_options *options, const char *variable,
	       const char *option, const char *remark, FILE *out)
{
	struct prf_next_step step;

	fputc('\n', out);
	prf_next_step_begin(&step);
	prf_next_step_put(&step, options->n_pids ? "export " : "");
	prf_next_step_put(&step, variable);
	if (!options->n_pids) {
		prf_next_step_put(&step, " ");
		put_run(&step, option, options);
	}
	prf_next_step_end(&step, remark, out);
}

static void
print_jit(const struct prf_options *options, const struct prf_profile *profile,
	  FILE *out)
{
	const struct compiler *compiler = find_compiler(&profile->programs);
	const double all = (double)profile->total.ticks;
	const char *when = options->n_pids ? "before its start: " : "";
	char remark[128];

	if (!compiler)
		return;
	const double nameless = 100 * (double)count_nameless(profile) / all;
	if (nameless >= MIN_JIT_PERCENT) {
		snprintf(remark, sizeof remark,
			 "%snames for JIT code, which has none for %.0f %% of "
			 "the ticks",
			 when, nameless);
		print_variable(options, compiler->names, "", remark, out);
	}
	const double frameless = 100 * (double)count_frameless(profile) / all;
	if (compiler->frames && frameless >= MIN_JIT_PERCENT) {
		snprintf(remark, sizeof remark,
			 "%sframes for JIT code, in which %.0f %% of the "
			 "stacks end",
			 when, frameless);
		print_variable(options, compiler->frames, " -g", remark, out);
	}
}

/* --- Stacks, which a gmon.out does not keep */

static void
print_tree(const struct prf_options *options, const struct prf_profile *profile,
	   FILE *out)
{
	struct prf_next_step step;

	if (!prf_calls_has_stacks(profile->calls) ||
	    options->formats != PRF_FORMAT_GMON)
		return;
	fputc('\n', out);
	prf_next_step_begin(&step);
	put_run(&step, " -g", options);
	prf_next_step_end(
		&step, "then profrun report --tree shows who called whom", out);
}

void
prf_hints_print(const struct prf_options *options,
		const struct prf_profile *profile, const struct prf_run *run,
		FILE *out)
{
	print_sleeper(options, &run->stats, out);
	print_jit(options, profile, out);
	print_tree(options, profile, out);
}
