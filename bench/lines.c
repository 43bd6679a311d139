/* bench/lines - how long it takes to find the source line of an instruction, and
 * what was inlined there, when all has been read that is needed for it.
 *
 * lines [-n PCS] FILE...: for each file, of PCS random addresses in its text, the CPU
 * time of one lookup, the median of several rounds: at random, where it waits for
 * memory, and in ascending order, as profiles are read; besides, that of the first
 * round, which reads, and of the same answer from libdw, of fewer addresses and in a
 * second round, too. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "image/image.h"
#include "image/lines.h"

enum { PCS = 100000, ROUNDS = 9, LIBDW_PART = 100 };

struct pcs {
	uint64_t *all;
	size_t n;
};

/* Others that run here are not to count. */
static double
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* --- Which addresses */

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* Those of functions, as many of each as it has bytes. */
static int
pick(const char *path, size_t n, struct pcs *pcs)
{
	struct prf_image *image;
	struct prf_error err = {0};
	uint64_t n_bytes = 0, seed = 88172645463325252;
	size_t n_texts;

	if (prf_image_open(path, &image, &err) != 0) {
		fprintf(stderr, "lines: %s\n", err.text);
		return 1;
	}
	const struct prf_text *texts = prf_image_texts(image, &n_texts);
	for (size_t i = 0; i < n_texts; i++)
		n_bytes += texts[i].hi - texts[i].lo;
	pcs->all = calloc(n, sizeof *pcs->all);
	for (pcs->n = 0; pcs->all && n_bytes && pcs->n < n;) {
		uint64_t at = next_random(&seed) % n_bytes;
		size_t i = 0;

		while (at >= texts[i].hi - texts[i].lo) {
			at -= texts[i].hi - texts[i].lo;
			i++;
		}
		pcs->all[pcs->n++] = texts[i].lo + at;
	}
	prf_image_close(image);
	return pcs->n == n ? 0 : 1;
}

/* --- Ours */

/* Returns how many of them have a line. */
static size_t
look_up(struct prf_lines *lines, const struct pcs *pcs, size_t *n_inlined)
{
	const struct prf_line *line;
	size_t n_found = 0;

	*n_inlined = 0;
	for (size_t i = 0; i < pcs->n; i++) {
		size_t n = prf_lines_at(lines, pcs->all[i], &line);

		n_found += n > 0 && line->line;
		*n_inlined += n > 1;
	}
	return n_found;
}

static double
round_ns(struct prf_lines *lines, const struct pcs *pcs, size_t *n_found,
	 size_t *n_inlined)
{
	double start = now_ns();

	*n_found = look_up(lines, pcs, n_inlined);
	return (now_ns() - start) / (double)pcs->n;
}

/* The median of a lookup. */
static double
steady_ns(struct prf_lines *lines, const struct pcs *pcs)
{
	double ns[ROUNDS];
	size_t n_found, n_inlined;

	for (int i = 0; i < ROUNDS; i++)
		ns[i] = round_ns(lines, pcs, &n_found, &n_inlined);
	qsort(ns, ROUNDS, sizeof *ns, by_value);
	return ns[ROUNDS / 2];
}

static int
by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int
measure(const char *path, struct pcs *pcs)
{
	struct prf_error err = {0};
	struct prf_lines *lines;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n_found, n_inlined;

	if (fd < 0 || prf_lines_open_fd(fd, path, NULL, &lines, &err) != 0) {
		fprintf(stderr, "lines: %s: %s\n", path,
			fd < 0 ? strerror(errno) : err.text);
		return 1;
	}
	close(fd);
	double first = round_ns(lines, pcs, &n_found, &n_inlined);
	double random = steady_ns(lines, pcs);
	qsort(pcs->all, pcs->n, sizeof *pcs->all, by_address);
	double ascending = steady_ns(lines, pcs);
	printf("%s: %zu addresses, of which %.0f %% have a line, %.0f %% an "
	       "inlined one\n"
	       "  %8.0f ns ascending  %8.0f ns at random  %8.0f ns the first "
	       "time\n",
	       path, pcs->n, 100 * (double)n_found / (double)pcs->n,
	       100 * (double)n_inlined / (double)pcs->n, ascending, random,
	       first);
	prf_lines_close(lines);
	return 0;
}

/* --- libdw */

static size_t
look_up_by_libdw(Dwfl_Module *module, Dwarf_Addr bias, const struct pcs *pcs,
		 size_t n)
{
	size_t n_found = 0;

	for (size_t i = 0; i < n; i++) {
		Dwarf_Addr vaddr = pcs->all[i * LIBDW_PART], unit_bias;
		Dwfl_Line *line = dwfl_module_getsrc(module, vaddr + bias);
		Dwarf_Die *unit =
			dwfl_module_addrdie(module, vaddr + bias, &unit_bias);
		Dwarf_Die *scopes = NULL;
		int number = 0;

		if (line &&
		    dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL))
			n_found += number > 0;
		if (unit && dwarf_getscopes(unit, vaddr + bias - unit_bias,
					    &scopes) > 0)
			free(scopes);
	}
	return n_found;
}

static void
measure_libdw(const char *path, const struct pcs *pcs)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *module =
		dwfl ? dwfl_report_offline(dwfl, "", path, -1) : NULL;
	size_t n = pcs->n / LIBDW_PART, n_found = 0;
	Dwarf_Addr bias;
	double start = 0;

	if (module && dwfl_report_end(dwfl, NULL, NULL) == 0 &&
	    dwfl_module_getdwarf(module, &bias))
		for (int i = 0; i < 2; i++) {
			start = now_ns();
			n_found = look_up_by_libdw(module, bias, pcs, n);
		}
	double ns = now_ns() - start;
	if (n_found == 0)
		printf("  libdw finds no line\n");
	else
		printf("  %8.0f ns ascending by libdw, of which %.0f %% have a "
		       "line\n",
		       ns / (double)n, 100 * (double)n_found / (double)n);
	dwfl_end(dwfl);
}

int
main(int argc, char **argv)
{
	size_t n = PCS;
	int first = 1, status = 0;

	if (argc > 2 && strcmp(argv[1], "-n") == 0) {
		n = strtoul(argv[2], NULL, 10);
		first = 3;
	}
	if (n == 0 || first >= argc) {
		fprintf(stderr, "usage: lines [-n PCS] FILE...\n");
		return 2;
	}
	for (int i = first; i < argc; i++) {
		struct pcs pcs = {0};
		int rc = pick(argv[i], n, &pcs);

		if (rc == 0)
			rc = measure(argv[i], &pcs);
		if (rc == 0)
			measure_libdw(argv[i], &pcs);
		status |= rc;
		free(pcs.all);
	}
	return status;
}
