/* recorder.h - a sink that remembers what it was told. */
#ifndef PRF_TESTS_RECORDER_H
#define PRF_TESTS_RECORDER_H

#include <stddef.h>

#include "core/sample.h"

enum { PRF_RECORDER_MAX = 4096 };

struct prf_recorder {
	struct prf_sink base;
	int answer; /* to every sample */
	size_t n_execs, n_mappings;
	size_t n_lives[PRF_N_LIFE_KINDS];
	struct prf_life last_life; /* its name is not kept */
	uint64_t n_samples, ticks, ticks_in_calls;
	struct prf_mapping mappings[PRF_RECORDER_MAX]; /* paths are copies; the
							* first so many */
	pid_t tids[PRF_RECORDER_MAX]; /* of samples, the same */
};

void prf_recorder_begin(struct prf_recorder *recorder);
void prf_recorder_end(struct prf_recorder *recorder);

/* The last mapping told of that holds ADDR; NULL: none, or it has gone. */
const struct prf_mapping *prf_recorder_at(const struct prf_recorder *recorder,
					  uint64_t addr);

#endif
