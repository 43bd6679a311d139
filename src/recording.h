/* recording.h - a trace as the commands read it: opened with care, played, and
 * what is amiss with it said. */
#ifndef PRF_SRC_RECORDING_H
#define PRF_SRC_RECORDING_H

#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/pctrace.h"
#include "message.h"
#include "sift.h"
#include "view/objectfile.h"

/* What a user wants of it. */
struct prf_wanted {
	uint64_t from_ns, to_ns; /* since the begin; to_ns 0: to the end */
	pid_t pid, tid;          /* 0: any */
	const char *symfs;       /* stands for the root; NULL: it does itself */
};

/* The options that say so: --time, --pid, --tid, --symfs. */
enum {
	PRF_WANTED_KEY_TIME = 512,
	PRF_WANTED_KEY_PID,
	PRF_WANTED_KEY_TID,
	PRF_WANTED_KEY_SYMFS,
};

/* Takes option KEY.  -EINVAL, with ERR; -ENOENT: it is none of these. */
int prf_wanted_parse(int key, const char *arg, struct prf_wanted *wanted,
		     struct prf_error *err) PRF_MUST_CHECK;
/* How files are found for WANTED, which must outlive it. */
struct prf_objectfile_way prf_wanted_way(const struct prf_wanted *wanted);

/* Opens PATH for reading; "-" is standard input.  What is no regular file is
 * refused, with one line: a device has no end, a FIFO waits. */
int prf_input_open(const char *path, FILE **out,
		   struct prf_error *err) PRF_MUST_CHECK;

struct prf_recording {
	const char *path;
	FILE *file;
	struct prf_pctrace *trace;
};

/* ERR says which file it is about. */
int prf_recording_open(const char *path, struct prf_recording *recording,
		       struct prf_error *err) PRF_MUST_CHECK;
void prf_recording_close(struct prf_recording *recording);

/* Of one tick: the nearest whole number, 1 to 10000; 100 where the trace does
 * not tell. */
uint32_t prf_recording_rate_hz(const struct prf_recording *recording);

/* Plays what is WANTED to SINK, which becomes its own, is finished and, if
 * KEEP is NULL, freed; else *KEEP is what is to be freed.  That the trace was
 * cut or damaged is a warning. */
int prf_recording_play(const struct prf_recording *recording,
		       const struct prf_wanted *wanted, struct prf_sink *sink,
		       struct prf_sink **keep,
		       const struct prf_messages *messages,
		       struct prf_error *err) PRF_MUST_CHECK;

#endif
