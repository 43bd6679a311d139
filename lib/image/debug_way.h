/* debug_way.h - how debug information is looked for. */
#ifndef PRF_IMAGE_DEBUG_WAY_H
#define PRF_IMAGE_DEBUG_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "image/debuginfod.h"

struct prf_debug_way {
	/* Are asked for a separate debug file at last; NULL: nobody is. */
	struct prf_debuginfod *servers;
	/* Sections that are packed, and more than so many bytes when they are
	 * unpacked, are as good as none. */
	uint64_t unpack_max;
	/* Paths for which this is true are not asked for; NULL: all are. */
	bool (*may_be_silent)(void *arg, const char *path);
	void *arg;
};

#endif
