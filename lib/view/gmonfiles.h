/* gmonfiles.h - a profile as files for gprof: a gmon.out and its list of
 * symbols. */
#ifndef PRF_VIEW_GMONFILES_H
#define PRF_VIEW_GMONFILES_H

#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "view/whole.h"

/* The ticks of all objects in WHOLE, RATE_HZ of them a second. */
int prf_gmonfiles_write_ticks(const struct prf_whole *whole, uint32_t rate_hz,
			      FILE *out, struct prf_error *err) PRF_MUST_CHECK;
/* The symbols of the same, for gprof -S; described in gmon.syms(5). */
int prf_gmonfiles_write_syms(const struct prf_whole *whole, FILE *out,
			     struct prf_error *err) PRF_MUST_CHECK;

#endif
