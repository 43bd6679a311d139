/* gmonfiles.h - a profile as files for gprof: one gmon.out for the whole
 * process with its list of symbols, or one for each object. */
#ifndef PRF_VIEW_GMONFILES_H
#define PRF_VIEW_GMONFILES_H

#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "view/whole.h"
#include "view/profile.h"

/* The ticks of all of WHOLE's objects, RATE_HZ of them a second. */
int prf_gmonfiles_write_all(const struct prf_whole *whole,
			    const struct prf_profile *profile, uint32_t rate_hz,
			    FILE *out, struct prf_error *err) PRF_MUST_CHECK;
/* The symbols of the same, for gprof -S; described in gmon.syms(5). */
int prf_gmonfiles_write_syms(const struct prf_whole *whole, FILE *out,
			     struct prf_error *err) PRF_MUST_CHECK;
/* The ticks of one object at its own vaddrs. */
int prf_gmonfiles_write_object(const struct prf_object *object,
			       const struct prf_profile *profile,
			       uint32_t rate_hz, FILE *out,
			       struct prf_error *err) PRF_MUST_CHECK;

#endif
