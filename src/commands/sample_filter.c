#include "src/commands/sample_filter.h"

#include <errno.h>
#include <stdlib.h>

#include "core/scope.h"
#include "core/sink/filter.h"
#include "image/demangle.h"
#include "image/syscalls.h"

struct sample_filter {
	struct prf_filter filter; /* the first member */
	const struct prf_matching *matching;
	struct prf_lookup *lookup;
};

static int
pass_wanted(struct prf_sink *sink, const struct prf_sample *sample)
{
	const struct sample_filter *own = (struct sample_filter *)sink;
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
	for (size_t i = 0; i < sizeof also / sizeof *also; i++)
		if (also[i])
			names[n++] = also[i];
	return prf_matching_wants(own->matching, names)
		       ? prf_filter_sample(sink, sample)
		       : 0;
}

static const struct prf_sink_ops ops = {
	.exec = prf_filter_exec,
	.mapping = prf_filter_mapping,
	.sample = pass_wanted,
	.life = prf_filter_life,
	.figure = prf_filter_figure,
	.finish = prf_filter_finish,
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
