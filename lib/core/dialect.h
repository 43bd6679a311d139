/* dialect.h - where the documents of profil(2) and sprofil(2) disagree.
 *
 * One rule serves them all: byte = floor((pc - offset) * scale / 65536), and
 * a tick counts if pc >= offset and a whole counter of the buffer holds that
 * byte.  What is left over (rounding, the scales 1 and 2, the largest scale,
 * a full counter, how strict a list of regions is taken) is a dialect: data,
 * handed to the functions of region.h, table.h and counter.h.
 *
 * In every dialect scale 0 means off, and a counter that is only partly
 * inside its buffer never counts. */
#ifndef PRF_CORE_DIALECT_H
#define PRF_CORE_DIALECT_H

#include <stdbool.h>
#include <stdint.h>

#include "attr.h"

PRF_BEGIN_DECLS

/* What is rounded down first.  They differ for scales that are no power of
 * two, and always above 65536, where halving first leaves counters unused. */
enum prf_rounding {
	PRF_ROUND_BYTES_FIRST, /* floor(d * scale / 65536), then / width */
	PRF_ROUND_HALVE_FIRST  /* floor(floor(d / width) * scale / 65536) */
};

/* What the scales 1 and 2 mean. */
enum prf_scale_rule {
	PRF_SCALE_FORMULA, /* a scale as any other */
	PRF_SCALE_OFF,     /* profiling is off; in a list: ignore this entry */
	PRF_SCALE_FIRST    /* every pc >= offset is in the first counter */
};

/* What happens at a full counter.  "Half" is the largest number that the
 * counter could hold if it were signed: 32767 for 16 bits, where the rules
 * come from; other widths follow. */
enum prf_full_rule {
	PRF_FULL_STAY,          /* it stays at its largest number */
	PRF_FULL_WRAP,          /* it goes on at 0 */
	PRF_FULL_STOP_AT_HALF,  /* profiling stops once half is stored */
	PRF_FULL_STOP_PAST_HALF /* half may be stored; ticks that would pass
				  * it are all dropped, and profiling stops */
};

enum prf_list_rule {
	PRF_LIST_STRICT, /* ascending, no overlap, the overflow entry last */
	PRF_LIST_LENIENT /* any order; of the regions that hold a pc the one
			   * with the largest offset takes it, of equal
			   * offsets the first in the list */
};

struct prf_dialect {
	const char *name; /* as prf_dialect_by_name() knows it */
	enum prf_rounding rounding;
	enum prf_scale_rule scale_1, scale_2;
	uint32_t scale_max; /* a larger one is invalid (EINVAL) */
	enum prf_full_rule full;
	enum prf_list_rule list;
	bool buffer_is_checked; /* by profil: EFAULT if a page of it is not
				 * there, or its first or last byte cannot be
				 * written */
	uint64_t later[2];      /* all 0 */
};

/* "svr4": profil, System V 4, 1989. */
const struct prf_dialect *prf_dialect_svr4(void);
/* "solaris": profil, as its page says. */
const struct prf_dialect *prf_dialect_solaris(void);
/* "solaris-kernel": as its kernel does. */
const struct prf_dialect *prf_dialect_solaris_kernel(void);
/* "freebsd": profil, as its page says. */
const struct prf_dialect *prf_dialect_freebsd(void);
/* "freebsd-kernel": as its kernel does. */
const struct prf_dialect *prf_dialect_freebsd_kernel(void);
/* "hpux": sprofil, strict. */
const struct prf_dialect *prf_dialect_hpux(void);
/* "lenient": sprofil, as IRIX and glibc. */
const struct prf_dialect *prf_dialect_lenient(void);
/* "glibc": glibc's profil. */
const struct prf_dialect *prf_dialect_glibc(void);

/* All of them, ending in NULL. */
const struct prf_dialect *const *prf_dialects(void);

/* NULL if no dialect has this name. */
const struct prf_dialect *prf_dialect_by_name(const char *name);

PRF_END_DECLS

#endif
