/* call_site.h - which system call a thread makes at a place of a file: its
 * number stands in the instructions before it.  (A sample that the kernel takes
 * has the registers of the program, but not that number.) */
#ifndef PRF_LIVE_RING_CALL_SITE_H
#define PRF_LIVE_RING_CALL_SITE_H

#include <stdbool.h>
#include <stdint.h>

/* The place of the instruction after the call. */
struct prf_call_site {
	uint64_t dev, inode, off;
};

/* What was found out about such places, with room for some; all zero: nothing
 * yet. */
struct prf_call_sites {
	struct {
		struct prf_call_site site;
		int32_t number;
		bool is_known;
	} known[512];
};

/* False: it has not been found out. */
bool prf_call_sites_find(const struct prf_call_sites *sites,
			 const struct prf_call_site *site, int32_t *number);
void prf_call_sites_learn(struct prf_call_sites *sites,
			  const struct prf_call_site *site, int32_t number);

#endif
