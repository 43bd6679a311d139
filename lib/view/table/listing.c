#include "view/table/listing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/syscalls.h"
#include "view/export/json.h"
#include "view/table/plain.h"

struct listing {
	struct prf_sink base;
	FILE *out;
	uint64_t begun_ns;
	struct prf_lookup *lookup;
	struct prf_json json;
	bool has_figures; /* the list of them has begun */
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
	listing->json = (struct prf_json){.out = out};
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
print_mode(const struct prf_sample *sample, uint16_t machine, FILE *out)
{
	int32_t number = sample->syscall;
	const char *name = number == PRF_NO_SYSCALL
				   ? NULL
				   : prf_syscall_name(machine, number);

	if (number == PRF_NO_SYSCALL)
		fputs(sample->kernel ? "kernel" : "user", out);
	else if (name)
		fprintf(out, "call:%s", name);
	else
		fprintf(out, "call:%" PRId32, number);
	if (sample->kernel)
		fprintf(out, ":%s", sample->kernel->names[0]);
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
	print_mode(sample, found.machine, out);
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

static void
put_info(const struct prf_pctrace_info *info, struct prf_json *json)
{
	const struct {
		const char *name, *text;
	} texts[] = {
		{"recorder", info->recorder}, {"host", info->host},
		{"command", info->command},   {"machine", info->machine},
		{"order", info->order},       {"clock", info->clock},
		{"trigger", info->trigger},
	};

	prf_json_object(json, "info");
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		prf_json_text(json, texts[i].name,
			      texts[i].text ? texts[i].text : "");
	prf_json_number(json, "period_ns", info->period_ns);
	prf_json_number(json, "realtime_ns", info->realtime_ns);
	prf_json_number(json, "monotonic_ns", info->monotonic_ns);
	prf_json_end(json);
}

static void
put_kernel(const struct prf_kernel_functions *kernel, struct prf_json *json)
{
	prf_json_list(json, "kernel");
	for (uint32_t i = 0; i < kernel->n; i++)
		prf_json_text(json, NULL, kernel->names[i]);
	prf_json_end(json);
}

static int
json_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct listing *listing = (struct listing *)sink;
	struct prf_json *json = &listing->json;

	if (listing->has_figures)
		return -EINVAL;
	const struct prf_found found = find(listing, sample);
	prf_json_object(json, NULL);
	prf_json_number(json, "time_ns", sample->time_ns);
	prf_json_signed(json, "pid", sample->pid);
	prf_json_signed(json, "tid", sample->tid);
	prf_json_number(json, "ticks", sample->ticks);
	if (sample->syscall == PRF_NO_SYSCALL)
		prf_json_null(json, "syscall");
	else
		prf_json_signed(json, "syscall", sample->syscall);
	if (sample->kernel)
		put_kernel(sample->kernel, json);
	prf_json_hex(json, "addr", sample->frames[0].addr);
	prf_json_text(json, "object", found.object);
	prf_json_hex(json, "vaddr", found.vaddr);
	prf_json_text(json, "function", found.function);
	prf_json_number(json, "offset", found.off);
	prf_json_end(json);
	return 0;
}

/* Figures come behind all samples. */
static void
begin_figures(struct listing *listing)
{
	if (listing->has_figures)
		return;
	prf_json_end(&listing->json);
	prf_json_list(&listing->json, "figures");
	listing->has_figures = true;
}

static int
json_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	struct listing *listing = (struct listing *)sink;

	begin_figures(listing);
	prf_json_object(&listing->json, NULL);
	prf_json_text(&listing->json, "name", figure->name);
	prf_json_number(&listing->json, "value", figure->value);
	prf_json_end(&listing->json);
	return 0;
}

static int
json_finish(struct prf_sink *sink, struct prf_error *err)
{
	struct listing *listing = (struct listing *)sink;

	begin_figures(listing);
	prf_json_end(&listing->json);
	prf_json_end(&listing->json);
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

	if (rc)
		return rc;
	struct prf_json *json = &((struct listing *)*sink)->json;
	prf_json_object(json, NULL);
	prf_json_text(json, "format", "profrun-samples");
	prf_json_number(json, "version", 1);
	put_info(info, json);
	prf_json_list(json, "samples");
	return 0;
}
