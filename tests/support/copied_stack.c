#include "support/copied_stack.h"

#include "image/maps.h"

int
prf_copied_stack_maps(struct prf_sink *sink, pid_t pid, const char *text,
		      size_t size, struct prf_error *err)
{
	struct prf_maps *maps;
	size_t n;
	int rc = prf_maps_parse(text, size, pid, &maps, err);

	if (rc)
		return rc;
	const struct prf_mapping *all = prf_maps_all(maps, &n);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = sink->ops->mapping(sink, &all[i]);
	prf_maps_free(maps);
	return rc;
}

int
prf_copied_stack_sample(struct prf_sink *sink, pid_t pid, uint64_t pc,
			const void *copy, size_t n_bytes)
{
	const struct prf_frame frame = {pc, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = pid,
		.tid = pid,
		.ticks = 1,
		.n_frames = 1,
		.frames = &frame,
		.stack_copy = copy,
		.stack_copy_bytes = n_bytes,
	};

	return sink->ops->sample(sink, &sample);
}
