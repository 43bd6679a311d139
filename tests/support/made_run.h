/* made_run.h - a run of one process that is made up, and its profile. */
#ifndef PRF_TESTS_SUPPORT_MADE_RUN_H
#define PRF_TESTS_SUPPORT_MADE_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "profile/collector.h"
#include "profile/functions.h"
#include "support/made.h"

enum { MADE_PID = 4711 };

/* A run whose process has begun as a program that is not known; ticks at 100 Hz
 * unless CONFIG (NULL: all zero) says otherwise. */
struct prf_collector *made_run(const struct prf_collector_config *config);
void made_run_free(struct prf_collector *run);

/* It becomes the program in the made file NAME, or what EXEC says. */
void made_exec(struct prf_collector *run, const char *name);
void made_exec_as(struct prf_collector *run, const struct prf_exec *exec);
/* It maps that file's text at ADDR; what MAP says; or what has no file. */
void made_map(struct prf_collector *run, const char *name, uint64_t addr);
void made_map_as(struct prf_collector *run, const struct prf_mapping *map);
void made_map_kind(struct prf_collector *run, enum prf_mapping_kind kind,
		   uint64_t addr, uint64_t size);
/* It maps the piece of the test program's own text that TEXT is in, as that is
 * mapped; the program's path, in static storage. */
void made_map_own_text(struct prf_collector *run, const void *text);
const char *made_own_path(void);
/* It has TICKS at ADDR, in user mode or in system call NUMBER; or SAMPLE. */
void made_ticks(struct prf_collector *run, uint64_t addr, uint32_t ticks);
void made_call(struct prf_collector *run, uint64_t addr, int32_t number,
	       uint32_t ticks);
void made_sample(struct prf_collector *run, const struct prf_sample *sample);
/* The run is over; its profile, which is good until it is freed. */
struct prf_profile *made_finish(struct prf_collector *run);

/* The ticks of all functions with this name in binaries with that one. */
uint64_t made_ticks_of(const struct prf_profile *profile, const char *binary,
		       const char *function);
/* That binary; a failure if there is none. */
const struct prf_binary *made_binary(const struct prf_profile *profile,
				     const char *name);
/* Fails the test unless the profile, its binaries, their functions and their
 * counters all sum up to TICKS. */
void made_check_sums(const struct prf_profile *profile, uint64_t ticks);

#endif
