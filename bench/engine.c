/* engine.c - how many ticks a second the histogram can count.
 *
 * Next to two marks, from the same run and over the same memory: a plain
 * binary search with the same counting behind it, and what memory itself
 * allows, independent random reads and increments over as many bytes as the
 * counters take.  The contenders take turns, so that a noisy machine is noisy
 * for all of them.
 *
 * What limits it: with one region everything is in the cache, and the call
 * and the addition are the cost.  With 200,000 regions and random pcs it is
 * memory.  Many ticks a call wait for their counter and nothing else, as many
 * at a time as the processor can wait for, and come to the rate of one random
 * increment each; where that is slower than memory's own mark, it is by what
 * the processor does meanwhile.  Both wait for the page table too, which huge
 * pages would spare them, and text that is not run would cost memory.  One
 * tick a call also tells the region, and for that waits for the bucket and
 * then the extent, while the counter is on its way; the processor has room to
 * overlap a few such ticks.  With locality the last span and its counters are
 * at hand, and what is left is the call, and a wrong guess where the span
 * changes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/hist.h"

#define N_PCS (UINT32_C(1) << 21)
#define N_ROUNDS 9
#define REGION_BYTES 256 /* on average */
#define REGIONS_IN_IMAGE 10000
#define RUN_PCS 32 /* ticks before a program moves, on average */
#define HOT_REGIONS 64

static void
fail(const char *what)
{
	fprintf(stderr, "engine: %s\n", what);
	exit(1);
}

static void *
must_alloc(size_t n, size_t size)
{
	void *memory = calloc(n, size);

	if (!memory)
		fail("out of memory");
	return memory;
}

/* xorshift64*: pcs must cost nothing to make and look like nothing. */
static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static uint64_t
random_below(uint64_t *state, uint64_t bound)
{
	return (uint64_t)((double)(next_random(state) >> 11) * 0x1p-53 *
			  (double)bound);
}

/* What is measured: a layout of text, and pcs in it. */
struct field {
	struct prf_span *spans;
	size_t n_spans;
	uint64_t text_bytes;
	uint64_t *pcs;
	uint64_t seed;
	/* for the plain binary search */
	size_t *first_bin;
	uint32_t *bins;
};

/* Functions one after the other, in images like a program's: the first low,
 * the others together high up, a few MiB between them. */
static void
lay_out(struct field *field, size_t n)
{
	uint64_t at = UINT64_C(0x555555554000);

	field->n_spans = n;
	field->spans = must_alloc(n, sizeof *field->spans);
	field->first_bin = must_alloc(n, sizeof *field->first_bin);
	for (size_t i = 0; i < n; i++) {
		if (i == REGIONS_IN_IMAGE)
			at = UINT64_C(0x7ffff0000000);
		else if (i % REGIONS_IN_IMAGE == 0)
			at += (1 + random_below(&field->seed, 4)) << 20;
		uint64_t units =
			1 + random_below(&field->seed, REGION_BYTES / 8 - 1);
		field->spans[i] = (struct prf_span){at, at + units * 16};
		field->first_bin[i] = field->text_bytes / PRF_HIST_BIN_BYTES;
		field->text_bytes += units * 16;
		at += units * 16;
	}
	field->bins = must_alloc(field->text_bytes / PRF_HIST_BIN_BYTES,
				 sizeof *field->bins);
}

static uint64_t
pc_in(struct field *field, size_t span)
{
	const struct prf_span *text = &field->spans[span];

	return text->lo + random_below(&field->seed, text->hi - text->lo);
}

static uint64_t
pick_random(struct field *field, uint64_t before)
{
	(void)before;
	return pc_in(field, random_below(&field->seed, field->n_spans));
}

/* Nine of ten ticks in few regions, in no order. */
static uint64_t
pick_hot(struct field *field, uint64_t before)
{
	size_t span = random_below(&field->seed, HOT_REGIONS);

	if (random_below(&field->seed, 10) == 0)
		return pick_random(field, before);
	return pc_in(field, span * 7919 % field->n_spans);
}

/* Stays within some bytes for a while, then goes on in a hot region. */
static uint64_t
pick_run(struct field *field, uint64_t before)
{
	if (before == 0 || random_below(&field->seed, RUN_PCS) == 0)
		return pick_hot(field, before);
	return (before & ~UINT64_C(15)) | random_below(&field->seed, 16);
}

struct pattern {
	const char *name;
	uint64_t (*pick)(struct field *field, uint64_t before);
};

static const struct pattern patterns[] = {
	{"random", pick_random},
	{"hot (9 of 10 in 64 regions)", pick_hot},
	{"runs (32 ticks, then hot)", pick_run},
};

/* --- What is timed; each returns something that depends on all its work. */

static uint64_t
count_in_hist(struct field *field, struct prf_hist *hist)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < N_PCS; i++)
		sum += prf_hist_add(hist, field->pcs[i], 1);
	return sum;
}

static uint64_t
count_many_in_hist(struct field *field, struct prf_hist *hist)
{
	prf_hist_add_many(hist, field->pcs, N_PCS);
	return prf_hist_stats(hist).ticks_in;
}

static uint64_t
count_by_halving(struct field *field, struct prf_hist *hist)
{
	uint64_t sum = 0;

	(void)hist;
	for (size_t i = 0; i < N_PCS; i++) {
		uint64_t pc = field->pcs[i];
		size_t lo = 0, hi = field->n_spans;

		while (hi - lo > 1) {
			size_t mid = lo + (hi - lo) / 2;

			if (field->spans[mid].lo <= pc)
				lo = mid;
			else
				hi = mid;
		}
		uint32_t *bin = &field->bins[field->first_bin[lo] +
					     (pc - field->spans[lo].lo) / 2];
		*bin += *bin < UINT32_MAX;
		sum += lo;
	}
	return sum;
}

/* Anywhere in the counters, by bits of the pc that are not in order. */
static uint32_t *
anywhere(struct field *field, size_t i)
{
	uint64_t n_bins = field->text_bytes / PRF_HIST_BIN_BYTES;
	uint64_t mixed = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	mixed ^= mixed >> 32;
	mixed *= UINT64_C(0xd6e8feb86659fd93);
	return &field->bins[(mixed >> 32) * n_bins >> 32];
}

static uint64_t
read_memory(struct field *field, struct prf_hist *hist)
{
	uint64_t sum = 0;

	(void)hist;
	for (size_t i = 0; i < N_PCS; i++)
		sum += *anywhere(field, i);
	return sum;
}

static uint64_t
increment_memory(struct field *field, struct prf_hist *hist)
{
	(void)hist;
	for (size_t i = 0; i < N_PCS; i++)
		++*anywhere(field, i);
	return field->bins[0];
}

/* --- Measuring. */

static double
now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int
compare_rates(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct contender {
	const char *name;
	uint64_t (*work)(struct field *field, struct prf_hist *hist);
};

static const struct contender contenders[] = {
	{"prf_hist_add", count_in_hist},
	{"prf_hist_add_many", count_many_in_hist},
	{"binary search", count_by_halving},
	{"memory: random increments", increment_memory},
	{"memory: random reads", read_memory},
};
#define N_CONTENDERS (sizeof contenders / sizeof *contenders)

static double
rate_of(const struct contender *contender, struct field *field,
	struct prf_hist *hist)
{
	static volatile uint64_t sink;
	double start_s = now_s();

	sink = contender->work(field, hist);
	(void)sink;
	return N_PCS / (now_s() - start_s) * 1e-6;
}

static void
compare(struct field *field, struct prf_hist *hist)
{
	double rates[N_CONTENDERS][N_ROUNDS];

	/* The first round is for pages and caches, and not counted. */
	for (size_t round = 0; round <= N_ROUNDS; round++)
		for (size_t c = 0; c < N_CONTENDERS; c++) {
			double rate = rate_of(&contenders[c], field, hist);

			if (round > 0)
				rates[c][round - 1] = rate;
		}
	for (size_t c = 0; c < N_CONTENDERS; c++) {
		qsort(rates[c], N_ROUNDS, sizeof **rates, compare_rates);
		printf("    %-26s %8.1f  [%.1f .. %.1f]\n", contenders[c].name,
		       rates[c][N_ROUNDS / 2], rates[c][0],
		       rates[c][N_ROUNDS - 1]);
	}
}

static void
bench(size_t n_regions)
{
	struct field field = {.seed = UINT64_C(0x123456789abcdef)};
	struct prf_hist *hist = NULL;
	struct prf_error err = {0};

	lay_out(&field, n_regions);
	if (prf_hist_new(field.spans, n_regions, &hist, &err) < 0)
		fail(err.text);
	field.pcs = must_alloc(N_PCS, sizeof *field.pcs);

	printf("%zu regions, %.1f MB of text, %.1f MB of counters\n", n_regions,
	       (double)field.text_bytes * 1e-6,
	       (double)field.text_bytes * 2e-6);
	for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
		uint64_t pc = 0;

		for (size_t i = 0; i < N_PCS; i++)
			field.pcs[i] = pc = patterns[p].pick(&field, pc);
		printf("  pcs: %s\n", patterns[p].name);
		compare(&field, hist);
	}

	prf_hist_free(hist);
	free(field.pcs);
	free(field.bins);
	free(field.first_bin);
	free(field.spans);
}

int
main(void)
{
	printf("millions a second: median [slowest .. fastest] of %d rounds\n",
	       N_ROUNDS);
	bench(1);
	bench(1000);
	bench(200000);
	return 0;
}
