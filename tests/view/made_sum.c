#include "view/made_sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon/gmon_writer.h"
#include "core/scope.h"
#include "support/suite.h"
#include "view/gmon/gmon_files.h"

PRF_DEFINE_AUTO(prf_gmon, prf_gmon_free);
PRF_DEFINE_AUTO(prf_gmon_layout, prf_gmon_layout_free);

void
made_clear(struct made *made)
{
	free(made->gmon);
	free(made->syms);
}

struct made
made_plain(uint64_t vaddr, uint64_t ticks, uint32_t rate_hz, uint64_t calls)
{
	const struct prf_gmon_target target = {.addr_bytes = 8,
					       .rate_hz = rate_hz};
	struct prf_gmon_writer *writer;
	struct made made = {0};
	FILE *gmon = open_memstream(&made.gmon, &made.n_gmon);

	ck_assert_int_eq(prf_gmon_writer_new(gmon, &target, &writer, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_ticks(writer, vaddr, ticks, NULL), 0);
	ck_assert_int_eq(
		prf_gmon_writer_arc(writer, vaddr, 0x1000, calls, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_finish(writer, NULL), 0);
	prf_gmon_writer_free(writer);
	fclose(gmon);
	return made;
}

struct made
made_listed(uint64_t vaddr, const char *syms)
{
	struct made made = made_plain(vaddr, 1, 100, 0);

	made.syms = strdup(syms);
	made.n_syms = strlen(syms);
	return made;
}

void
sum_clear(struct sum *sum)
{
	prf_gmon_source_free(sum->source);
	prf_profile_free(sum->profile);
}

struct sum
sum_new(void)
{
	struct sum sum = {.profile = prf_profile_new()};

	sum.source = prf_gmon_source_new(sum.profile, NULL, NULL);
	ck_assert_ptr_nonnull(sum.source);
	return sum;
}

int
sum_add(struct sum *sum, const struct made *made, struct prf_error *err)
{
	PRF_AUTO(prf_gmon_auto) struct prf_gmon *gmon = NULL;

	ck_assert_int_eq(
		prf_gmon_parse(made->gmon, made->n_gmon, NULL, &gmon, err), 0);
	return prf_gmon_source_add(sum->source, gmon, made->syms, made->n_syms,
				   err);
}

static struct made
written(const struct prf_profile *profile)
{
	PRF_AUTO(prf_gmon_layout_auto) struct prf_gmon_layout *layout = NULL;
	struct prf_error err = {0};
	struct made made = {0};
	FILE *gmon = open_memstream(&made.gmon, &made.n_gmon);
	FILE *syms = open_memstream(&made.syms, &made.n_syms);

	int rc = prf_gmon_layout_new(profile, &layout, &err);
	if (!rc)
		rc = prf_gmon_files_write_ticks(layout, gmon, &err);
	if (!rc)
		rc = prf_gmon_files_write_syms(layout, false, syms, &err);
	ck_assert_msg(!rc, "%s", err.text);
	fclose(gmon);
	fclose(syms);
	if (!layout->has_list)
		free(PRF_TAKE(made.syms));
	return made;
}

struct made
sum_of(const struct made *const *files, size_t n)
{
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	struct prf_error err = {0};

	for (size_t i = 0; i < n; i++)
		ck_assert_msg(sum_add(&sum, files[i], &err) == 0, "%s",
			      err.text);
	return written(sum.profile);
}

struct made
sum_of_two(const struct made *a, const struct made *b)
{
	return sum_of((const struct made *const[]){a, b}, 2);
}

void
made_assert_same(const struct made *a, const struct made *b)
{
	ck_assert_uint_eq(a->n_gmon, b->n_gmon);
	ck_assert_mem_eq(a->gmon, b->gmon, a->n_gmon);
	if (a->syms || b->syms)
		ck_assert_str_eq(a->syms, b->syms);
}
