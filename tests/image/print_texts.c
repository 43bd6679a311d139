/* print_texts FILE: the pieces of FILE's text, a line each:
 *   LO HI VADDR KIND NAME       KIND: F, P, U or G */
#include <inttypes.h>
#include <stdio.h>

#include "image/image.h"

int
main(int argc, char **argv)
{
	struct prf_error err = {0};
	struct prf_image *image;
	size_t n;

	if (argc != 2)
		return 2;
	if (prf_image_open(argv[1], &image, &err) != 0) {
		fprintf(stderr, "print_texts: %s\n", err.text);
		return 1;
	}
	const struct prf_text *texts = prf_image_texts(image, &n);
	for (size_t i = 0; i < n; i++) {
		printf("%016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %c %s\n",
		       texts[i].lo, texts[i].hi, texts[i].vaddr,
		       "FPUG"[texts[i].kind], texts[i].name);
	}
	if (prf_image_warning(image))
		fprintf(stderr, "print_texts: %s\n", prf_image_warning(image));
	prf_image_close(image);
	return 0;
}
