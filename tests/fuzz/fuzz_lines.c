/* An ELF file: its lines and inlined functions. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "image/image.h"
#include "image/lines.h"

/* So many addresses of each text are looked at. */
enum { ADDRESSES = 64 };

static void
must(bool ok)
{
	if (!ok)
		abort();
}

static void
check_address(struct prf_lines *lines, uint64_t vaddr)
{
	const struct prf_line *line;
	size_t n = prf_lines_at(lines, vaddr, &line);

	for (size_t i = 0; i < n; i++) {
		must(!line[i].file || strlen(line[i].file) < SIZE_MAX / 2);
		must(!line[i].function ||
		     strlen(line[i].function) < SIZE_MAX / 2);
		must(!line[i].directory ||
		     strlen(line[i].directory) < SIZE_MAX / 2);
	}
}

static void
check_texts(struct prf_lines *lines, const struct prf_image *image)
{
	size_t n;
	const struct prf_text *texts = prf_image_texts(image, &n);

	for (size_t i = 0; i < n && i < ADDRESSES; i++)
		for (uint64_t at = 0;
		     at < ADDRESSES && at < texts[i].hi - texts[i].lo; at++)
			check_address(lines, texts[i].lo + at);
	check_address(lines, 0);
	check_address(lines, UINT64_MAX);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	struct prf_image *image = NULL;
	struct prf_lines *lines = NULL;
	struct prf_error err = {0};

	if (prf_lines_open_memory(bytes, n_bytes, "fuzz", &lines, &err)) {
		must(err.code < 0 && err.text[0]);
		return 0;
	}
	if (prf_image_open_memory(bytes, n_bytes, "fuzz", &image, &err) == 0)
		check_texts(lines, image);
	prf_image_close(image);
	prf_lines_close(lines);
	return 0;
}
