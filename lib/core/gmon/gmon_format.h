/* gmon_format.h - the constants of gmon.out(5) that writer and reader share. */
#ifndef PRF_CORE_GMON_GMON_FORMAT_H
#define PRF_CORE_GMON_GMON_FORMAT_H

enum prf_gmon_tag {
	PRF_GMON_TAG_HIST = 0,
	PRF_GMON_TAG_ARC = 1,
	PRF_GMON_TAG_BB = 2,
};

/* The header: this text, a version of 4 bytes, spare bytes. */
#define PRF_GMON_COOKIE "gmon"
#define PRF_GMON_COOKIE_BYTES 4
#define PRF_GMON_VERSION 1
#define PRF_GMON_SPARE_BYTES 12
#define PRF_GMON_HEADER_BYTES 20

/* That of 4.4BSD has this behind two addresses and a size of 4 bytes. */
#define PRF_GMON_BSD44_VERSION 0x00051879

/* A histogram record, behind its tag: two addresses, two numbers of 4 bytes
 * (counters, rate), the unit's name filled up with NUL, its first letter, and
 * the counters. */
#define PRF_GMON_DIMENSION_BYTES 15
#define PRF_GMON_HIST_FIXED_BYTES (4 + 4 + PRF_GMON_DIMENSION_BYTES + 1)
#define PRF_GMON_BIN_BYTES 2

#endif
