/* bench/family - what it costs to follow many processes.
 *
 * family [-p PROCESSES] [-t TICKS] [-a] [-w] FILE...: made-up events of that
 * many processes (2000), each of which is forked, executes the first FILE, maps
 * all of them, gets TICKS ticks (0) in one of the next of them each, and ends.
 * With -a all live at the same time; with -w each has a profile of its own
 * besides, whose files are written, to memory.  Prints times and the memory at
 * its peak. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/gmon.h"
#include "image/image.h"
#include "profile/collector.h"
#include "profile/functions.h"
#include "view/gmon/gmon_files.h"

#define BASE UINT64_C(0x7f0000000000)
#define APART UINT64_C(0x40000000)

/* An executable mapping of each file. */
struct library {
	struct prf_mapping map;
};

static struct library *libraries;
static size_t n_libraries;
static struct prf_collector *collector;
static uint64_t n_handed_out, n_bytes;

static double
now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void
fail(const char *what)
{
	fprintf(stderr, "family: %s\n", what);
	exit(1);
}

static void
must(int rc, const char *what)
{
	if (rc)
		fail(what);
}

/* Where the text is, its own headers tell. */
static void
add_library(const char *path)
{
	struct library *library = &libraries[n_libraries];
	struct prf_image *image = NULL;
	struct stat file;
	size_t n;

	if (stat(path, &file) || prf_image_open(path, &image, NULL))
		return;
	const struct prf_text *texts = prf_image_texts(image, &n);
	library->map = (struct prf_mapping){
		.kind = PRF_MAPPING_FILE,
		.addr = BASE + n_libraries * APART,
		.size = n ? texts[n - 1].hi - texts[0].lo : 0,
		.file_off = n ? texts[0].lo & ~UINT64_C(0xfff) : 0,
		.dev = file.st_dev,
		.inode = file.st_ino,
		.path = path,
	};
	n_libraries += n > 0;
	prf_image_close(image);
}

static void
write_to_memory(void *arg, const struct prf_ended *ended)
{
	struct prf_gmon_layout *layout = NULL;
	char *bytes = NULL;
	size_t size;

	(void)arg;
	n_handed_out++;
	if (!ended->profile)
		return;
	FILE *out = open_memstream(&bytes, &size);
	must(!out || prf_gmon_layout_new(ended->profile, &layout, NULL),
	     "layout");
	must(prf_gmon_files_write_ticks(layout, out, NULL), "ticks");
	must(prf_gmon_files_write_syms(layout, false, out, NULL), "symbols");
	must(fclose(out), "memory");
	n_bytes += size;
	free(bytes);
	prf_gmon_layout_free(layout);
}

static void
begin_process(pid_t pid)
{
	const struct prf_life life = {
		.kind = PRF_LIFE_FORK, .pid = pid, .parent = 1, .name = ""};
	const struct prf_exec exec = {
		.pid = pid,
		.path = libraries[0].map.path,
		.command = libraries[0].map.path,
		.inode = libraries[0].map.inode,
		.addr_bytes = 8,
	};

	if (pid > 1)
		must(prf_sink_life(&collector->base, &life), "fork");
	must(collector->base.ops->exec(&collector->base, &exec), "exec");
	for (size_t i = 0; i < n_libraries; i++) {
		struct prf_mapping map = libraries[i].map;

		map.pid = pid;
		must(collector->base.ops->mapping(&collector->base, &map),
		     "map");
	}
}

static void
tick(pid_t pid, size_t i)
{
	const struct prf_mapping *map =
		&libraries[((size_t)pid * 7 + i) % n_libraries].map;
	const struct prf_frame frame = {
		map->addr + ((uint64_t)pid * 7919 + i * 104729) % map->size,
		PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = pid,
		.tid = pid,
		.ticks = 1,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 1,
		.frames = &frame,
	};

	must(collector->base.ops->sample(&collector->base, &sample), "sample");
}

static void
end_process(pid_t pid)
{
	const struct prf_life life = {
		.kind = PRF_LIFE_EXIT, .pid = pid, .name = ""};

	must(prf_sink_life(&collector->base, &life), "exit");
}

static void
run(pid_t n_processes, size_t n_ticks, bool all_at_once)
{
	begin_process(1);
	for (pid_t pid = 2; pid < 2 + n_processes; pid++) {
		begin_process(pid);
		for (size_t i = 0; i < n_ticks; i++)
			tick(pid, i);
		if (!all_at_once)
			end_process(pid);
	}
	for (pid_t pid = 2; all_at_once && pid < 2 + n_processes; pid++)
		end_process(pid);
	must(collector->base.ops->finish(&collector->base, NULL), "finish");
}

static size_t
count_functions(void)
{
	struct prf_functions functions;

	must(prf_functions_of(collector->profile, &functions), "functions");
	size_t n = functions.n;
	prf_functions_clear(&functions);
	return n;
}

int
main(int argc, char **argv)
{
	pid_t n_processes = 2000;
	size_t n_ticks = 0;
	bool all_at_once = false, written = false;
	struct rusage before, after;
	int option;

	while ((option = getopt(argc, argv, "p:t:aw")) >= 0)
		switch (option) {
		case 'p':
			n_processes = atoi(optarg);
			break;
		case 't':
			n_ticks = (size_t)atoi(optarg);
			break;
		case 'a':
			all_at_once = true;
			break;
		case 'w':
			written = true;
			break;
		default:
			return 2;
		}
	libraries = calloc((size_t)argc, sizeof *libraries);
	if (!libraries)
		fail("memory");
	for (int i = optind; i < argc; i++)
		add_library(argv[i]);
	if (!n_libraries)
		fail("no FILE with text");

	const struct prf_collector_config config = {
		.kernel_apart = true,
		.rate_hz = 100,
		.each = written ? PRF_COLLECT_PROGRAM : PRF_COLLECT_RUN,
		.ended = write_to_memory,
	};
	getrusage(RUSAGE_SELF, &before);
	collector = prf_collector_new(&config);
	double begun = now_s();
	run(n_processes, n_ticks, all_at_once);
	double took = now_s() - begun;
	getrusage(RUSAGE_SELF, &after);
	double cpu =
		(double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec +
			 after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
		(double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec +
			 after.ru_stime.tv_usec - before.ru_stime.tv_usec) /
			1e6;
	printf("%d processes, %zu mappings and %zu ticks each%s%s: "
	       "%.3f s (CPU %.3f s, %.1f us for each), %ld kB more than the "
	       "%ld kB before, %llu handed out, %.1f MB written, %zu "
	       "functions\n",
	       (int)n_processes, n_libraries, n_ticks,
	       all_at_once ? ", all at once" : "", written ? ", written" : "",
	       took, cpu, 1e6 * cpu / n_processes,
	       after.ru_maxrss - before.ru_maxrss, before.ru_maxrss,
	       (unsigned long long)n_handed_out, (double)n_bytes / 1e6,
	       count_functions());
	collector->base.ops->free(&collector->base);
	free(libraries);
	return 0;
}
