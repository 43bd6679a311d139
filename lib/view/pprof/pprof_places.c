#include "view/pprof/pprof_places.h"

#include <stdlib.h>

#include "space/file.h"
#include "view/gmon/gmon_layout.h"

/* Functions that are known by name alone are NAME_BYTES apart.  Places begin at
 * round addresses, so that a person can tell binaries apart. */
enum { NAME_BYTES = 16 };
#define ROUND_BYTES ((uint64_t)1 << 24)

static uint64_t
round_up(uint64_t addr)
{
	return (addr + ROUND_BYTES - 1) / ROUND_BYTES * ROUND_BYTES;
}

/* BINARY at its own addresses. */
static struct prf_pprof_place
own_place(const struct prf_binary *binary)
{
	struct prf_pprof_place place = {.lo = binary->lo, .hi = binary->hi};

	if (binary->form == PRF_BINARY_BY_NAME)
		place.hi = (binary->names.n + 1) * NAME_BYTES;
	/* One that was mapped nowhere that is known is there all the same. */
	if (place.lo >= place.hi)
		place.hi = place.lo + PRF_HIST_BIN_BYTES;
	place.file_off = place.lo;
	if (binary->form == PRF_BINARY_BY_TEXT)
		prf_image_off(binary->file->image, place.lo, &place.file_off);
	return place;
}

struct prf_pprof_place *
prf_pprof_places_of(const struct prf_profile *profile)
{
	const struct prf_binary *program = prf_gmon_layout_program(profile);
	struct prf_pprof_place *places =
		calloc(profile->n_binaries + 1, sizeof *places);
	uint64_t end = ROUND_BYTES;

	if (!places)
		return NULL;
	if (program) {
		places[program->number] = own_place(program);
		end = round_up(places[program->number].hi) + ROUND_BYTES;
	}
	for (size_t i = 0; i < profile->n_binaries; i++) {
		struct prf_pprof_place *place = &places[i];

		if (profile->binaries[i] == program)
			continue;
		*place = own_place(profile->binaries[i]);
		/* The same place in a page, as it is when it is mapped. */
		place->shift = end - (place->lo - place->lo % ROUND_BYTES);
		place->lo += place->shift;
		place->hi += place->shift;
		end = round_up(place->hi) + ROUND_BYTES;
	}
	return places;
}

uint64_t
prf_pprof_places_addr(const struct prf_pprof_place *places,
		      const struct prf_arc_end *end)
{
	const struct prf_binary *binary = end->binary;

	/* The symbol of a file without names begins before its text does. */
	if (binary->form != PRF_BINARY_BY_NAME)
		return (end->vaddr < binary->lo ? binary->lo : end->vaddr) +
		       places[binary->number].shift;
	return (binary->pid ? 0 : end->vaddr) * NAME_BYTES +
	       places[binary->number].shift;
}
