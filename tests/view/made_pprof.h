/* made_pprof.h - a pprof file that is made up, and what is read of one. */
#ifndef PRF_TESTS_VIEW_MADE_PPROF_H
#define PRF_TESTS_VIEW_MADE_PPROF_H

#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"
#include "space/objectfile.h"
#include "view/pprof/profile.pb-c.h"

/* Its strings. */
enum {
	S_NONE,
	S_SAMPLES,
	S_COUNT,
	S_CPU,
	S_NANOSECONDS,
	S_PATH,
	S_ID,
	S_MAIN,
	S_INLINED,
	S_LEAF,
	S_SPACE,
	S_BYTES,
	S_PID,
	S_TID,
	S_THREAD,
	S_PROGRAM,
	S_STATE,
	S_BLOCKED,
	N_STRINGS,
};

enum { N_LOCATIONS = 4, N_FUNCTIONS = 3, N_SAMPLES = 3, N_LABELS = 5 };

/* What is broken for a test is broken here, before it is written. */
extern struct made_pprof {
	PrfPprof__Profile profile;
	PrfPprof__ValueType types[2], *type_list[2], period;
	PrfPprof__Mapping mapping, *mapping_list[1];
	PrfPprof__Function functions[N_FUNCTIONS], *function_list[N_FUNCTIONS];
	PrfPprof__Line lines[N_LOCATIONS][2], *line_lists[N_LOCATIONS][2];
	PrfPprof__Location locations[N_LOCATIONS], *location_list[N_LOCATIONS];
	PrfPprof__Sample samples[N_SAMPLES], *sample_list[N_SAMPLES];
	uint64_t stacks[N_SAMPLES][3];
	int64_t values[N_SAMPLES][2];
	PrfPprof__Label labels[N_SAMPLES][N_LABELS],
		*label_lists[N_SAMPLES][N_LABELS];
} made;
/* Its table of strings. */
extern char *made_strings[N_STRINGS];

/* A fixture: it is whole, and main calls leaf in it, at two places. */
void made_pprof_begin(void);

/* Value I of each sample is of TYPE, in UNIT. */
void made_type(size_t i, int64_t type, int64_t unit);
/* At ADDRESS: FIRST, which was inlined into SECOND unless that is 0. */
void made_location(size_t i, uint64_t address, uint64_t first, uint64_t second);

/* The file; to be free()d. */
uint8_t *made_pack(size_t *n);
/* The profile that it is read into; binaries are found by WAY. */
struct prf_profile *made_read(const struct prf_objectfile_way *way);

/* No file is found. */
extern const struct prf_objectfile_way made_no_files;

/* Each function, "name self/total ", by name; then the sum of flat counts, which
 * is that of the profile.  Good until the next call. */
const char *made_describe(const struct prf_profile *profile);

#endif
