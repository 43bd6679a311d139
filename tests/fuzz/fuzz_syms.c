/* A list of symbols, and a profile of what it names. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "view/gmon/gmon_files.h"
#include "view/gmon/gmon_source.h"
#include "view/gmon/symsfile.h"

static void
must(bool ok)
{
	if (!ok)
		abort();
}

/* What symsfile.h promises. */
static void
check(const struct prf_syms *syms)
{
	for (size_t i = 0; i < syms->n_objects; i++) {
		const struct prf_syms_object *object = &syms->objects[i];

		must(object->lo < object->hi);
		must(i == 0 || object[-1].hi <= object->lo);
		char *path = prf_syms_decode_path(object);
		must(path && strlen(path) <= strlen(object->path));
		free(path);
	}
	for (size_t i = 0; i < syms->n_symbols; i++) {
		const struct prf_syms_symbol *symbol = &syms->symbols[i];

		must(symbol->object < syms->n_objects);
		must(symbol->addr >= syms->objects[symbol->object].lo);
		must(symbol->addr < syms->objects[symbol->object].hi);
		must(i == 0 || symbol[-1].addr < symbol->addr);
		must(prf_syms_at(syms, symbol->addr) == symbol);
	}
}

/* The list of PROFILE can be read. */
static void
check_written(const struct prf_profile *profile)
{
	struct prf_gmon_layout *layout = NULL;
	struct prf_error err = {0};
	struct prf_syms *syms = NULL;
	char *out = NULL;
	size_t size = 0;

	if (prf_gmon_layout_new(profile, &layout, &err)) {
		must(err.code < 0 && err.text[0]);
		return;
	}
	FILE *stream = open_memstream(&out, &size);
	must(stream);
	must(!prf_gmon_files_write_syms(layout, true, stream, &err));
	fclose(stream);
	must(!prf_syms_parse(out, size, &syms, &err));
	prf_syms_free(syms);
	free(out);
	prf_gmon_layout_free(layout);
}

/* A tick at one symbol, twice; what is written is read again. */
static void
add(const char *text, size_t n_bytes, uint64_t addr)
{
	uint64_t counts[PRF_BLOCK_BINS] = {1};
	struct prf_gmon_hist hist = {
		.lo_vaddr = addr & ~(uint64_t)1,
		.hi_vaddr = (addr & ~(uint64_t)1) + PRF_GMON_BLOCK_BYTES,
		.counts = counts,
		.n_bins = PRF_BLOCK_BINS,
	};
	struct prf_gmon gmon = {
		.reading = {8, false},
		.rate_hz = 100,
		.dimension = "seconds",
		.hists = &hist,
		.n_hists = hist.lo_vaddr < hist.hi_vaddr,
		.ticks = hist.lo_vaddr < hist.hi_vaddr,
	};
	struct prf_profile *profile = prf_profile_new();
	struct prf_gmon_source *source =
		prf_gmon_source_new(profile, NULL, NULL);
	struct prf_error err = {0};

	must(source);
	if (!prf_gmon_source_add(source, &gmon, text, n_bytes, &err) &&
	    !prf_gmon_source_add(source, &gmon, text, n_bytes, &err))
		check_written(profile);
	else
		must(err.code < 0 && err.text[0]);
	prf_gmon_source_free(source);
	prf_profile_free(profile);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	struct prf_syms *syms = NULL;
	struct prf_error err = {0};

	if (prf_syms_parse((const char *)bytes, n_bytes, &syms, &err)) {
		must(err.code < 0 && err.text[0]);
		return 0;
	}
	check(syms);
	add((const char *)bytes, n_bytes,
	    syms->n_symbols ? syms->symbols[syms->n_symbols / 2].addr : 0);
	prf_syms_free(syms);
	return 0;
}
