/* buildid.h - a sink that tells mappings apart by what was linked, not by
 * where it lies: it reads the build-id of each file that is mapped, while the
 * file is at hand, and hands the event on with it. */
#ifndef PRF_IMAGE_BUILDID_H
#define PRF_IMAGE_BUILDID_H

#include <stdint.h>
#include <sys/stat.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"

enum { PRF_BUILDID_MAX_BYTES = 64 };

/* The one that watches the program knows where to find files: /proc/PID/map_files,
 * PID's root. */
struct prf_buildid_way {
	/* Reads the build-id of MAP's file into BYTES, and returns its length; *ST
	 * tells of the file, or is all zero where it is not to be asked for again.
	 * Negative: it is not to be had. */
	int (*find)(void *arg, const struct prf_mapping *map, struct stat *st,
		    uint8_t bytes[PRF_BUILDID_MAX_BYTES]);
	/* What is at MAP's path by now.  Negative: nothing that can be asked. */
	int (*stat_path)(void *arg, const struct prf_mapping *map,
			 struct stat *st);
	void *arg;
};

/* A sink before INNER, which becomes its own.  Mappings of files that bring no
 * build-id are given that which WAY finds; each file (by device and inode) is read
 * once, and again if it was written since or was not to be had.  The vDSO of a
 * program of our class is the one that we have, too, and is given its build-id.  All
 * other events pass as they are.
 * -ENOMEM. */
int prf_buildid_sink_new(struct prf_sink *inner,
			 const struct prf_buildid_way *way,
			 struct prf_sink **out,
			 struct prf_error *err) PRF_MUST_CHECK;

/* The build-id of the ELF file FD, into BYTES; returns its length.  0: it has
 * none, or is no ELF file; no error.  FD stays open, where it was. */
uint8_t prf_buildid_read(int fd, uint8_t bytes[PRF_BUILDID_MAX_BYTES]);

/* The same of the vDSO of this process. */
uint8_t prf_buildid_of_vdso(uint8_t bytes[PRF_BUILDID_MAX_BYTES]);

#endif
