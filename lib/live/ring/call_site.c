#include "live/ring/call_site.h"

#include <stddef.h>

/* One that falls on the place of another takes it. */
static size_t
place_of(const struct prf_call_sites *sites, const struct prf_call_site *site)
{
	uint64_t mixed = site->off ^ site->inode * 0x9e3779b97f4a7c15ULL ^
			 site->dev * 0xbf58476d1ce4e5b9ULL;

	mixed ^= mixed >> 29;
	return mixed % (sizeof sites->known / sizeof *sites->known);
}

static bool
is_same(const struct prf_call_site *a, const struct prf_call_site *b)
{
	return a->dev == b->dev && a->inode == b->inode && a->off == b->off &&
	       a->number_register == b->number_register;
}

bool
prf_call_sites_find(const struct prf_call_sites *sites,
		    const struct prf_call_site *site,
		    struct prf_call_origin *origin)
{
	size_t place = place_of(sites, site);

	if (!sites->known[place].is_known ||
	    !is_same(&sites->known[place].site, site))
		return false;
	*origin = sites->known[place].origin;
	return true;
}

void
prf_call_sites_learn(struct prf_call_sites *sites,
		     const struct prf_call_site *site,
		     const struct prf_call_origin *origin)
{
	size_t place = place_of(sites, site);

	sites->known[place].site = *site;
	sites->known[place].origin = *origin;
	sites->known[place].is_known = true;
}
