#include "core/gmon_file.h"
#include "support/guard.h"

#include <check.h>
#include <string.h>

const struct prf_gmon_reading gmon_file_readings[GMON_FILE_N_READINGS] = {
	{8, false}, {4, false}, {8, true}, {4, true}};

void
gmon_file_put(struct gmon_file *file, uint64_t value, unsigned n_bytes)
{
	/* An assertion is a write to Check's pipe, and this is called often. */
	if (file->n_bytes + n_bytes > sizeof file->bytes)
		ck_abort_msg("more than %zu bytes", sizeof file->bytes);
	for (unsigned i = 0; i < n_bytes; i++) {
		unsigned shift = file->reading.big_endian ? n_bytes - 1 - i : i;

		file->bytes[file->n_bytes++] = (uint8_t)(value >> 8 * shift);
	}
}

void
gmon_file_put_vaddr(struct gmon_file *file, uint64_t vaddr)
{
	gmon_file_put(file, vaddr, file->reading.addr_bytes);
}

void
gmon_file_put_text(struct gmon_file *file, const char *text, size_t n_bytes)
{
	for (size_t i = 0; i < n_bytes; i++)
		gmon_file_put(file, *text ? (uint8_t)*text++ : 0, 1);
}

void
gmon_file_end(struct gmon_file *file)
{
	ck_assert_uint_lt(file->n_ends, sizeof file->ends / sizeof *file->ends);
	file->ends[file->n_ends++] = file->n_bytes;
}

struct gmon_file
gmon_file_magic(struct prf_gmon_reading reading)
{
	struct gmon_file file = {.reading = reading};

	gmon_file_put_text(&file, "gmon", 4);
	gmon_file_put(&file, 1, 4);
	gmon_file_put_text(&file, "", 12);
	gmon_file_end(&file);
	return file;
}

void
gmon_file_hist_head(struct gmon_file *file,
		    const struct gmon_file_hist_head *head)
{
	gmon_file_put(file, 0, 1);
	gmon_file_put_vaddr(file, head->lo);
	gmon_file_put_vaddr(file, head->hi);
	gmon_file_put(file, head->n_bins, 4);
	gmon_file_put(file, head->rate_hz, 4);
	gmon_file_put_text(file, head->dimension, 15);
	gmon_file_put_text(file, head->abbreviation, 1);
}

void
gmon_file_hist(struct gmon_file *file, uint64_t lo, uint64_t hi,
	       uint32_t n_bins, const uint16_t *bins)
{
	gmon_file_hist_head(file, &(struct gmon_file_hist_head){
					  lo, hi, n_bins, 100, "seconds", "s"});
	for (uint32_t i = 0; i < n_bins; i++)
		gmon_file_put(file, bins[i], 2);
	gmon_file_end(file);
}

void
gmon_file_arc(struct gmon_file *file, uint64_t from, uint64_t to,
	      uint32_t count)
{
	gmon_file_put(file, 1, 1);
	gmon_file_put_vaddr(file, from);
	gmon_file_put_vaddr(file, to);
	gmon_file_put(file, count, 4);
	gmon_file_end(file);
}

void
gmon_file_bbs(struct gmon_file *file, uint32_t n_bbs)
{
	gmon_file_put(file, 2, 1);
	gmon_file_put(file, n_bbs, 4);
	for (uint32_t i = 0; i < n_bbs; i++) {
		gmon_file_put_vaddr(file, 0x1000 + i);
		gmon_file_put_vaddr(file, 7);
	}
	gmon_file_end(file);
}

static void
put_bsd_counters(struct gmon_file *file, uint32_t n_bins, unsigned n_bytes)
{
	for (uint32_t i = 0; i < n_bins; i++)
		gmon_file_put(file, 10 * (i + 1), n_bytes);
	gmon_file_end(file);
}

struct gmon_file
gmon_file_bsd44(struct prf_gmon_reading reading, uint64_t lo, uint64_t hi,
		uint32_t n_bins, int32_t type)
{
	struct gmon_file file = {.reading = reading};
	uint32_t bits = (uint32_t)(type < 0 ? -type : type);
	unsigned counter_bytes = bits ? bits / 8 : 2;
	uint32_t header_bytes = 2 * reading.addr_bytes + 4 + 20;

	gmon_file_put_vaddr(&file, lo);
	gmon_file_put_vaddr(&file, hi);
	gmon_file_put(&file, header_bytes + n_bins * counter_bytes, 4);
	gmon_file_put(&file, 0x00051879, 4);
	gmon_file_put(&file, 128, 4);
	gmon_file_put(&file, (uint32_t)type, 4);
	gmon_file_put_text(&file, "", 8);
	put_bsd_counters(&file, n_bins, counter_bytes);
	return file;
}

struct gmon_file
gmon_file_bsd(struct prf_gmon_reading reading, uint64_t lo, uint64_t hi,
	      uint32_t n_bins)
{
	struct gmon_file file = {.reading = reading};

	gmon_file_put_vaddr(&file, lo);
	gmon_file_put_vaddr(&file, hi);
	gmon_file_put(&file, 2 * reading.addr_bytes + 4 + n_bins * 2, 4);
	put_bsd_counters(&file, n_bins, 2);
	return file;
}

void
gmon_file_bsd_arc(struct gmon_file *file, uint64_t from, uint64_t to,
		  uint64_t count)
{
	gmon_file_put_vaddr(file, from);
	gmon_file_put_vaddr(file, to);
	gmon_file_put_vaddr(file, count);
	gmon_file_end(file);
}

static struct gmon_file
magic_sample(struct prf_gmon_reading reading)
{
	static const uint16_t bins[4] = {1, 0, 65535, 4};
	struct gmon_file file = gmon_file_magic(reading);

	gmon_file_hist(&file, 0x2000, 0x2008, 4, bins);
	gmon_file_arc(&file, 0x2001, 0x2004, 3);
	gmon_file_bbs(&file, 2);
	gmon_file_hist(&file, 0x1000, 0x1008, 4, bins);
	gmon_file_hist(&file, 0x2000, 0x2008, 4, bins);
	gmon_file_arc(&file, 0x2001, 0x2004, 4);
	gmon_file_arc(&file, 0x1001, 0x2004, 5);
	return file;
}

struct gmon_file
gmon_file_sample(int kind, struct prf_gmon_reading reading)
{
	struct gmon_file file;

	switch (kind) {
	case 0:
		return magic_sample(reading);
	case 1:
		file = gmon_file_bsd44(reading, 0x1000, 0x1010, 4, 0);
		break;
	case 2:
		file = gmon_file_bsd44(reading, 0x1000, 0x1010, 4, -64);
		break;
	default:
		file = gmon_file_bsd(reading, 0x1000, 0x1010, 4);
		break;
	}
	gmon_file_bsd_arc(&file, 0x1001, 0x1008, 3);
	gmon_file_bsd_arc(&file, 0x1002, 0x1008, 4);
	return file;
}

struct prf_gmon_hint
gmon_file_hint(struct prf_gmon_reading reading)
{
	return (struct prf_gmon_hint){
		reading.addr_bytes, reading.big_endian ? PRF_GMON_ORDER_BIG
						       : PRF_GMON_ORDER_LITTLE};
}

static uint64_t
check_hist(const struct prf_gmon_hist *hist)
{
	uint64_t ticks = 0;

	ck_assert_uint_lt(hist->lo_vaddr, hist->hi_vaddr);
	ck_assert_uint_ge(hist->n_bins, 1);
	ck_assert_uint_le(hist->n_bins, hist->hi_vaddr - hist->lo_vaddr);
	ck_assert_uint_ge(hist->n_records, 1);
	ck_assert_uint_eq(prf_gmon_bin_vaddr(hist, hist->n_bins),
			  hist->hi_vaddr);
	for (uint32_t i = 0; i < hist->n_bins; i++)
		ticks += hist->counts[i];
	return ticks;
}

void
gmon_file_check(const struct prf_gmon *gmon)
{
	uint64_t ticks = 0, n_records = 0;

	ck_assert_uint_ge(gmon->n_readings, 1);
	ck_assert_uint_le(gmon->n_readings, 4);
	for (size_t i = 0; i < gmon->n_hists; i++) {
		ticks += check_hist(&gmon->hists[i]);
		n_records += gmon->hists[i].n_records;
		if (i)
			ck_assert_uint_le(gmon->hists[i - 1].hi_vaddr,
					  gmon->hists[i].lo_vaddr);
	}
	ck_assert_uint_eq(ticks, gmon->ticks);
	ck_assert_uint_eq(n_records, gmon->n_hist_records);

	ck_assert_uint_le(gmon->n_arcs, gmon->n_arc_records);
	for (size_t i = 1; i < gmon->n_arcs; i++) {
		const struct prf_gmon_arc *a = &gmon->arcs[i - 1], *b = a + 1;

		ck_assert(a->from_vaddr < b->from_vaddr ||
			  (a->from_vaddr == b->from_vaddr &&
			   a->to_vaddr < b->to_vaddr));
	}
	ck_assert_ptr_nonnull(memchr(gmon->dimension, '\0', 16));
}

/* The file's last byte is in front of unmapped memory meanwhile. */
static int
parse_guarded(const struct gmon_file *file, struct prf_gmon **gmon,
	      struct prf_error *err)
{
	struct prf_guard guard = prf_guard_new(file->n_bytes);
	const uint8_t *bytes =
		prf_guard_copy(&guard, file->bytes, file->n_bytes);
	int status = prf_gmon_parse(bytes, file->n_bytes, NULL, gmon, err);

	prf_guard_free(&guard);
	return status;
}

struct prf_gmon *
gmon_file_parse(const struct gmon_file *file)
{
	struct prf_gmon *gmon = NULL;
	struct prf_error err = {0};

	ck_assert_msg(parse_guarded(file, &gmon, &err) == 0, "%s", err.text);
	gmon_file_check(gmon);
	return gmon;
}

void
gmon_file_refuse(const struct gmon_file *file, int code, const char *beginning)
{
	struct prf_gmon *gmon = NULL;
	struct prf_error err = {0};

	ck_assert_int_eq(parse_guarded(file, &gmon, &err), code);
	ck_assert_int_eq(err.code, code);
	ck_assert_ptr_null(gmon);
	ck_assert_msg(strncmp(err.text, beginning, strlen(beginning)) == 0,
		      "\"%s\" does not begin with \"%s\"", err.text, beginning);
}
