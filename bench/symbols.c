/* bench/symbols - how long it takes to open an ELF file with all its names.
 *
 * symbols [-n RUNS] FILE...: for each file the median, in milliseconds, of
 * opening it, and what was found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "image/image.h"

enum { RUNS_MAX = 99 };

static double
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
print_image(const struct prf_image *image, const char *path, double ms)
{
	size_t n, counts[4] = {0}, n_resumed = 0;
	const struct prf_text *texts = prf_image_texts(image, &n);
	const char *warning = prf_image_warning(image);

	for (size_t i = 0; i < n; i++) {
		counts[texts[i].kind]++;
		n_resumed += texts[i].lo > texts[i].vaddr;
	}
	printf("%8.1f ms  %7zu functions  %6zu plt  %7zu unnamed  %7zu gaps  "
	       "%4zu resumed  %s  %s\n",
	       ms, counts[PRF_TEXT_FUNCTION], counts[PRF_TEXT_PLT],
	       counts[PRF_TEXT_UNNAMED], counts[PRF_TEXT_GAP], n_resumed,
	       prf_image_info(image)->names_from, path);
	if (warning)
		printf("    %s\n", warning);
}

static int
measure(const char *path, int runs)
{
	struct prf_error err = {0};
	double ms[RUNS_MAX];

	for (int i = 0; i < runs; i++) {
		struct prf_image *image;
		double start = now_ms();

		if (prf_image_open(path, &image, &err) != 0) {
			fprintf(stderr, "symbols: %s\n", err.text);
			return 1;
		}
		ms[i] = now_ms() - start;
		if (i == runs - 1) {
			qsort(ms, (size_t)runs, sizeof *ms, by_value);
			print_image(image, path, ms[runs / 2]);
		}
		prf_image_close(image);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	int runs = 5, first = 1, status = 0;

	if (argc > 2 && strcmp(argv[1], "-n") == 0) {
		runs = atoi(argv[2]);
		first = 3;
	}
	if (runs < 1 || runs > RUNS_MAX || first >= argc) {
		fprintf(stderr, "usage: symbols [-n RUNS] FILE...\n");
		return 2;
	}
	for (int i = first; i < argc; i++)
		status |= measure(argv[i], runs);
	return status;
}
