#include "profile/counted_binary.h"

#include <stdio.h>
#include <string.h>

#include "space/files.h"

const struct elf_symbol binary_fg[2] = {
	{"f", 0x1000, 0x40, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1040, 0x40, STB_GLOBAL, STT_FUNC, 1},
};

struct prf_binary *
binary_of(const char *name)
{
	struct prf_file *file = made_file(name);
	struct prf_binary *binary = prf_binary_new_file(file);

	ck_assert_ptr_nonnull(binary);
	prf_files_drop(file);
	return binary;
}

struct prf_binary *
binary_of_fg(void)
{
	made_elf("lib", binary_fg, 2);
	return binary_of("lib");
}

void
binary_add(struct prf_binary *binary, uint64_t vaddr, uint32_t ticks)
{
	ck_assert_int_eq(prf_binary_count(binary, vaddr, ticks, 0), 0);
}

void
binary_add_name(struct prf_binary *binary, const char *name, uint32_t ticks)
{
	struct prf_count count = {0};

	prf_count_add(&count, ticks, 0);
	ck_assert_int_eq(prf_binary_count_name(binary, name, &count), 0);
}

/* --- What it has */

static int
put_points(void *arg, const struct prf_tick_range *range)
{
	struct binary_points *points = arg;

	ck_assert_uint_ge(range->vaddr, points->end);
	points->end = range->vaddr + range->n * PRF_HIST_BIN_BYTES;
	for (size_t i = 0; i < range->n; i++) {
		size_t used = strlen(points->text);
		uint64_t ticks = prf_tick_range_at(range, i);

		points->ticks += ticks;
		if (ticks)
			snprintf(points->text + used,
				 sizeof points->text - used, "%llx=%llu ",
				 (unsigned long long)(range->vaddr + 2 * i),
				 (unsigned long long)ticks);
	}
	return 0;
}

struct binary_points
binary_points_of(const struct prf_binary *binary)
{
	struct binary_points points = {0};

	ck_assert_int_eq(prf_binary_walk(binary, put_points, &points), 0);
	return points;
}

void
binary_check_points(const struct prf_binary *binary, const char *text)
{
	ck_assert_str_eq(binary_points_of(binary).text, text);
}

void
binary_check_symbols(const struct prf_binary *binary, const char *text)
{
	char found[256] = "";

	for (size_t i = 0; i < binary->symbols.n; i++)
		snprintf(found + strlen(found), sizeof found - strlen(found),
			 "%llx=%s ",
			 (unsigned long long)binary->symbols.all[i].vaddr,
			 binary->symbols.all[i].name);
	ck_assert_str_eq(found, text);
}

struct prf_count
binary_sum_of_tally(const struct prf_tally *tally)
{
	struct prf_count sum = {0};

	for (size_t i = 0; i < tally->n_slots; i++)
		prf_count_merge(&sum, &tally->slots[i].count);
	return sum;
}
