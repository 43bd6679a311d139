/* An ELF file: its pieces of text, looked up and used. */
#include <stdlib.h>

#include "fuzz/fuzz.h"
#include "image/image.h"

static void
must(bool ok)
{
	if (!ok)
		abort();
}

/* What image.h promises of the pieces. */
static void
check_texts(const struct prf_image *image)
{
	size_t n;
	const struct prf_text *texts = prf_image_texts(image, &n);

	for (size_t i = 0; i < n; i++) {
		must(texts[i].lo < texts[i].hi);
		must(i == 0 || texts[i - 1].hi <= texts[i].lo);
		must(texts[i].name != NULL);
		must(prf_image_text_at(image, texts[i].lo) == i);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	struct prf_image *image = NULL;
	struct prf_error err = {0};
	uint64_t bias;

	if (prf_image_open_memory(bytes, n_bytes, "fuzz", &image, &err)) {
		must(err.code < 0 && err.text[0]);
		return 0;
	}
	check_texts(image);
	if (!prf_image_bias(image, 0x7f0000000000, 0x1000, 0x1000, &bias))
		must(prf_image_info(image)->addr_bytes != 0);
	prf_image_close(image);
	return 0;
}
