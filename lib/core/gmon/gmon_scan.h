/* gmon_scan.h - where the records of a gmon.out are, in one reading of it.
 *
 * Half of gmon_read.h: everything is checked here, counters are not touched. */
#ifndef PRF_CORE_GMON_GMON_SCAN_H
#define PRF_CORE_GMON_GMON_SCAN_H

#include "core/gmon/gmon_scanned.h"

/* Scans BYTES, all of them, in READING.  -EBADMSG, -ENOMEM.  SCAN is set and
 * must be released, also after an error. */
int prf_gmon_scan(const uint8_t *bytes, size_t size_bytes,
		  struct prf_gmon_reading reading, struct prf_gmon_scan *scan,
		  struct prf_error *err) PRF_MUST_CHECK;
void prf_gmon_scan_release(struct prf_gmon_scan *scan);

#endif
