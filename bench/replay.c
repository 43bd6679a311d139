/* bench/replay - how fast a trace becomes a profile.
 *
 *	replay [-g] N_SAMPLES OBJECT...
 *	replay -o FILE [-g] N_SAMPLES OBJECT...
 *
 * A trace of N_SAMPLES is made up, over the text of the OBJECTs (ELF files):
 * eight threads, half of the ticks in 64 functions, the others anywhere.  Then
 * it is read with nothing behind the reader, and becomes a gmon.out as in
 * profrun export; each stage with its time, that of all processors, and the
 * most memory that was used up to its end.  With -g samples have stacks of 26 to
 * 46 frames: from one to the next a thread leaves some five of them and calls
 * others, each function by one of four calls, mostly by the same.
 * Best run on objects that bench/replay.sh makes.  With -o the trace is left in
 * FILE, and nothing else is done. */
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/pctrace.h"
#include "core/scope.h"
#include "image/buildid.h"
#include "src/commands/recording.h"
#include "profile/collector.h"
#include "support/sample_sink.h"
#include "view/gmon/gmon_files.h"

enum { N_THREADS = 8, N_HOT = 64, FUNCTION_BYTES = 128, RATE_HZ = 100 };

static __attribute__((noreturn)) void
fail(const char *what)
{
	fprintf(stderr, "replay: %s\n", what);
	exit(1);
}

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

/* --- Stages */

struct moment {
	double wall_s, cpu_s;
};

static double
clock_s(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct moment
now(void)
{
	return (struct moment){clock_s(CLOCK_MONOTONIC),
			       clock_s(CLOCK_PROCESS_CPUTIME_ID)};
}

/* Prints what has been used since BEGIN; returns the moment after that. */
static struct moment
end_stage(struct moment begin, const char *name, uint64_t n_samples)
{
	struct rusage usage;
	struct moment end = now();
	double wall_s = end.wall_s - begin.wall_s;

	getrusage(RUSAGE_SELF, &usage);
	printf("%-24s %7.3f s wall  %7.3f s CPU  ", name, wall_s,
	       end.cpu_s - begin.cpu_s);
	if (n_samples)
		printf("%6.1f M samples/s", (double)n_samples / wall_s * 1e-6);
	else
		printf("%16s", "");
	printf("  %6.1f MB\n", (double)usage.ru_maxrss / 1024);
	return now();
}

/* --- The trace */

/* The executable segment of an object, at an address that is made up. */
static struct prf_mapping
map_text(const char *path, uint64_t addr)
{
	struct stat file;
	size_t n = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);

	if (fd < 0 || fstat(fd, &file) || !elf || elf_getphdrnum(elf, &n))
		fail(path);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr phdr;

		if (!gelf_getphdr(elf, (int)i, &phdr) ||
		    phdr.p_type != PT_LOAD || !(phdr.p_flags & PF_X))
			continue;
		uint64_t before = phdr.p_offset & 4095;
		struct prf_mapping map = {
			.pid = 1,
			.kind = PRF_MAPPING_FILE,
			.addr = addr,
			.size = (phdr.p_filesz + before + 4095) & ~4095ull,
			.file_off = phdr.p_offset - before,
			.dev = file.st_dev,
			.inode = file.st_ino,
			.path = path,
		};
		elf_end(elf);
		close(fd);
		return map;
	}
	fail(path);
	abort();
}

static uint64_t
pc_anywhere(uint64_t *seed, const struct prf_mapping *maps, size_t n_maps)
{
	const struct prf_mapping *map = &maps[next_random(seed) % n_maps];

	return map->addr + next_random(seed) % map->size;
}

static uint64_t
pc_hot(uint64_t *seed, const struct prf_mapping *maps, size_t n_maps)
{
	uint64_t hot = next_random(seed) % N_HOT;
	const struct prf_mapping *map = &maps[hot % n_maps];
	uint64_t n_functions = map->size / FUNCTION_BYTES;

	return map->addr + hot * 7919 % n_functions * FUNCTION_BYTES +
	       next_random(seed) % FUNCTION_BYTES;
}

/* --- Stacks */

enum { LEAST_DEPTH = 26, MOST_DEPTH = 46, N_LEVEL = 40 };

/* A thread's stack, the outermost first; the level is its index. */
struct stack {
	size_t n;
	unsigned functions[MOST_DEPTH]; /* each of N_LEVEL */
	unsigned calls[MOST_DEPTH];     /* by which it called the next */
};

static uint64_t
function_addr(const struct stack *stack, size_t level,
	      const struct prf_mapping *maps, size_t n_maps)
{
	uint64_t number = level * N_LEVEL + stack->functions[level];
	const struct prf_mapping *map = &maps[number % n_maps];
	uint64_t n_functions = map->size / FUNCTION_BYTES;

	return map->addr + number * 7919 % n_functions * FUNCTION_BYTES;
}

static void
call_on(struct stack *stack, uint64_t *seed)
{
	static const unsigned char choices[32] = {1, 1, 1, 2, 3};
	unsigned call = choices[next_random(seed) % 32];
	size_t level = stack->n - 1;

	stack->calls[level] = call;
	stack->functions[stack->n++] =
		(unsigned)((stack->functions[level] * 31 + call * 7 + level) %
			   N_LEVEL);
}

static void
move_on(struct stack *stack, uint64_t *seed)
{
	size_t depth = stack->n + next_random(seed) % 7 - 3;

	if (depth < LEAST_DEPTH || depth > MOST_DEPTH)
		depth = (LEAST_DEPTH + MOST_DEPTH) / 2;
	while (stack->n > 1 && (stack->n > depth || next_random(seed) % 5))
		stack->n--;
	while (stack->n < depth)
		call_on(stack, seed);
}

static uint32_t
take_frames(const struct stack *stack, uint64_t pc, struct prf_frame *frames,
	    const struct prf_mapping *maps, size_t n_maps)
{
	uint32_t n = 0;

	frames[n++] = (struct prf_frame){pc, PRF_FRAME_PC};
	for (size_t level = stack->n - 1; level-- > 0;)
		frames[n++] = (struct prf_frame){
			function_addr(stack, level, maps, n_maps) + 16 +
				16 * stack->calls[level],
			PRF_FRAME_RETURN};
	return n;
}

/* --- Samples */

static void
give_trace(struct prf_sink *sink, uint64_t n_samples, bool has_stacks,
	   const struct prf_mapping *maps, size_t n_maps)
{
	static struct stack stacks[N_THREADS];
	uint64_t seed = UINT64_C(0x123456789abcdef);
	const struct prf_exec exec = {
		.pid = 1,
		.path = maps[0].path,
		.command = "replay",
		.dev = maps[0].dev,
		.inode = maps[0].inode,
		.addr_bytes = 8,
	};

	if (sink->ops->exec(sink, &exec))
		fail("the trace cannot be written");
	for (size_t i = 0; i < n_maps; i++)
		if (sink->ops->mapping(sink, &maps[i]))
			fail("the trace cannot be written");
	for (size_t i = 0; i < N_THREADS; i++)
		stacks[i].n = 1;
	for (uint64_t i = 0; i < n_samples; i++) {
		struct stack *stack = &stacks[i % N_THREADS];
		struct prf_frame frames[MOST_DEPTH];
		uint64_t pc = (next_random(&seed) & 1 ? pc_hot : pc_anywhere)(
			&seed, maps, n_maps);

		if (has_stacks) {
			move_on(stack, &seed);
			pc = function_addr(stack, stack->n - 1, maps, n_maps) +
			     pc % 32;
		}
		uint32_t n_frames =
			take_frames(stack, pc, frames, maps, n_maps);
		const struct prf_sample sample = {
			.pid = 1,
			.tid = 1 + (pid_t)(i % N_THREADS),
			.time_ns = i / N_THREADS * (1000000000 / RATE_HZ) +
				   next_random(&seed) % 4096,
			.ticks = 1,
			.syscall = PRF_NO_SYSCALL,
			.end = has_stacks ? PRF_STACK_COMPLETE : PRF_STACK_NONE,
			.n_frames = n_frames,
			.frames = frames,
		};

		if (sink->ops->sample(sink, &sample))
			fail("the trace cannot be written");
	}
}

static int
find_id(void *arg, const struct prf_mapping *map, struct stat *st,
	uint8_t bytes[PRF_BUILDID_MAX_BYTES])
{
	PRF_AUTO(prf_auto_close)
	int fd = open(map->path, O_RDONLY | O_CLOEXEC);

	(void)arg;
	return fd < 0 || fstat(fd, st) ? -1 : prf_buildid_read(fd, bytes);
}

static int
stat_path(void *arg, const struct prf_mapping *map, struct stat *st)
{
	(void)arg;
	return stat(map->path, st);
}

static void
write_trace(FILE *file, uint64_t n_samples, bool has_stacks,
	    const struct prf_mapping *maps, size_t n_maps)
{
	const struct moment begin = now();
	const struct prf_pctrace_info info = {
		.recorder = "replay",
		.period_ns = 1000000000 / RATE_HZ,
	};
	const struct prf_buildid_way way = {
		.find = find_id,
		.stat_path = stat_path,
	};
	struct prf_sink *trace, *sink;
	struct prf_error err = {0};

	if (prf_pctrace_sink_new(file, &info, &trace, &err) ||
	    prf_buildid_sink_new(trace, &way, &sink, &err))
		fail(err.text);
	give_trace(sink, n_samples, has_stacks, maps, n_maps);
	if (sink->ops->finish(sink, &err))
		fail(err.text);
	sink->ops->free(sink);
	end_stage(begin, "made up and written", n_samples);
	printf("    %.2f bytes a sample\n",
	       (double)ftell(file) / (double)n_samples);
}

/* --- Reading it */

struct adder {
	struct prf_sink base;
	uint64_t sum;
};

static int
add_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	((struct adder *)sink)->sum += sample->frames[0].addr;
	return 0;
}

static const struct prf_sink_ops adder_ops = PRF_SAMPLE_SINK_OPS(add_sample);

static void
read_alone(FILE *file, uint64_t n_samples, const char *name)
{
	const struct moment begin = now();
	struct adder adder = {.base.ops = &adder_ops};
	struct prf_pctrace *trace;
	struct prf_pctrace_report report;
	struct prf_error err = {0};

	rewind(file);
	if (prf_pctrace_open(file, &trace, &err) ||
	    prf_pctrace_play(trace, &adder.base, &report, &err))
		fail(err.text);
	if (report.samples != n_samples || report.n_damaged)
		fail("the trace is not played as it was written");
	prf_pctrace_close(trace);
	end_stage(begin, name, n_samples);
}

/* --- Counting it */

static uint64_t
write_gmon(const struct prf_profile *profile, FILE *gmon, FILE *symbols)
{
	struct prf_gmon_layout *layout;
	struct prf_error err = {0};

	if (prf_gmon_layout_new(profile, &layout, &err) ||
	    prf_gmon_files_write_ticks(layout, gmon, &err) ||
	    prf_gmon_files_write_syms(layout, false, symbols, &err) ||
	    fflush(gmon) || fflush(symbols))
		fail(err.text);
	uint64_t n = layout->n;
	prf_gmon_layout_free(layout);
	return n;
}

static void
write_files(const struct prf_profile *profile)
{
	const struct moment begin = now();
	FILE *gmon = tmpfile(), *symbols = tmpfile();

	if (!gmon || !symbols)
		fail("no temporary file");
	uint64_t n = write_gmon(profile, gmon, symbols);
	end_stage(begin, "gmon.out and gmon.syms", 0);
	printf("    %" PRIu64 " binaries, %" PRIu64 " ticks, %" PRIu64
	       " in none; %.1f and %.1f MB\n",
	       n, profile->total.ticks, prf_profile_unknown(profile),
	       (double)ftell(gmon) * 1e-6, (double)ftell(symbols) * 1e-6);
	fclose(gmon);
	fclose(symbols);
}

/* As the command export does. */
static void
make_profile(const char *path, uint64_t n_samples)
{
	const struct moment begin = now();
	const struct prf_collector_config config = {
		.kernel_apart = true,
		.call_graph = true,
	};
	const struct prf_reading reading = {
		.messages = prf_messages_to_stderr(),
	};
	struct prf_recording recording;
	struct prf_counted counted = {0};
	struct prf_error err = {0};

	if (prf_recording_open(path, &recording, &err) ||
	    prf_recording_count(&recording, &reading, &config, &counted, &err))
		fail(err.text);
	if (counted.profile->total.ticks != n_samples)
		fail("the trace is not counted as it was written");
	end_stage(begin, "played and counted", n_samples);
	if (counted.profile->calls)
		printf("    %zu nodes of the call tree\n",
		       counted.profile->calls->n);
	write_files(counted.profile);
	prf_counted_clear(&counted);
	prf_recording_close(&recording);
	end_stage(begin, "in all", n_samples);
}

int
main(int argc, char **argv)
{
	const char *kept =
		argc > 2 && strcmp(argv[1], "-o") == 0 ? argv[2] : NULL;

	argc -= kept ? 2 : 0;
	argv += kept ? 2 : 0;
	bool has_stacks = argc > 1 && strcmp(argv[1], "-g") == 0;
	argc -= has_stacks;
	argv += has_stacks;
	size_t n_maps = argc > 2 ? (size_t)argc - 2 : 0;
	uint64_t n_samples = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	struct prf_mapping *maps = calloc(n_maps + 1, sizeof *maps);
	FILE *file = kept ? fopen(kept, "w") : tmpfile();
	char path[64];

	if (n_maps == 0 || n_samples == 0 || !maps || !file)
		fail("usage: replay [-o FILE] [-g] N_SAMPLES OBJECT...");
	elf_version(EV_CURRENT);
	for (size_t i = 0; i < n_maps; i++)
		maps[i] = map_text(argv[i + 2],
				   UINT64_C(0x7f0000000000) + (i << 28));
	write_trace(file, n_samples, has_stacks, maps, n_maps);
	if (!kept) {
		read_alone(file, n_samples, "read alone");
		read_alone(file, n_samples, "read alone, again");
		snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
		make_profile(path, n_samples);
	}
	free(maps);
	fclose(file);
	return 0;
}
