/* call_site.h - where the number of the system call comes from that a thread makes at
 * a place of a file: the instructions before it tell. */
#ifndef PRF_LIVE_RING_CALL_SITE_H
#define PRF_LIVE_RING_CALL_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "live/call_origin.h"

/* The place of the instruction after the call, and the register that is asked for. */
struct prf_call_site {
	uint64_t dev, inode, off;
	int number_register;
};

/* What was found out about such places, with room for some; all zero: nothing
 * yet. */
struct prf_call_sites {
	struct {
		struct prf_call_site site;
		struct prf_call_origin origin;
		bool is_known;
	} known[512];
};

/* False: it has not been found out. */
bool prf_call_sites_find(const struct prf_call_sites *sites,
			 const struct prf_call_site *site,
			 struct prf_call_origin *origin);
void prf_call_sites_learn(struct prf_call_sites *sites,
			  const struct prf_call_site *site,
			  const struct prf_call_origin *origin);

#endif
