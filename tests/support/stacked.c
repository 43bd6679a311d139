/* stacked - a trace of stacks that are known.
 *
 *	stacked TRACE <<END
 *	complete main alpha beta 10
 *	cut ?beta 3 kernel read
 *	END
 *
 * stacked TRACE CLOCK COMMAND has the trace tell these; "" is not told.
 *
 * A line is a sample of this program: why its stack ends ("complete", "no-cfi",
 * "cut", "limit", "loop", "none"); the functions, the outermost first, "?"
 * before one that is guessed; its ticks; and perhaps "kernel" and the system call
 * that it is in, "read" or "write", or "thread" and the number of another thread than
 * the first, 100.  A sample comes 10 ms after the one before.  The functions are
 * those of table.  Lines "figure NAME NUMBER" come behind the samples. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/pctrace.h"
#include "image/buildid.h"

/* Functions long enough to have a PC inside. */
#define FUNCTION(name)                                                         \
	__attribute__((noinline, used)) int name(volatile int *x);             \
	int name(volatile int *x)                                              \
	{                                                                      \
		for (int i = 0; i < *x; i++)                                   \
			*x += i * (*x + i);                                    \
		return *x;                                                     \
	}

FUNCTION(outer)
FUNCTION(alpha)
FUNCTION(beta)
FUNCTION(gamma_ray)
FUNCTION(_ZN5space5firstIiEEvc) /* void space::first<int>(char) */

static const struct {
	const char *name;
	int (*function)(volatile int *x);
} table[] = {
	{"outer", outer},
	{"alpha", alpha},
	{"beta", beta},
	{"gamma_ray", gamma_ray},
	{"space::first", _ZN5space5firstIiEEvc},
};

static const struct {
	const char *name;
	enum prf_stack_end end;
} ends[] = {
	{"none", PRF_STACK_NONE},     {"complete", PRF_STACK_COMPLETE},
	{"no-cfi", PRF_STACK_NO_CFI}, {"cut", PRF_STACK_MEMORY},
	{"limit", PRF_STACK_LIMIT},   {"loop", PRF_STACK_LOOP},
};

static const struct {
	const char *name;
	int32_t number;
} calls[] = {{"read", SYS_read}, {"write", SYS_write}};

static void
fail(const char *what)
{
	fprintf(stderr, "stacked: %s\n", what);
	exit(2);
}

/* --- Where this program is */

/* The text that FUNCTION is in, as the kernel tells it. */
static void
find_text(const void *function, struct prf_mapping *map)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	uint64_t here = (uint64_t)(uintptr_t)function, end;
	unsigned major, minor;
	char line[5000];

	while (maps && fgets(line, sizeof line, maps))
		if (sscanf(line,
			   "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64
			   " %x:%x %" SCNu64,
			   &map->addr, &end, &map->file_off, &major, &minor,
			   &map->inode) == 6 &&
		    here >= map->addr && here < end) {
			map->size = end - map->addr;
			map->dev = makedev(major, minor);
			fclose(maps);
			return;
		}
	fail("/proc/self/maps has not this program");
}

static void
begin(struct prf_sink *sink)
{
	static char path[4096];
	uint8_t build_id[PRF_BUILDID_MAX_BYTES];
	int fd = open("/proc/self/exe", O_RDONLY);
	struct prf_mapping map = {
		.pid = 100,
		.kind = PRF_MAPPING_FILE,
		.path = path,
	};

	if (fd < 0 || readlink("/proc/self/exe", path, sizeof path - 1) < 0)
		fail("/proc/self/exe cannot be read");
	find_text((const void *)(uintptr_t)outer, &map);
	map.build_id_bytes = prf_buildid_read(fd, build_id);
	map.build_id = build_id;
	close(fd);
	const struct prf_exec exec = {
		.pid = 100,
		.path = path,
		.command = "stacked up",
		.dev = map.dev,
		.inode = map.inode,
		.addr_bytes = sizeof(void *),
		.rank = -1,
		.uid = PRF_NO_USER,
	};
	if (sink->ops->exec(sink, &exec) || sink->ops->mapping(sink, &map))
		fail("no begin");
}

/* --- Samples */

static uint64_t
addr_of(const char *name)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (strcmp(table[i].name, name) == 0)
			return (uint64_t)(uintptr_t)table[i].function;
	fail(name);
	return 0;
}

static enum prf_stack_end
end_of(const char *name)
{
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (strcmp(ends[i].name, name) == 0)
			return ends[i].end;
	fail(name);
	return PRF_STACK_NONE;
}

static int32_t
call_of(const char *name)
{
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (strcmp(calls[i].name, name) == 0)
			return calls[i].number;
	fail(name);
	return PRF_NO_SYSCALL;
}

static void
give_sample(struct prf_sink *sink, char *line, uint64_t time_ns)
{
	enum { MAX_FRAMES = 64 };
	struct prf_frame outward[MAX_FRAMES], frames[MAX_FRAMES];
	struct prf_sample sample = {
		.pid = 100,
		.tid = 100,
		.time_ns = time_ns,
		.syscall = PRF_NO_SYSCALL,
		.end = end_of(strtok(line, " \n")),
		.frames = frames,
	};
	char *word;

	while ((word = strtok(NULL, " \n")) && (*word < '0' || *word > '9')) {
		bool guessed = *word == '?';

		if (sample.n_frames == MAX_FRAMES)
			fail("too many frames");
		outward[sample.n_frames++] = (struct prf_frame){
			addr_of(word + guessed) + 5,
			guessed ? PRF_FRAME_GUESSED : PRF_FRAME_RETURN,
		};
	}
	if (!word || !sample.n_frames)
		fail("no ticks, or no frames");
	sample.ticks = sample.certain = (uint32_t)strtoul(word, NULL, 10);
	while ((word = strtok(NULL, " \n"))) {
		const char *value = strtok(NULL, " \n");

		if (strcmp(word, "kernel") == 0)
			sample.syscall = call_of(value);
		else if (strcmp(word, "thread") == 0)
			sample.tid = (pid_t)strtol(value, NULL, 10);
	}
	for (uint32_t i = 0; i < sample.n_frames; i++)
		frames[i] = outward[sample.n_frames - 1 - i];
	frames[0].kind = PRF_FRAME_PC;
	if (sink->ops->sample(sink, &sample))
		fail("no sample");
}

static void
give_figure(struct prf_sink *sink, char *line)
{
	strtok(line, " \n");
	const struct prf_figure figure = {
		.name = strtok(NULL, " \n"),
		.value = strtoull(strtok(NULL, " \n"), NULL, 10),
	};

	if (prf_sink_figure(sink, &figure))
		fail("no figure");
}

int
main(int argc, char **argv)
{
	bool is_told = argc == 4;
	const struct prf_pctrace_info info = {
		.recorder = "stacked",
		.command = is_told ? argv[3] : "stacked up",
		.clock = is_told ? argv[2] : "cpu",
		.trigger = "timer",
		.period_ns = 10000000,
	};
	struct prf_sink *sink = NULL;
	struct prf_error err;
	char line[1024];
	uint64_t time_ns = 0;
	FILE *file = argc == 2 || is_told ? fopen(argv[1], "w") : NULL;

	if (!file || prf_pctrace_sink_new(file, &info, &sink, &err))
		fail("no trace can be written");
	begin(sink);
	while (fgets(line, sizeof line, stdin))
		if (strncmp(line, "figure ", 7) == 0)
			give_figure(sink, line);
		else
			give_sample(sink, line, time_ns += 10000000);
	if (sink->ops->finish(sink, &err))
		fail(err.text);
	sink->ops->free(sink);
	return fclose(file) != 0;
}
