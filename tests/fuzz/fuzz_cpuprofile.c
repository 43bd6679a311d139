/* CPU profiles of gperftools (view/pprof/cpuprofile.h). */
#include <stdlib.h>

#include "fuzz/fuzz.h"
#include "support/sample_sink.h"
#include "view/pprof/cpuprofile.h"

static void
must(bool ok)
{
	if (!ok)
		abort();
}

static int
take(struct prf_sink *sink, const struct prf_sample *sample)
{
	(void)sink;
	must(sample->ticks && sample->n_frames);
	for (uint32_t i = 0; i < sample->n_frames; i++)
		must(sample->frames[i].kind <= PRF_FRAME_RETURN);
	return 0;
}

static const struct prf_sink_ops ops = PRF_SAMPLE_SINK_OPS(take);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	struct prf_sink sink = {&ops};
	struct prf_error err = {0};
	int rc = prf_cpuprofile_play(bytes, n_bytes, &sink, &err);

	must(!rc || (err.code < 0 && err.text[0]));
	must(rc || prf_cpuprofile_rate_hz(bytes, n_bytes));
	return 0;
}
