#include "view/table/listing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/syscalls.h"
#include "view/table/plain.h"

struct listing {
	struct prf_sink base;
	FILE *out;
	uint64_t begun_ns;
	struct prf_lookup *lookup;
	uint64_t n_samples, n_figures; /* printed */
};

/* --- What both have in common */

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	return prf_lookup_exec(((struct listing *)sink)->lookup, exec);
}

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	return prf_lookup_mapping(((struct listing *)sink)->lookup, map);
}

static int
on_life(struct prf_sink *sink, const struct prf_life *life)
{
	return prf_lookup_life(((struct listing *)sink)->lookup, life);
}

static int
on_finish(struct prf_sink *sink, struct prf_error *err)
{
	FILE *out = ((struct listing *)sink)->out;

	errno = 0;
	if (!fflush(out) && !ferror(out))
		return 0;
	return prf_error_set(err, errno ? -errno : -EIO,
			     "the samples cannot be written: %s",
			     strerror(errno ? errno : EIO));
}

static void
on_free(struct prf_sink *sink)
{
	free(sink);
}

static int
new_listing(const struct prf_sink_ops *ops, FILE *out,
	    const struct prf_pctrace_info *info, struct prf_lookup *lookup,
	    struct prf_sink **sink, struct prf_error *err)
{
	struct listing *listing = calloc(1, sizeof *listing);

	if (!listing)
		return prf_error_set(err, -ENOMEM, "out of memory");
	listing->base.ops = ops;
	listing->out = out;
	listing->begun_ns = info->monotonic_ns;
	listing->lookup = lookup;
	*sink = &listing->base;
	return 0;
}

static struct prf_found
find(const struct listing *listing, const struct prf_sample *sample)
{
	return prf_lookup_at(listing->lookup, sample->pid,
			     prf_frame_lookup_addr(sample->frames[0]));
}

/* --- Text */

/* Times before the begin are of a damaged trace, or another machine's. */
static void
print_time(const struct listing *listing, uint64_t time_ns)
{
	bool before = time_ns < listing->begun_ns;
	uint64_t ns = before ? listing->begun_ns - time_ns
			     : time_ns - listing->begun_ns;

	fprintf(listing->out, "%s%" PRIu64 ".%09" PRIu64, before ? "-" : "",
		ns / 1000000000, ns % 1000000000);
}

static void
print_mode(int32_t number, uint16_t machine, FILE *out)
{
	const char *name = number == PRF_NO_SYSCALL
				   ? NULL
				   : prf_syscall_name(machine, number);

	if (number == PRF_NO_SYSCALL)
		fputs("user", out);
	else if (name)
		fprintf(out, "call:%s", name);
	else
		fprintf(out, "call:%" PRId32, number);
}

static int
text_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct listing *listing = (struct listing *)sink;
	const struct prf_found found = find(listing, sample);
	FILE *out = listing->out;

	print_time(listing, sample->time_ns);
	fprintf(out, " %d %d %" PRIu32 " ", (int)sample->pid, (int)sample->tid,
		sample->ticks);
	print_mode(sample->syscall, found.machine, out);
	fputc(' ', out);
	if (found.function) {
		prf_plain_print(found.function, out);
		fprintf(out, "+0x%" PRIx64 " ", found.off);
	} else {
		fprintf(out, "0x%" PRIx64 " ", found.vaddr);
	}
	prf_plain_print(found.object, out);
	fputc('\n', out);
	return 0;
}

static const struct prf_sink_ops text_ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = text_sample,
	.life = on_life,
	.finish = on_finish,
	.free = on_free,
};

int
prf_listing_text_new(FILE *out, const struct prf_pctrace_info *info,
		     struct prf_lookup *lookup, struct prf_sink **sink,
		     struct prf_error *err)
{
	return new_listing(&text_ops, out, info, lookup, sink, err);
}

/* --- JSON */

/* Plain text has no control characters, and is UTF-8: two signs are left that
 * need care. */
static void
put_string(const char *text, FILE *out)
{
	prf_plain_print_quoted(text, "\"\\", '\\', out);
}

static void
put_info(const struct prf_pctrace_info *info, FILE *out)
{
	const struct {
		const char *name, *text;
	} texts[] = {
		{"recorder", info->recorder}, {"host", info->host},
		{"command", info->command},   {"machine", info->machine},
		{"order", info->order},       {"clock", info->clock},
		{"trigger", info->trigger},
	};

	fputs("{\"format\":\"profrun-samples\",\"version\":1,\n\"info\":{",
	      out);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		fprintf(out, "\"%s\":", texts[i].name);
		put_string(texts[i].text ? texts[i].text : "", out);
		fputc(',', out);
	}
	fprintf(out,
		"\"period_ns\":%" PRIu64 ",\"realtime_ns\":%" PRIu64
		",\"monotonic_ns\":%" PRIu64 "},\n\"samples\":[",
		info->period_ns, info->realtime_ns, info->monotonic_ns);
}

static int
json_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct listing *listing = (struct listing *)sink;
	FILE *out = listing->out;

	if (listing->n_figures)
		return -EINVAL;
	const struct prf_found found = find(listing, sample);
	fprintf(out,
		"%s\n{\"time_ns\":%" PRIu64 ",\"pid\":%d,\"tid\":%d,"
		"\"ticks\":%" PRIu32 ",\"syscall\":",
		listing->n_samples++ ? "," : "", sample->time_ns,
		(int)sample->pid, (int)sample->tid, sample->ticks);
	if (sample->syscall == PRF_NO_SYSCALL)
		fputs("null", out);
	else
		fprintf(out, "%" PRId32, sample->syscall);
	fprintf(out, ",\"addr\":\"0x%" PRIx64 "\",\"object\":",
		sample->frames[0].addr);
	put_string(found.object, out);
	fprintf(out, ",\"vaddr\":\"0x%" PRIx64 "\",\"function\":", found.vaddr);
	if (found.function)
		put_string(found.function, out);
	else
		fputs("null", out);
	fprintf(out, ",\"offset\":%" PRIu64 "}", found.off);
	return 0;
}

static int
json_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	struct listing *listing = (struct listing *)sink;
	FILE *out = listing->out;

	fputs(listing->n_figures++ ? ",\n{\"name\":"
				   : "],\n\"figures\":[\n{\"name\":",
	      out);
	put_string(figure->name, out);
	fprintf(out, ",\"value\":%" PRIu64 "}", figure->value);
	return 0;
}

static int
json_finish(struct prf_sink *sink, struct prf_error *err)
{
	struct listing *listing = (struct listing *)sink;

	fputs(listing->n_figures ? "]}\n" : "],\n\"figures\":[]}\n",
	      listing->out);
	return on_finish(sink, err);
}

static const struct prf_sink_ops json_ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = json_sample,
	.life = on_life,
	.figure = json_figure,
	.finish = json_finish,
	.free = on_free,
};

int
prf_listing_json_new(FILE *out, const struct prf_pctrace_info *info,
		     struct prf_lookup *lookup, struct prf_sink **sink,
		     struct prf_error *err)
{
	int rc = new_listing(&json_ops, out, info, lookup, sink, err);

	if (rc == 0)
		put_info(info, out);
	return rc;
}
