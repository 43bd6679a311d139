/* Broken ELF files of every class and byte order: whatever is cut off or
 * changed, opening them ends, and what it gives is sound. */
#include "image/image.h"
#include "image/object.h"
#include "support/elf_builder.h"
#include "support/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TEXT_BYTES = 0x100 };

static const struct elf_symbol symbols[] = {
	{"f", 0x1000, 0x10, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1010, 0x20, STB_LOCAL, STT_FUNC, 1},
	{"h", 0x1020, 0, STB_WEAK, STT_NOTYPE, 1},
	{"i", 0x1024, 4, STB_GLOBAL, STT_GNU_IFUNC, 1},
};

static char *
build(const struct elf_kind *kind, size_t *size)
{
	return elf_build_simple(kind, TEXT_BYTES, symbols,
				sizeof symbols / sizeof *symbols, size);
}

/* The pieces ascend, are not empty, and every one is found. */
static void
check_sound(const struct prf_image *image)
{
	size_t n;
	const struct prf_text *texts = prf_image_texts(image, &n);
	size_t length = 0;

	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_lt(texts[i].lo, texts[i].hi);
		ck_assert_uint_eq((texts[i].lo | texts[i].hi) & 1, 0);
		ck_assert(i == 0 || texts[i - 1].hi <= texts[i].lo);
		ck_assert_uint_eq(prf_image_text_at(image, texts[i].lo), i);
		length += strlen(texts[i].name);
	}
	ck_assert_uint_ge(length, n);
}

/* Opens BYTES both ways that there are; each must end well or say why not. */
static void
open_both_ways(const char *bytes, size_t size)
{
	struct prf_error err = {0};
	struct prf_image *image = NULL;
	int fd = memfd_create("hostile", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
	for (int way = 0; way < 2; way++) {
		int rc = way ? prf_image_open_fd(fd, "hostile", NULL, &image,
						 &err)
			     : prf_image_open_memory(bytes, size, "hostile",
						     &image, &err);

		if (rc == 0) {
			check_sound(image);
			prf_image_close(image);
		} else {
			ck_assert(rc == -EINVAL || rc == -ENOEXEC);
			ck_assert_int_eq(err.code, rc);
			ck_assert_ptr_nonnull(strstr(err.text, "hostile: "));
		}
	}
	close(fd);
}

START_TEST(a_file_cut_at_any_length_is_read_or_refused)
{
	size_t size;
	char *bytes = build(&elf_kinds[_i], &size);

	for (size_t cut = 0; cut < size;
	     cut += cut < 0x100 || cut >= 0x1000 ? 1 : 0x55) {
		char *copy = malloc(cut + !cut);

		memcpy(copy, bytes, cut);
		open_both_ways(copy, cut);
		free(copy);
	}
	free(bytes);
}
END_TEST

START_TEST(any_byte_may_have_any_value)
{
	static const unsigned char changes[] = {0x01, 0x80, 0xff};
	size_t size;
	char *bytes = build(&elf_kinds[_i], &size);

	for (size_t at = 0; at < size; at++) {
		if (at == 0x100)
			at = 0x1000 + TEXT_BYTES; /* nothing lies between */
		for (size_t c = 0; c < sizeof changes; c++) {
			char was = bytes[at];

			bytes[at] = (char)(was ^ changes[c]);
			open_both_ways(bytes, size);
			bytes[at] = was;
		}
	}
	free(bytes);
}
END_TEST

START_TEST(several_bytes_may_be_wrong_at_once)
{
	size_t size;
	char *bytes = build(&elf_kinds[_i % 4], &size);

	srand((unsigned)_i);
	for (int round = 0; round < 200; round++) {
		char *copy = malloc(size);

		memcpy(copy, bytes, size);
		for (int n = 1 + rand() % 12; n > 0; n--) {
			size_t at = (size_t)rand() % (size - 0xf00 + 0x80);

			/* The class stays: it is what libelf asks first. */
			at = at < 0x80 ? at : at + 0xf00 - 0x80;
			if (at < size && at > EI_VERSION)
				copy[at] = (char)(rand() % 3 ? rand() : 0xff);
		}
		open_both_ways(copy, size);
		free(copy);
	}
	free(bytes);
}
END_TEST

START_TEST(a_good_file_is_not_refused)
{
	size_t size, n;
	char *bytes = build(&elf_kinds[_i], &size);
	struct prf_image *image = NULL;

	ck_assert_int_eq(
		prf_image_open_memory(bytes, size, "good", &image, NULL), 0);
	free(bytes);
	ck_assert_ptr_null(prf_image_warning(image));
	const struct prf_text *texts = prf_image_texts(image, &n);
	ck_assert_uint_eq(n, 5);
	ck_assert_str_eq(texts[2].name, "i");
	check_sound(image);
	prf_image_close(image);
}
END_TEST

START_TEST(section_headers_that_are_cut_off_leave_the_text)
{
	size_t size, n;
	char *bytes = build(&elf_kinds[_i], &size);
	struct prf_image *image = NULL;

	ck_assert_int_eq(prf_image_open_memory(bytes, 0x1000 + TEXT_BYTES,
					       "cut", &image, NULL),
			 0);
	free(bytes);
	const struct prf_text *texts = prf_image_texts(image, &n);
	ck_assert_uint_eq(n, 1);
	ck_assert_str_eq(texts[0].name, "[text]");
	ck_assert_ptr_nonnull(
		strstr(prf_image_warning(image), "section headers"));
	prf_image_close(image);
}
END_TEST

START_TEST(a_huge_number_of_sections_is_refused_at_once)
{
	size_t size;
	char *bytes = build(&elf_kinds[0], &size);
	Elf64_Ehdr *ehdr = (void *)bytes;
	Elf64_Shdr *first = (void *)(bytes + ehdr->e_shoff);

	ehdr->e_shnum = 0;
	first->sh_size = (uint64_t)1 << 40;
	open_both_ways(bytes, size);
	ehdr->e_phnum = PN_XNUM;
	first->sh_info = UINT32_MAX;
	open_both_ways(bytes, size);
	free(bytes);
}
END_TEST

START_TEST(many_symbols_of_one_long_name_do_not_take_for_ever)
{
	enum { N = 20000, NAME_BYTES = 1 << 20 };
	char *name = malloc(NAME_BYTES);
	struct elf_symbol *many = calloc(N, sizeof *many);
	size_t size;

	memset(name, 'x', NAME_BYTES - 1);
	name[NAME_BYTES - 1] = '\0';
	for (size_t i = 0; i < N; i++)
		many[i] = (struct elf_symbol){i ? "y" : name, 0x1000,   4,
					      STB_GLOBAL,     STT_FUNC, 1};
	char *bytes =
		elf_build_simple(&elf_kinds[0], TEXT_BYTES, many, N, &size);
	const Elf64_Ehdr *ehdr = (void *)bytes;
	const Elf64_Shdr *symtab =
		(Elf64_Shdr *)(void *)(bytes + ehdr->e_shoff) + 2;
	Elf64_Sym *entry = (Elf64_Sym *)(void *)(bytes + symtab->sh_offset);
	for (size_t i = 1; i <= N; i++)
		entry[i].st_name = entry[1].st_name + (uint32_t)(i % 1000);

	struct prf_image *image = NULL;
	ck_assert_int_eq(
		prf_image_open_memory(bytes, size, "many", &image, NULL), 0);
	ck_assert_ptr_nonnull(strstr(prf_image_warning(image), "believed"));
	prf_image_close(image);
	free(bytes);
	free(many);
	free(name);
}
END_TEST

/* A file of N_NOTES sections of notes, of NOTE_BYTES each, of which all but the
 * last lie over the same bytes; that has the build-id. */
static int
make_file_of_notes(size_t n_notes, size_t note_bytes)
{
	static const struct {
		Elf64_Nhdr head;
		char owner[4], id[4];
	} note = {{4, 4, NT_GNU_BUILD_ID}, "GNU", {'a', 'b', 'c', 'd'}};
	size_t size, note_at, n_headers = n_notes + 1;
	char *simple = build(&elf_kinds[0], &size);
	Elf64_Shdr *headers = calloc(n_headers, sizeof *headers);
	Elf64_Ehdr *ehdr = (void *)simple;
	int fd = memfd_create("notes", MFD_CLOEXEC);

	note_at = (size + 7) / 8 * 8;
	for (size_t i = 1; i < n_headers; i++)
		headers[i] = (Elf64_Shdr){.sh_type = SHT_NOTE,
					  .sh_offset = note_at,
					  .sh_size = note_bytes};
	headers[n_notes].sh_offset += note_bytes;
	ehdr->e_shoff = note_at + 2 * note_bytes;
	ehdr->e_shnum = (Elf64_Half)n_headers;
	ehdr->e_shstrndx = 0;
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, simple, size, 0), (ssize_t)size);
	ck_assert_int_eq(
		pwrite(fd, &note, sizeof note, (off_t)(note_at + note_bytes)),
		(ssize_t)sizeof note);
	ck_assert_int_eq(pwrite(fd, headers, n_headers * sizeof *headers,
				(off_t)ehdr->e_shoff),
			 (ssize_t)(n_headers * sizeof *headers));
	free(headers);
	free(simple);
	return fd;
}

static uint32_t
adler32_of(const uint8_t *bytes, size_t n)
{
	uint32_t a = 1, b = 0;

	for (size_t i = 0; i < n; i++) {
		a = (a + bytes[i]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

/* FILE, of 64 bits and little-endian, with the names of its sections packed: as
 * zlib does with what does not become smaller. */
static char *
pack_names(const char *file, size_t *size)
{
	char *packed = malloc(2 * *size);
	Elf64_Ehdr *ehdr = (void *)packed;
	size_t at = *size;

	memcpy(packed, file, *size);
	Elf64_Shdr *names = (Elf64_Shdr *)(void *)(packed + ehdr->e_shoff) +
			    ehdr->e_shstrndx;
	uint16_t n = (uint16_t)names->sh_size, not_n = (uint16_t)~n;
	const uint8_t *bytes = (uint8_t *)packed + names->sh_offset;
	const Elf64_Chdr head = {
		.ch_type = ELFCOMPRESS_ZLIB, .ch_size = n, .ch_addralign = 1};
	uint32_t sum = __builtin_bswap32(adler32_of(bytes, n));
	const struct {
		const void *bytes;
		size_t n;
	} parts[] = {{&head, sizeof head}, {"\x78\x01\x01", 3}, {&n, 2},
		     {&not_n, 2},          {bytes, n},          {&sum, 4}};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		memcpy(packed + at, parts[i].bytes, parts[i].n);
		at += parts[i].n;
	}
	names->sh_flags |= SHF_COMPRESSED;
	names->sh_offset = *size;
	names->sh_size = at - *size;
	*size = at;
	return packed;
}

START_TEST(names_of_sections_are_not_unpacked)
{
	struct prf_object object;
	GElf_Shdr header;
	size_t size;
	char *file = build(&elf_kinds[0], &size);

	ck_assert_int_eq(prf_object_open_memory(&object, file, size, "t", NULL),
			 0);
	ck_assert_ptr_nonnull(
		prf_object_section_named(&object, ".text", &header));
	ck_assert_int_eq(object.warning.code, 0);
	prf_object_close(&object);

	char *packed = pack_names(file, &size);
	ck_assert_int_eq(
		prf_object_open_memory(&object, packed, size, "t", NULL), 0);
	ck_assert_ptr_null(prf_object_section_named(&object, ".text", &header));
	ck_assert_ptr_nonnull(strstr(object.warning.text, "names"));
	prf_object_close(&object);
	free(packed);
	free(file);
}
END_TEST

START_TEST(notes_that_lie_over_one_another_do_not_fill_all_memory)
{
	enum { N = 60, NOTE_BYTES = 8 << 20 };
	const struct rlimit limit = {256 << 20, 256 << 20};
	struct prf_image *image = NULL;
	int fd = make_file_of_notes(N, NOTE_BYTES);

	if (!IS_SANITIZED)
		ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	ck_assert_int_eq(prf_image_open_fd(fd, "notes", NULL, &image, NULL), 0);
	ck_assert_uint_eq(prf_image_info(image)->build_id_size, 4);
	ck_assert_mem_eq(prf_image_info(image)->build_id, "abcd", 4);
	prf_image_close(image);
	close(fd);
}
END_TEST

START_TEST(behind_very_many_notes_no_build_id_is_looked_for)
{
	struct prf_image *image = NULL;
	int fd = make_file_of_notes(500, 64);

	ck_assert_int_eq(prf_image_open_fd(fd, "notes", NULL, &image, NULL), 0);
	ck_assert_uint_eq(prf_image_info(image)->build_id_size, 0);
	prf_image_close(image);
	close(fd);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("hostile");
	TCase *tcase = tcase_create("hostile");

	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, a_file_cut_at_any_length_is_read_or_refused,
			    0, 4);
	tcase_add_loop_test(tcase, any_byte_may_have_any_value, 0, 4);
	tcase_add_loop_test(tcase, several_bytes_may_be_wrong_at_once, 0, 8);
	tcase_add_loop_test(tcase, a_good_file_is_not_refused, 0, 4);
	tcase_add_loop_test(
		tcase, section_headers_that_are_cut_off_leave_the_text, 0, 4);
	tcase_add_test(tcase, a_huge_number_of_sections_is_refused_at_once);
	tcase_add_test(tcase,
		       many_symbols_of_one_long_name_do_not_take_for_ever);
	tcase_add_test(tcase, names_of_sections_are_not_unpacked);
	tcase_add_test(tcase,
		       notes_that_lie_over_one_another_do_not_fill_all_memory);
	tcase_add_test(tcase, behind_very_many_notes_no_build_id_is_looked_for);
	suite_add_tcase(suite, tcase);
	return suite;
}
