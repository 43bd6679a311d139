#include "view/object.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "support/suite.h"
#include "view/files.h"
#include "view/made.h"

static const struct elf_symbol two[] = {
	{"f", 0x1000, 0x40, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1040, 0x40, STB_GLOBAL, STT_FUNC, 1},
};

/* The object of what is mapped, of which the file is read. */
static struct prf_object *
object_for(enum prf_object_kind kind, const struct prf_mapping *map,
	   struct prf_error *warning)
{
	struct prf_place place = made_place(map);

	warning->code = 0;
	if (place.file)
		prf_files_read(place.file, map, warning);
	struct prf_object *object = prf_object_new(kind, place.file);
	ck_assert_ptr_nonnull(object);
	prf_files_drop(place.file);
	return object;
}

static int
map_at(struct prf_object *object, const struct prf_mapping *map, uint64_t *bias)
{
	const struct prf_place place = {
		.map_addr = map->addr,
		.map_size = map->size,
		.map_off = map->file_off,
	};

	return prf_object_map(object, &place, bias);
}

START_TEST(what_is_no_file_has_a_name_and_no_path)
{
	static const char *const names[PRF_N_OBJECT_KINDS] = {
		[PRF_OBJECT_JIT] = "[jit]",
		[PRF_OBJECT_KERNEL] = "[kernel]",
		[PRF_OBJECT_UNKNOWN] = "[unknown]",
	};
	struct prf_object *object =
		prf_object_new((enum prf_object_kind)_i, NULL);

	ck_assert_str_eq(object->name, names[_i]);
	ck_assert_str_eq(object->path, "");
	prf_object_free(object);
	prf_object_free(NULL);
}
END_TEST

START_TEST(a_file_with_text_is_counted_at_its_vaddrs)
{
	struct prf_error warning;
	uint64_t bias;

	made_elf("lib", two, 2);
	struct prf_mapping map = made_mapping("lib", 0x7f0000001000);
	struct prf_object *object = object_for(PRF_OBJECT_FILE, &map, &warning);
	ck_assert_msg(!warning.code, "%s", warning.text);
	ck_assert_int_eq(map_at(object, &map, &bias), 0);
	ck_assert_uint_eq(bias, 0x7f0000000000);
	ck_assert_int_eq(prf_object_add(object, 0x1041, 3, 0), 0);
	ck_assert_int_eq(prf_object_add(object, 0xfff, 1, 0), -ERANGE);
	ck_assert_int_eq(prf_object_add(object, 0x2000, 1, 0), -ERANGE);
	ck_assert_uint_eq(object->total.ticks, 3);
	ck_assert_double_eq(object->total.squares, 9);
	prf_object_free(object);
}
END_TEST

START_TEST(a_mapping_of_no_text_has_no_bias)
{
	struct prf_error warning;
	uint64_t bias;

	made_elf("lib", two, 2);
	struct prf_mapping map = made_mapping("lib", 0x7f0000001000);
	struct prf_object *object = object_for(PRF_OBJECT_FILE, &map, &warning);
	map.file_off = 0x10000;
	ck_assert_int_eq(map_at(object, &map, &bias), -ENOENT);
	prf_object_free(object);
}
END_TEST

START_TEST(a_file_that_is_not_elf_is_counted_at_its_offsets)
{
	struct prf_error warning;
	uint64_t bias;

	elf_write(made_path("blob"), "no ELF at all", 13);
	struct prf_mapping map = made_mapping("blob", 0x7f0000001000);
	struct prf_object *object = object_for(PRF_OBJECT_FILE, &map, &warning);
	ck_assert_int_eq(warning.code, -ENOEXEC);
	ck_assert_ptr_null(object->image);
	ck_assert_int_eq(map_at(object, &map, &bias), 0);
	ck_assert_uint_eq(map.addr - bias, map.file_off);
	ck_assert_int_eq(prf_object_add(object, map.file_off, 1, 0), 0);
	prf_object_free(object);
}
END_TEST

START_TEST(a_file_of_elf_without_text_is_counted_at_its_offsets)
{
	struct elf_builder *builder = elf_builder_new(&elf_kinds[0]);
	struct prf_error warning;
	size_t size;

	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_flags = PF_R,
						  .p_filesz = 64,
						  .p_memsz = 64});
	char *bytes = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	elf_write(made_path("data"), bytes, size);
	free(bytes);
	struct prf_mapping map = made_mapping("data", 0x7f0000001000);
	struct prf_object *object = object_for(PRF_OBJECT_FILE, &map, &warning);
	ck_assert_int_eq(warning.code, -ENOEXEC);
	ck_assert_ptr_null(object->image);
	ck_assert_int_eq(prf_object_add(object, 0x1000, 1, 0), 0);
	prf_object_free(object);
}
END_TEST

/* The extent of a file without names: from the first mapped byte to the last,
 * in whatever order they were mapped. */
START_TEST(what_has_no_names_is_as_large_as_what_was_mapped)
{
	static const uint64_t offs[] = {0x5000, 0x2000, 0x8000};
	struct prf_error warning;
	uint64_t bias;

	elf_write(made_path("blob"), "blob", 4);
	struct prf_mapping map = made_mapping("blob", 0x7f0000001000);
	struct prf_object *object = object_for(PRF_OBJECT_FILE, &map, &warning);
	for (int i = 0; i < 3; i++) {
		map.file_off = offs[(i + _i) % 3];
		ck_assert_int_eq(map_at(object, &map, &bias), 0);
	}
	ck_assert_uint_eq(object->lo, 0x2000);
	ck_assert_uint_eq(object->hi, 0x9000);
	map.file_off = UINT64_MAX - 0x800;
	ck_assert_int_eq(map_at(object, &map, &bias), -ENOENT);
	ck_assert_uint_eq(object->hi, 0x9000);
	prf_object_free(object);
}
END_TEST

START_TEST(jit_code_keeps_its_addresses)
{
	const struct prf_mapping map = {.kind = PRF_MAPPING_ANON,
					.addr = 0x7f0000001000,
					.size = 0x1000,
					.path = ""};
	struct prf_error warning;
	uint64_t bias = 1;
	struct prf_object *object = object_for(PRF_OBJECT_JIT, &map, &warning);

	ck_assert_int_eq(warning.code, 0);
	ck_assert_int_eq(map_at(object, &map, &bias), 0);
	ck_assert_uint_eq(bias, 0);
	prf_object_free(object);
}
END_TEST

/* The vDSO of this process, as its own maps have it; false: none. */
static bool
own_vdso(struct prf_mapping *map)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	unsigned long lo, hi;
	bool found = false;

	ck_assert_ptr_nonnull(maps);
	while (!found && fgets(line, sizeof line, maps))
		found = strstr(line, "[vdso]") &&
			sscanf(line, "%lx-%lx", &lo, &hi) == 2;
	fclose(maps);
	if (!found)
		return false;
	*map = (struct prf_mapping){.kind = PRF_MAPPING_VDSO,
				    .addr = lo,
				    .size = hi - lo,
				    .path = ""};
	return true;
}

START_TEST(the_vdso_has_names)
{
	struct prf_error warning;
	struct prf_mapping map;
	uint64_t bias;

	if (!own_vdso(&map))
		return; /* a machine without one */
	struct prf_object *object = object_for(PRF_OBJECT_VDSO, &map, &warning);
	ck_assert_msg(!warning.code, "%s", warning.text);
	ck_assert_ptr_nonnull(object->hist);
	ck_assert_int_eq(map_at(object, &map, &bias), 0);
	ck_assert_uint_eq(bias, map.addr);
	prf_object_free(object);
}
END_TEST

START_TEST(a_vdso_of_another_size_is_not_ours)
{
	static const uint64_t sizes[] = {0x1000, 0x40000000};
	const struct prf_mapping map = {.kind = PRF_MAPPING_VDSO,
					.addr = 0xf7f00000,
					.size = sizes[_i],
					.path = ""};
	struct prf_error warning;
	uint64_t bias;
	struct prf_object *object = object_for(PRF_OBJECT_VDSO, &map, &warning);

	ck_assert_int_eq(warning.code, -ENOENT);
	ck_assert_int_eq(map_at(object, &map, &bias), 0);
	ck_assert_uint_eq(bias, map.addr);
	ck_assert_int_eq(prf_object_add(object, 0x800, 2, 0), 0);
	prf_object_free(object);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("object");
	TCase *tcase = tcase_create("object");

	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_loop_test(tcase, what_is_no_file_has_a_name_and_no_path,
			    PRF_OBJECT_JIT, PRF_N_OBJECT_KINDS);
	tcase_add_test(tcase, a_file_with_text_is_counted_at_its_vaddrs);
	tcase_add_test(tcase, a_mapping_of_no_text_has_no_bias);
	tcase_add_test(tcase, a_file_that_is_not_elf_is_counted_at_its_offsets);
	tcase_add_test(tcase,
		       a_file_of_elf_without_text_is_counted_at_its_offsets);
	tcase_add_loop_test(
		tcase, what_has_no_names_is_as_large_as_what_was_mapped, 0, 3);
	tcase_add_test(tcase, jit_code_keeps_its_addresses);
	tcase_add_test(tcase, the_vdso_has_names);
	tcase_add_loop_test(tcase, a_vdso_of_another_size_is_not_ours, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
