/* trace_file.h - traces in memory, for tests of pctrace.h. */
#ifndef PRF_TESTS_CORE_TRACE_FILE_H
#define PRF_TESTS_CORE_TRACE_FILE_H

#include "core/event_log.h"
#include "core/pctrace.h"

struct trace_file {
	char *bytes; /* to be free()d */
	size_t n_bytes;
	FILE *stream;
	struct prf_sink *sink;
};

extern const struct prf_pctrace_info trace_file_info;

/* A trace that is to be written by SINK, and its end. */
struct trace_file trace_file_begin(void);
void trace_file_finish(struct trace_file *file);

/* A trace and a log of one stream of events: GIVE(random, n, sink). */
struct trace_file trace_file_of_any(struct random *random, size_t n,
				    struct event_log *log);
struct trace_file trace_file_of_run(struct random *random, size_t n,
				    unsigned n_threads, struct event_log *log);

/* Plays N_BYTES of a trace to LOG.  Returns what open or play have. */
int trace_file_play(const char *bytes, size_t n_bytes, struct event_log *log,
		    struct prf_pctrace_report *report, struct prf_error *err);

#endif
