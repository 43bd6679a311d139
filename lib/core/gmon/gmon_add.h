/* gmon_add.h - the records of a gmon.out become a profile.
 *
 * The other half of gmon_read.h: counters are read and added here, in a file
 * that gmon_scan.h has found to be sound. */
#ifndef PRF_CORE_GMON_GMON_ADD_H
#define PRF_CORE_GMON_GMON_ADD_H

#include "core/gmon/gmon_scanned.h"

/* Makes OUT, the caller's to free, of the file in BYTES.  It takes the arcs out
 * of SCAN, which the caller must still release.  -EBADMSG, -EOVERFLOW,
 * -ENOMEM. */
int prf_gmon_add_records(const uint8_t *bytes, struct prf_gmon_scan *scan,
			 struct prf_gmon **out,
			 struct prf_error *err) PRF_MUST_CHECK;

#endif
