/* format.h - what a run can leave, and under which names. */
#ifndef PRF_SRC_OPTIONS_FORMAT_H
#define PRF_SRC_OPTIONS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "core/error.h"

/* Bits: several can be written in one run. */
enum prf_format {
	PRF_FORMAT_GMON = 1, /* gmon.out and gmon.syms, when a program ends */
	PRF_FORMAT_PCSAMPLE = 2, /* a trace of all samples, as it happens */
	PRF_FORMAT_RAW = 4,      /* what pcsample(2) stores, as it happens */
	/* From here on: those of other tools (view/export/export_format.h), a
	 * bit each, when a program ends. */
	PRF_FORMAT_EXPORT = 8,
};

/* The one with INDEX of those of other tools. */
static inline enum prf_format
prf_format_export(size_t index)
{
	return (enum prf_format)((unsigned)PRF_FORMAT_EXPORT << index);
}

/* Is one of FORMATS made of a whole profile, and not as the program runs? */
static inline bool
prf_formats_have_profile(unsigned formats)
{
	return formats & ~(unsigned)(PRF_FORMAT_PCSAMPLE | PRF_FORMAT_RAW);
}

/* Is one of FORMATS made of stacks? */
bool prf_formats_need_stacks(unsigned formats);

/* Does one of FORMATS tell whose its stacks are? */
bool prf_formats_are_by_thread(unsigned formats);

/* What a run leaves if nobody says what: gmon.out, and beside it, if it HAS_STACKS,
 * a pprof file, which keeps them. */
unsigned prf_formats_usual(bool has_stacks);

/* "gmon,raw" to bits.  -EINVAL: a word of it is none. */
int prf_formats_parse(const char *list, unsigned *formats,
		      struct prf_error *err) PRF_MUST_CHECK;

/* The word for the format with INDEX; NULL: there are no more. */
const char *prf_format_word(size_t index);
/* What --help says of all of them; the caller's to free().  NULL: out of
 * memory. */
char *prf_formats_describe(void);

/* A file's name: what PATTERN stands for, with SUFFIX appended. */
struct prf_format_name {
	const char *pattern, *suffix;
};

/* Of FORMAT, one of FORMATS.  OUTPUT is what the user wants, or NULL: each has
 * a name of its own.  A single format is called OUTPUT; of several gmon is, and
 * the others have suffixes. */
struct prf_format_name prf_format_name(enum prf_format format, unsigned formats,
				       const char *output);
/* The pattern that says in which directory FORMATS are. */
const char *prf_formats_pattern(unsigned formats, const char *output);

#endif
