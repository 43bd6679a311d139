/* maps.h - the text of /proc/PID/maps.  It is parsed from memory, so that a
 * test needs no process. */
#ifndef PRF_IMAGE_MAPS_H
#define PRF_IMAGE_MAPS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/sample.h"

/* Mappings in ascending order.  Their paths belong to the object. */
struct prf_maps;

/* Reads SIZE bytes of TEXT, whole lines.  Only executable mappings are kept;
 * where lines overlap (the kernel may have joined mappings between two reads)
 * the later one holds.  Paths are decoded (the kernel writes a newline as
 * \012), " (deleted)" is taken off and noted; "[vdso]" is PRF_MAPPING_VDSO;
 * memfd:, SysV and /dev/zero memory and whatever else has no file to open are
 * PRF_MAPPING_ANON.  An ANON mapping keeps its name as path, for people: "",
 * "[heap]", "/memfd:jit", "[vsyscall]" (which lies in the kernel's half).
 * -EINVAL: a line that no kernel writes, or the last one is cut short; with
 * its number in ERR. */
int prf_maps_parse(const char *text, size_t size, pid_t pid,
		   struct prf_maps **out, struct prf_error *err) PRF_MUST_CHECK;
void prf_maps_free(struct prf_maps *maps); /* takes NULL */

const struct prf_mapping *prf_maps_all(const struct prf_maps *maps, size_t *n);
/* The mapping that holds ADDR, or NULL. */
const struct prf_mapping *prf_maps_at(const struct prf_maps *maps,
				      uint64_t addr);

#endif
