#include "view/made_gmon.h"

#include <stdio.h>

#include "support/suite.h"
#include "view/gmon/gmon_files.h"

struct prf_profile *
made_profile(void)
{
	struct prf_profile *profile = prf_profile_new();

	ck_assert_ptr_nonnull(profile);
	profile->unit = (struct prf_profile_unit){100, "seconds", 's'};
	profile->addr_bytes = 8;
	return profile;
}

struct prf_binary *
made_add_binary(struct prf_profile *profile, const char *path, uint64_t lo,
		uint64_t hi)
{
	struct prf_binary *binary =
		prf_binary_new(prf_binary_kind_of(path), path);

	ck_assert_ptr_nonnull(binary);
	binary->lo = lo;
	binary->hi = hi;
	binary = prf_profile_take(profile, binary);
	ck_assert_ptr_nonnull(binary);
	return binary;
}

void
made_name_address(struct prf_binary *binary, uint64_t vaddr, const char *name)
{
	ck_assert_int_eq(prf_symbol_list_append(&binary->symbols, vaddr, name),
			 0);
}

void
made_count(struct prf_profile *profile, struct prf_binary *binary,
	   uint64_t vaddr, uint32_t ticks)
{
	const struct prf_count sum = {ticks, ticks};

	ck_assert_int_eq(prf_binary_count(binary, vaddr, ticks, ticks), 0);
	prf_count_merge(&profile->total, &sum);
}

void
made_count_name(struct prf_profile *profile, struct prf_binary *binary,
		const char *name, uint64_t ticks)
{
	const struct prf_count sum = {ticks, (double)ticks};

	ck_assert_int_eq(prf_binary_count_name(binary, name, &sum), 0);
	prf_count_merge(&profile->total, &sum);
}

struct prf_gmon_layout *
made_layout(const struct prf_profile *profile)
{
	struct prf_gmon_layout *layout = NULL;
	struct prf_error err = {0};

	ck_assert_msg(!prf_gmon_layout_new(profile, &layout, &err), "%s",
		      err.text);
	return layout;
}

struct made_file
made_write_ticks(const struct prf_gmon_layout *layout)
{
	struct made_file file;
	struct prf_error err = {0};
	FILE *out = open_memstream(&file.bytes, &file.size);

	ck_assert_ptr_nonnull(out);
	ck_assert_msg(!prf_gmon_files_write_ticks(layout, out, &err), "%s",
		      err.text);
	ck_assert_int_eq(fclose(out), 0);
	return file;
}

struct made_file
made_write_syms(const struct prf_gmon_layout *layout, bool all)
{
	struct made_file file;
	FILE *out = open_memstream(&file.bytes, &file.size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_gmon_files_write_syms(layout, all, out, NULL), 0);
	ck_assert_int_eq(fclose(out), 0);
	return file;
}
