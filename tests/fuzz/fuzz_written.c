/* A trace, counted and written in every form that there is.  Whatever its words
 * and numbers are, a gmon.out with its list is read as the same, tables are
 * printed, each format of another tool is sound, and no writer refuses what the reader gave. */
#include <errno.h>
#include <stdlib.h>

#include "core/pctrace.h"
#include "core/rawsamples.h"
#include "fuzz/as_trace.h"
#include "fuzz/exported.h"
#include "fuzz/fuzz.h"
#include "fuzz/rewritten.h"
#include "profile/collector.h"
#include "view/table/listing.h"
#include "view/table/rows.h"

enum { PERIOD_NS = 10000000 };

static void
must(bool ok)
{
	if (!ok)
		abort();
}

/* The files that a trace names are not here. */
static int
find_none(void *arg, const struct prf_mapping *map)
{
	(void)arg;
	(void)map;
	return -ENOENT;
}

static const struct prf_objectfile_way nowhere = {.open = find_none};

/* --- The profile */

/* Nothing steers a terminal. */
static void
check_plain(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		must((unsigned char)text[i] >= ' ' || text[i] == '\n');
}

static void
check_rows(const struct prf_profile *profile, enum prf_rows_by by)
{
	struct prf_style style = {.width = 80};
	/* None of the files that a trace names is opened. */
	struct prf_binary_lines lines = {.symfs = "/nowhere"};
	struct prf_rows rows = {.lines = &lines};
	uint64_t ticks = 0;
	char *text = NULL;
	size_t n_text = 0;
	FILE *out = open_memstream(&text, &n_text);

	must(out && !prf_rows_add(&rows, profile, by));
	prf_rows_sort(&rows);
	for (size_t i = 0; i < rows.n; i++)
		ticks += rows.rows[i].count.ticks;
	must(ticks <= profile->total.ticks);
	must(!prf_rows_print(&rows, by, PERIOD_NS, &style, out));
	prf_rows_print_csv(&rows, by, PERIOD_NS, out);
	prf_rows_clear(&rows);
	prf_binary_lines_clear(&lines);
	must(!fclose(out));
	check_plain(text, n_text);
	free(text);
}

/* (A file repeats a record for each 65535 ticks of an address.) */
static void
check_rewritten(const struct prf_profile *profile, bool all)
{
	enum { MOST_TICKS = 1 << 24 };

	if (profile->total.ticks <= MOST_TICKS)
		prf_rewritten_check(profile, all);
}

static void
check_profile(const struct prf_profile *profile)
{
	check_rewritten(profile, false);
	check_rewritten(profile, true);
	prf_exported_check(profile);
	for (int by = 0; by < PRF_N_ROWS_BY; by++)
		check_rows(profile, (enum prf_rows_by)by);
}

static void
take_ended(void *arg, const struct prf_ended *ended)
{
	(void)arg;
	if (ended->profile)
		check_rewritten(ended->profile, false);
}

/* --- What is made of a trace */

/* What the sink refuses is no fault of the trace's. */
static void
play(struct prf_pctrace *trace, struct prf_sink *sink)
{
	struct prf_pctrace_report report;
	struct prf_error err = {0};

	must(!prf_pctrace_play(trace, sink, &report, &err));
	must(!sink->ops->finish(sink, &err) || err.text[0]);
}

static void
count(struct prf_pctrace *trace, enum prf_collect_each each)
{
	const struct prf_collector_config config = {
		.kernel_apart = each != PRF_COLLECT_THREAD,
		.call_graph = true,
		.rate_hz = 100,
		.threads = true,
		.each = each,
		.way = nowhere,
		.perfmap_dir = "/nowhere",
		.realtime_offset_ns = 1,
		.ended = take_ended,
	};
	struct prf_collector *collector = prf_collector_new(&config);

	must(collector);
	play(trace, &collector->base);
	check_profile(collector->profile);
	collector->base.ops->free(&collector->base);
}

typedef int new_listing(FILE *, const struct prf_pctrace_info *,
			struct prf_lookup *, struct prf_sink **,
			struct prf_error *);

static void
list(struct prf_pctrace *trace, new_listing *new_sink)
{
	struct prf_warnings warnings = {0};
	struct prf_lookup *lookup = prf_lookup_new(&nowhere, &warnings);
	struct prf_sink *sink = NULL;
	struct prf_error err;
	char *text = NULL;
	size_t n_text = 0;
	FILE *out = open_memstream(&text, &n_text);

	must(lookup && out);
	must(!new_sink(out, prf_pctrace_info(trace), lookup, &sink, &err));
	play(trace, sink);
	sink->ops->free(sink);
	prf_lookup_free(lookup);
	prf_warnings_clear(&warnings);
	must(!fclose(out));
	check_plain(text, n_text);
	free(text);
}

static void
store_raw(struct prf_pctrace *trace)
{
	enum { MOST = 1000 };
	struct prf_sink *sink = NULL;
	struct prf_error err;
	char *raw = NULL, *maps = NULL;
	size_t n_raw = 0, n_maps = 0;
	FILE *raw_out = open_memstream(&raw, &n_raw);
	FILE *maps_out = open_memstream(&maps, &n_maps);

	must(raw_out && maps_out);
	must(!prf_rawsamples_sink_new(raw_out, maps_out, MOST, &sink, &err));
	play(trace, sink);
	sink->ops->free(sink);
	must(!fclose(raw_out) && !fclose(maps_out));
	must(n_raw <= MOST * sizeof(uint64_t));
	free(raw);
	free(maps);
}

static void
count_run(struct prf_pctrace *trace)
{
	count(trace, PRF_COLLECT_RUN);
}

static void
count_programs(struct prf_pctrace *trace)
{
	count(trace, PRF_COLLECT_PROGRAM);
}

static void
count_threads(struct prf_pctrace *trace)
{
	count(trace, PRF_COLLECT_THREAD);
}

static void
list_text(struct prf_pctrace *trace)
{
	list(trace, prf_listing_text_new);
}

static void
list_json(struct prf_pctrace *trace)
{
	list(trace, prf_listing_json_new);
}

static void (*const ways[])(struct prf_pctrace *) = {
	count_run, count_programs, count_threads,
	list_text, list_json,      store_raw,
};

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	size_t n_trace;
	uint8_t *file = prf_as_trace(bytes, n_bytes, &n_trace);

	for (size_t i = 0; file && i < sizeof ways / sizeof *ways; i++) {
		FILE *in = fmemopen(file, n_trace, "r");
		struct prf_pctrace *trace = NULL;
		struct prf_error err;

		must(in);
		if (!prf_pctrace_open(in, &trace, &err))
			ways[i](trace);
		prf_pctrace_close(trace);
		fclose(in);
	}
	free(file);
	return 0;
}
