#define _GNU_SOURCE
#include "work.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <profrun/gmon.h>

#define MOST_LOOPS 3000000

static volatile unsigned long sink;

__attribute__((noinline)) static void
much(long loops)
{
	for (long i = 0; i < 3 * loops; i++)
		sink += (unsigned long)i;
}

__attribute__((noinline)) static void
little(long loops)
{
	for (long i = 0; i < loops; i++)
		sink ^= (unsigned long)i;
}

/* No round is as long as the one before: in rounds of just a tick, every tick
 * would fall in the same place. */
void
work(void)
{
	while (clock() < CLOCKS_PER_SEC * 6 / 10) {
		long loops = rand() % MOST_LOOPS;

		much(loops);
		little(loops);
	}
}

/* What is to be taken from an address of this program to have it as linked. */
static int
take_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
	(void)size;
	*(uintptr_t *)bias = info->dlpi_addr;
	return 1; /* the first object is the program */
}

static int
begin(const char *path, FILE **file, struct prf_gmon_writer **writer,
      uintptr_t *bias)
{
	const struct prf_gmon_target target = {
		.addr_bytes = sizeof(void *),
		.rate_hz = (uint32_t)sysconf(_SC_CLK_TCK),
	};
	struct prf_error err;

	dl_iterate_phdr(take_bias, bias);
	*file = fopen(path, "w");
	if (!*file) {
		perror(path);
		return -1;
	}
	if (prf_gmon_writer_new(*file, &target, writer, &err) < 0) {
		fprintf(stderr, "%s: %s\n", path, err.text);
		fclose(*file);
		return -1;
	}
	return 0;
}

static int
end(const char *path, FILE *file, struct prf_gmon_writer *writer,
    struct prf_error *err, int rc)
{
	if (rc == 0)
		rc = prf_gmon_writer_finish(writer, err);
	if (rc < 0)
		fprintf(stderr, "%s: %s\n", path, err->text);
	prf_gmon_writer_free(writer);
	fclose(file);
	return rc < 0 ? -1 : 0;
}

int
write_counters(const char *path, const void *counters, size_t n, unsigned width,
	       uintptr_t offset, size_t bytes_each)
{
	struct prf_gmon_writer *writer;
	struct prf_error err;
	uintptr_t bias;
	FILE *file;
	int rc = 0;

	if (begin(path, &file, &writer, &bias) < 0)
		return -1;
	for (size_t i = 0; i < n && rc == 0; i++) {
		uint64_t ticks = 0;

		memcpy(&ticks, (const char *)counters + i * width, width);
		if (ticks > 0)
			rc = prf_gmon_writer_ticks(
				writer, offset - bias + i * bytes_each, ticks,
				&err);
	}
	return end(path, file, writer, &err, rc);
}

static int
compare_pcs(const void *a, const void *b)
{
	uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;

	return (x > y) - (x < y);
}

int
write_pcs(const char *path, uintptr_t *pcs, size_t n)
{
	uintptr_t bias, low = (uintptr_t)__executable_start;
	struct prf_gmon_writer *writer;
	struct prf_error err;
	FILE *file;
	int rc = 0;

	qsort(pcs, n, sizeof *pcs, compare_pcs);
	if (begin(path, &file, &writer, &bias) < 0)
		return -1;
	for (size_t i = 0; i < n && rc == 0; i++)
		if (pcs[i] >= low && pcs[i] < (uintptr_t)etext)
			rc = prf_gmon_writer_ticks(writer, pcs[i] - bias, 1,
						   &err);
	return end(path, file, writer, &err, rc);
}
