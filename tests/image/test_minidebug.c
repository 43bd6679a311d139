#include "image/image.h"
#include "image/object.h"
#include "support/elf_builder.h"
#include "support/suite.h"
#include "support/xz_stream.h"

#include <stdlib.h>
#include <string.h>

/* An image of a file that has DATA as its .gnu_debugdata, and "exported". */
static struct prf_image *
open_with_debugdata(const void *data, size_t data_size)
{
	static const struct elf_symbol exported = {"exported", 0x1000,   0x10,
						   STB_GLOBAL, STT_FUNC, 1};
	struct elf_builder *builder = elf_builder_new(&elf_kinds[0]);
	struct prf_image *image = NULL;
	size_t size;

	elf_builder_text(builder);
	elf_builder_symbols(builder, SHT_DYNSYM, 0, &exported, 1);
	elf_builder_section(builder,
			    &(struct elf_section){.name = ".gnu_debugdata",
						  .bytes = data,
						  .size = data_size});
	char *bytes = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	ck_assert_int_eq(
		prf_image_open_memory(bytes, size, "test", &image, NULL), 0);
	free(bytes);
	return image;
}

/* The same with what xz makes of a file with the symbol "hidden". */
static uint8_t *
packed_symbols(size_t *size)
{
	static const struct elf_symbol hidden = {"hidden",  0x1010,   0x10,
						 STB_LOCAL, STT_FUNC, 1};
	char *bytes = elf_build_simple(&elf_kinds[0], 0x100, &hidden, 1, size);
	uint8_t *packed = xz_stream(bytes, *size, size);

	free(bytes);
	return packed;
}

START_TEST(its_names_are_added_to_those_of_dynsym)
{
	size_t size, n;
	uint8_t *packed = packed_symbols(&size);
	struct prf_image *image = open_with_debugdata(packed, size);
	const struct prf_text *texts = prf_image_texts(image, &n);

	ck_assert_ptr_null(prf_image_warning(image));
	ck_assert_str_eq(texts[0].name, "exported");
	ck_assert_str_eq(texts[1].name, "hidden");
	ck_assert_str_eq(prf_image_info(image)->names_from, ".gnu_debugdata");
	prf_image_close(image);
	free(packed);
}
END_TEST

START_TEST(what_is_broken_is_a_warning)
{
	size_t size, n;
	uint8_t *packed = packed_symbols(&size);

	for (size_t at = 0; at < size; at += 7) {
		packed[at] ^= 0x55;
		struct prf_image *image = open_with_debugdata(packed, size);
		ck_assert_str_eq(prf_image_texts(image, &n)[0].name,
				 "exported");
		prf_image_close(image);
		packed[at] ^= 0x55;
	}
	packed[0] = 'x';
	struct prf_image *image = open_with_debugdata(packed, size);
	ck_assert_ptr_nonnull(
		strstr(prf_image_warning(image), ".gnu_debugdata"));
	prf_image_close(image);
	free(packed);
}
END_TEST

START_TEST(what_is_cut_short_is_a_warning)
{
	size_t size;
	uint8_t *packed = packed_symbols(&size);

	for (size_t cut = 1; cut < size; cut += 5) {
		struct prf_image *image = open_with_debugdata(packed, cut);

		ck_assert(prf_image_warning(image) || cut + 64 > size);
		prf_image_close(image);
	}
	free(packed);
}
END_TEST

START_TEST(what_would_fill_all_memory_is_not_unpacked)
{
	size_t size;
	/* More than anything holds, and more than so few bytes can. */
	static const uint64_t claims[] = {PRF_OBJECT_DATA_MAX + 1, 16 << 20};
	uint8_t *bomb = xz_stream_claiming(claims[_i], 1 << 16, &size);
	struct prf_image *image = open_with_debugdata(bomb, size);
	ck_assert_ptr_nonnull(
		strstr(prf_image_warning(image), "it holds too much"));
	prf_image_close(image);
	free(bomb);
}
END_TEST

START_TEST(what_is_no_elf_file_is_a_warning)
{
	size_t size;
	uint8_t *packed = xz_stream("no ELF file", 11, &size);
	struct prf_image *image = open_with_debugdata(packed, size);

	ck_assert_ptr_nonnull(
		strstr(prf_image_warning(image), "holds no ELF file"));
	prf_image_close(image);
	free(packed);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("minidebug");
	TCase *tcase = tcase_create("minidebug");

	tcase_add_test(tcase, its_names_are_added_to_those_of_dynsym);
	tcase_add_test(tcase, what_is_broken_is_a_warning);
	tcase_add_test(tcase, what_is_cut_short_is_a_warning);
	tcase_add_loop_test(tcase, what_would_fill_all_memory_is_not_unpacked,
			    0, 2);
	tcase_add_test(tcase, what_is_no_elf_file_is_a_warning);
	suite_add_tcase(suite, tcase);
	return suite;
}
