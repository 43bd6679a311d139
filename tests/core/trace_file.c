#include "core/trace_file.h"

#include <stdlib.h>
#include <string.h>

#include "core/tee.h"

const struct prf_pctrace_info trace_file_info = {
	.recorder = "profrun 0.1.0",
	.host = "example",
	.command = "program --with arguments",
	.machine = "x86_64",
	.order = "little",
	.clock = "cpu",
	.trigger = "timer",
	.period_ns = 10000000,
	.realtime_ns = UINT64_C(1700000000123456789),
	.monotonic_ns = UINT64_C(86400000000000),
};

/* Not by Check alone are these used. */
static void
must(bool ok)
{
	if (!ok)
		abort();
}

struct trace_file
trace_file_begin(void)
{
	struct trace_file file = {0};
	struct prf_error err;

	/* A memory stream would need to stay where it is. */
	file.stream = tmpfile();
	must(file.stream);
	must(!prf_pctrace_sink_new(file.stream, &trace_file_info, &file.sink,
				   &err));
	return file;
}

static void
trace_file_read_back(struct trace_file *file)
{
	file->n_bytes = (size_t)ftell(file->stream);
	file->bytes = malloc(file->n_bytes + 1);
	must(file->bytes);
	rewind(file->stream);
	must(fread(file->bytes, 1, file->n_bytes, file->stream) ==
	     file->n_bytes);
	fclose(file->stream);
}

void
trace_file_finish(struct trace_file *file)
{
	struct prf_error err;

	must(!file->sink->ops->finish(file->sink, &err));
	file->sink->ops->free(file->sink);
	trace_file_read_back(file);
}

/* A tee to the log and the file. */
static struct prf_sink *
begin_both(struct trace_file *file, struct event_log *log)
{
	struct prf_sink *tee;
	struct prf_error err;

	event_log_begin(log);
	*file = trace_file_begin();
	must(!prf_tee_sink_new((struct prf_sink *[]){&log->base, file->sink}, 2,
			       &tee, &err));
	return tee;
}

static void
finish_both(struct trace_file *file, struct prf_sink *tee)
{
	struct prf_error err;

	must(!tee->ops->finish(tee, &err));
	must(!prf_tee_sink_losses(tee, 1).code);
	tee->ops->free(tee);
	trace_file_read_back(file);
}

struct trace_file
trace_file_of_any(struct random *random, size_t n, struct event_log *log)
{
	struct trace_file file;
	struct prf_sink *tee = begin_both(&file, log);

	event_log_give_any(random, n, tee);
	finish_both(&file, tee);
	return file;
}

struct trace_file
trace_file_of_run(struct random *random, size_t n, unsigned n_threads,
		  struct event_log *log)
{
	struct trace_file file;
	struct prf_sink *tee = begin_both(&file, log);

	event_log_give_run(random, n, n_threads, tee);
	finish_both(&file, tee);
	return file;
}

int
trace_file_play(const char *bytes, size_t n_bytes, struct event_log *log,
		struct prf_pctrace_report *report, struct prf_error *err)
{
	struct prf_pctrace *trace = NULL;
	FILE *in = n_bytes ? fmemopen((char *)bytes, n_bytes, "r")
			   : fopen("/dev/null", "r");

	must(in);
	int rc = prf_pctrace_open(in, &trace, err);
	if (!rc)
		rc = prf_pctrace_play(trace, &log->base, report, err);
	prf_pctrace_close(trace);
	fclose(in);
	return rc;
}
