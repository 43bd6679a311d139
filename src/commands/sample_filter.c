#include "src/commands/sample_filter.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/scope.h"
#include "core/sink/filter.h"
#include "image/demangle.h"
#include "image/syscalls.h"

struct sample_filter {
	struct prf_filter filter; /* the first member */
	const struct prf_matching *matching;
	struct prf_lookup *lookup;
	uint64_t n_samples, n_passed;
};

static int
pass_wanted(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct sample_filter *own = (struct sample_filter *)sink;
	const struct prf_found found =
		prf_lookup_at(own->lookup, sample->pid,
			      prf_frame_lookup_addr(sample->frames[0]));
	const char *call =
		sample->syscall == PRF_NO_SYSCALL
			? NULL
			: prf_syscall_name(found.machine, sample->syscall);
	PRF_AUTO(prf_auto_free)
	char *function = found.function ? prf_demangle(found.function) : NULL;
	const char *in_kernel =
		sample->kernel ? sample->kernel->names[0] : NULL;
	const char *also[] = {function, call, in_kernel};
	const char *names[5] = {found.object};
	size_t n = 1;

	if (found.function && !function)
		return -ENOMEM;
	own->n_samples++;
	for (size_t i = 0; i < sizeof also / sizeof *also; i++)
		if (also[i])
			names[n++] = also[i];
	if (!prf_matching_wants(own->matching, names))
		return 0;
	own->n_passed++;
	return prf_filter_sample(sink, sample);
}

static int
finish(struct prf_sink *sink, struct prf_error *err)
{
	const struct sample_filter *own = (struct sample_filter *)sink;

	return own->n_samples && !own->n_passed
		       ? prf_error_set(err, -ENOENT,
				       "no sample is left by --focus and "
				       "--ignore; there are %" PRIu64,
				       own->n_samples)
		       : prf_filter_finish(sink, err);
}

static const struct prf_sink_ops ops = {
	.exec = prf_filter_exec,
	.mapping = prf_filter_mapping,
	.sample = pass_wanted,
	.life = prf_filter_life,
	.figure = prf_filter_figure,
	.finish = finish,
	.free = prf_filter_free,
};

int
prf_sample_filter_new(const struct prf_matching *matching,
		      struct prf_lookup *lookup, struct prf_sink *inner,
		      struct prf_sink **out, struct prf_error *err)
{
	struct sample_filter *own = calloc(1, sizeof *own);

	if (!own)
		return prf_error_set(err, -ENOMEM, "out of memory");
	own->filter = (struct prf_filter){{&ops}, inner};
	own->matching = matching;
	own->lookup = lookup;
	*out = &own->filter.base;
	return 0;
}
