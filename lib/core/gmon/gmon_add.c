#include "core/gmon/gmon_add.h"

#include "core/byteorder.h"
#include "core/scope.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

PRF_DEFINE_AUTO(prf_gmon, prf_gmon_free);

/* The printable text of a name in the file. */
static void
copy_name(char *to, const char *from, size_t size_bytes)
{
	memcpy(to, from, size_bytes);
	for (char *c = to; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
}

static int
read_counter(const uint8_t *at, const struct prf_gmon_scan *scan, uint64_t off,
	     uint64_t *count, struct prf_error *err)
{
	unsigned n_bytes = scan->counter.n_bytes;
	uint64_t value =
		prf_byteorder_get(at, n_bytes, scan->reading.big_endian);

	*count = value;
	if (scan->counter.is_signed && value >> (8 * n_bytes - 1))
		return prf_error_set(err, -EBADMSG,
				     "offset %" PRIu64 ": a counter is below 0",
				     off);
	return 0;
}

/* What nearly all files have: N unsigned counters of 2 bytes.  Returns their
 * sum, for which 64 bits are enough. */
static uint64_t
add_shorts(uint64_t *restrict counts, const uint8_t *restrict at, uint32_t n,
	   bool big_endian)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint16_t raw;

		memcpy(&raw, at + 2 * (size_t)i, sizeof raw);
		uint64_t count = big_endian ? be16toh(raw) : le16toh(raw);
		counts[i] += count;
		sum += count;
	}
	return sum;
}

static int
refuse_sum(uint64_t off, struct prf_error *err)
{
	return prf_error_set(err, -EOVERFLOW,
			     "offset %" PRIu64
			     ": the counters add up to more than 64 bits hold",
			     off);
}

/* Adds the counters of a record to those of its range. */
static int
add_record(struct prf_gmon *gmon, uint64_t *counts, const uint8_t *bytes,
	   const struct prf_gmon_scan *scan, const struct prf_gmon_range *range,
	   struct prf_error *err)
{
	uint64_t off = range->counts_off;

	if (scan->counter.n_bytes == 2 && !scan->counter.is_signed) {
		uint64_t sum = add_shorts(counts, bytes + off, range->n_bins,
					  scan->reading.big_endian);

		return __builtin_add_overflow(gmon->ticks, sum, &gmon->ticks)
			       ? refuse_sum(off, err)
			       : 0;
	}
	for (uint32_t i = 0; i < range->n_bins; i++) {
		uint64_t count;
		int status = read_counter(bytes + off, scan, off, &count, err);
		if (status)
			return status;
		if (__builtin_add_overflow(gmon->ticks, count, &gmon->ticks))
			return refuse_sum(off, err);
		counts[i] += count; /* <= gmon->ticks */
		off += scan->counter.n_bytes;
	}
	return 0;
}

static bool
same_range(const struct prf_gmon_range *a, const struct prf_gmon_range *b)
{
	return a->lo_vaddr == b->lo_vaddr && a->hi_vaddr == b->hi_vaddr;
}

/* Room for the distinct ranges and for the counters of all of them. */
static int
allocate_hists(const struct prf_gmon_scan *scan, struct prf_gmon *gmon,
	       struct prf_error *err)
{
	size_t n_hists = 0;
	size_t n_counts = 0; /* each is in the file: no overflow */

	for (size_t i = 0; i < scan->n_ranges; i++) {
		if (i && same_range(&scan->ranges[i - 1], &scan->ranges[i]))
			continue;
		n_hists++;
		n_counts += scan->ranges[i].n_bins;
	}
	if (n_hists == 0)
		return 0;
	gmon->hists = calloc(n_hists, sizeof *gmon->hists);
	gmon->counts = calloc(n_counts, sizeof *gmon->counts);
	if (!gmon->hists || !gmon->counts)
		return prf_error_set(err, -ENOMEM,
				     "no memory for %zu counters of gmon.out",
				     n_counts);
	return 0;
}

static int
add_hists(const uint8_t *bytes, const struct prf_gmon_scan *scan,
	  struct prf_gmon *gmon, struct prf_error *err)
{
	int status = allocate_hists(scan, gmon, err);
	uint64_t *counts = gmon->counts;      /* of this range */
	uint64_t *next_counts = gmon->counts; /* of the next */

	for (size_t i = 0; !status && i < scan->n_ranges; i++) {
		const struct prf_gmon_range *range = &scan->ranges[i];

		if (i == 0 || !same_range(range - 1, range)) {
			counts = next_counts;
			next_counts += range->n_bins;
			gmon->hists[gmon->n_hists++] = (struct prf_gmon_hist){
				.lo_vaddr = range->lo_vaddr,
				.hi_vaddr = range->hi_vaddr,
				.counts = counts,
				.n_bins = range->n_bins,
				.off = range->off,
			};
		}
		gmon->hists[gmon->n_hists - 1].n_records++;
		gmon->n_hist_records++;
		status = add_record(gmon, counts, bytes, scan, range, err);
	}
	return status;
}

static int
by_ends(const void *a_, const void *b_)
{
	const struct prf_gmon_arc *a = a_, *b = b_;

	if (a->from_vaddr != b->from_vaddr)
		return a->from_vaddr < b->from_vaddr ? -1 : 1;
	return (a->to_vaddr > b->to_vaddr) - (a->to_vaddr < b->to_vaddr);
}

/* Sorts the arcs and adds those with the same ends, in place. */
static int
add_arcs(struct prf_gmon *gmon, struct prf_error *err)
{
	struct prf_gmon_arc *arcs = gmon->arcs;
	size_t n = 0;

	if (gmon->n_arcs == 0)
		return 0;
	qsort(arcs, gmon->n_arcs, sizeof *arcs, by_ends);
	for (size_t i = 1; i < gmon->n_arcs; i++) {
		if (by_ends(&arcs[n], &arcs[i]) != 0) {
			arcs[++n] = arcs[i];
			continue;
		}
		if (__builtin_add_overflow(arcs[n].count, arcs[i].count,
					   &arcs[n].count))
			return prf_error_set(
				err, -EOVERFLOW,
				"the arcs from 0x%" PRIx64 " to 0x%" PRIx64
				" add up to more than 64 bits hold",
				arcs[n].from_vaddr, arcs[n].to_vaddr);
	}
	gmon->n_arcs = n + 1;
	return 0;
}

int
prf_gmon_add_records(const uint8_t *bytes, struct prf_gmon_scan *scan,
		     struct prf_gmon **out, struct prf_error *err)
{
	PRF_AUTO(prf_gmon_auto)
	struct prf_gmon *gmon = calloc(1, sizeof *gmon);
	if (!gmon)
		return prf_error_set(err, -ENOMEM, "no memory for gmon.out");

	gmon->format = scan->format;
	gmon->reading = scan->reading;
	gmon->rate_hz = scan->rate_hz;
	gmon->rates_differ = scan->rates_differ;
	gmon->rates_differ_off = scan->rates_differ_off;
	copy_name(gmon->dimension, scan->dimension, sizeof gmon->dimension);
	copy_name(gmon->abbreviation, scan->abbreviation,
		  sizeof gmon->abbreviation);
	gmon->n_bb_records = scan->n_bb_records;
	gmon->n_bbs = scan->n_bbs;
	gmon->n_arc_records = gmon->n_arcs = scan->n_arcs;
	gmon->arcs = PRF_TAKE(scan->arcs);

	int status = add_hists(bytes, scan, gmon, err);
	if (!status)
		status = add_arcs(gmon, err);
	if (status)
		return status;
	*out = PRF_TAKE(gmon);
	return 0;
}

void
prf_gmon_free(struct prf_gmon *gmon)
{
	if (!gmon)
		return;
	free(gmon->hists);
	free(gmon->counts);
	free(gmon->arcs);
	free(gmon);
}

uint64_t
prf_gmon_bin_vaddr(const struct prf_gmon_hist *hist, uint32_t bin)
{
	unsigned __int128 span_bytes = hist->hi_vaddr - hist->lo_vaddr;

	return hist->lo_vaddr + (uint64_t)(span_bytes * bin / hist->n_bins);
}
