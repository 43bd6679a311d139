/* perfmap.h - /tmp/perf-PID.map: the names a JIT compiler gives its code.
 * Lines "START SIZE NAME", hexadecimal, the name up to the end of line. */
#ifndef PRF_IMAGE_PERFMAP_H
#define PRF_IMAGE_PERFMAP_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"

struct prf_perfmap_entry {
	uint64_t addr, size;
	const char *name; /* the map's */
};

struct prf_perfmap;

/* A map of more entries is none. */
enum { PRF_PERFMAP_ENTRIES_MAX = 1000000 };

/* Reads SIZE bytes of TEXT, which malloc() gave; they are the map's, or freed
 * after an error.  Where entries overlap the later line wins, as code is moved
 * and memory used again.  Lines of another form are left out; a file that is cut
 * in the middle of a line is good up to there. 0; -EFBIG: it has too many
 * entries; -ENOMEM. */
int prf_perfmap_parse(char *text, size_t size, struct prf_perfmap **out,
		      struct prf_error *err) PRF_MUST_CHECK;
/* It stays until as many have dropped it as have it; the first is whom it was
 * read for.  Both take NULL. */
struct prf_perfmap *prf_perfmap_hold(struct prf_perfmap *map);
void prf_perfmap_drop(struct prf_perfmap *map);
/* How much memory it has. */
size_t prf_perfmap_bytes(const struct prf_perfmap *map);
/* The entry that holds ADDR, or NULL.  O(log n). */
const struct prf_perfmap_entry *prf_perfmap_at(const struct prf_perfmap *map,
					       uint64_t addr);

#endif
