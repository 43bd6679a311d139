/* sample_sink.h - a sink that looks at samples and takes no notice of all else. */
#ifndef PRF_TESTS_SAMPLE_SINK_H
#define PRF_TESTS_SAMPLE_SINK_H

#include "core/sample.h"

/* The operations of one that is given samples by TAKE. */
#define PRF_SAMPLE_SINK_OPS(take)                                              \
	{                                                                      \
		.exec = prf_sample_sink_exec,                                  \
		.mapping = prf_sample_sink_mapping, .sample = (take),          \
		.finish = prf_sample_sink_finish,                              \
		.free = prf_sample_sink_free,                                  \
	}

static inline int
prf_sample_sink_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	(void)sink;
	(void)exec;
	return 0;
}

static inline int
prf_sample_sink_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	(void)sink;
	(void)map;
	return 0;
}

static inline int
prf_sample_sink_finish(struct prf_sink *sink, struct prf_error *err)
{
	(void)sink;
	(void)err;
	return 0;
}

/* It is its maker's. */
static inline void
prf_sample_sink_free(struct prf_sink *sink)
{
	(void)sink;
}

#endif
