#include "src/output/hints.h"

#include <inttypes.h>
#include <string.h>

#include "profile/calls.h"
#include "src/options/format.h"
#include "src/output/quoted.h"

/* --- Programs that wait */

enum { LONG_NS = 1000000000, BUSY_PERCENT = 5 };

static void
print_target(const struct prf_options *options, FILE *out)
{
	if (options->n_pids)
		fputs(" -p ", out);
	for (size_t i = 0; i < options->n_pids; i++)
		fprintf(out, "%s%d", i ? "," : "", (int)options->pids[i]);
	for (char *const *word = options->program; !options->n_pids && *word;
	     word++) {
		fputc(' ', out);
		prf_quoted_print(*word, out);
	}
}

static void
print_sleeper(const struct prf_options *options,
	      const struct prf_sampler_stats *stats, FILE *out)
{
	if (options->clock == PRF_CLOCK_WALL || stats->wall_ns < LONG_NS ||
	    stats->cpu_ns >= stats->wall_ns / 100 * BUSY_PERCENT)
		return;
	fputs("\n  profrun -w", out);
	print_target(options, out);
	fprintf(out, "    # where it waits: it computed %.3f s of %.3f s\n",
		(double)stats->cpu_ns / 1e9, (double)stats->wall_ns / 1e9);
}

/* --- JIT code without names */

enum { MIN_JIT_PERCENT = 5 };

/* How a program is made to write a map for perf, and to keep frame pointers in
 * what it compiles (NULL: it does). */
static const struct compiler {
	const char *program, *words, *frames;
} compilers[] = {
	{"node", "node --perf-basic-prof", NULL},
	{"nodejs", "nodejs --perf-basic-prof", NULL},
	{"java",
	 "java -XX:+UnlockDiagnosticVMOptions "
	 "-XX:+DumpPerfMapAtExit",
	 "java -XX:+PreserveFramePointer"},
	{"dotnet", "DOTNET_PerfMapEnabled=1 dotnet", NULL},
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

static void
print_jit(const struct prf_profile *profile, FILE *out)
{
	const struct compiler *compiler = find_compiler(&profile->programs);
	uint64_t all = profile->total.ticks, nameless, frameless;

	if (!compiler)
		return;
	nameless = count_nameless(profile);
	if (nameless && nameless >= all / 100 * MIN_JIT_PERCENT)
		fprintf(out,
			"\n  %s ...\n    # names for JIT code, which has none "
			"for %.0f %% of the ticks\n",
			compiler->words, 100 * (double)nameless / (double)all);
	frameless = count_frameless(profile);
	if (compiler->frames && frameless &&
	    frameless >= all / 100 * MIN_JIT_PERCENT)
		fprintf(out,
			"\n  %s ...\n    # frames for JIT code, in which %.0f "
			"%% of the stacks end\n",
			compiler->frames,
			100 * (double)frameless / (double)all);
}

/* --- Stacks, which a gmon.out does not keep */

static void
print_tree(const struct prf_options *options, const struct prf_profile *profile,
	   FILE *out)
{
	if (!prf_calls_has_stacks(profile->calls) ||
	    options->formats != PRF_FORMAT_GMON)
		return;
	fputs("\n  profrun -g", out);
	print_target(options, out);
	fputs("    # then profrun report --tree shows who called whom\n", out);
}

void
prf_hints_print(const struct prf_options *options,
		const struct prf_profile *profile, const struct prf_run *run,
		FILE *out)
{
	print_sleeper(options, &run->stats, out);
	print_jit(profile, out);
	print_tree(options, profile, out);
}
