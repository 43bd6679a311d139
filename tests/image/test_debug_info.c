/* What is found out about the sections of debug information before libdw reads
 * them. */
#include "image/debug_info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support/elf_builder.h"
#include "support/elf_frames.h"
#include "support/suite.h"

static struct elf_builder *
begin_file(const struct elf_kind *kind)
{
	struct elf_builder *builder = elf_builder_new(kind);

	elf_builder_text(builder);
	elf_builder_section(builder, &(struct elf_section){
					     .name = ".debug_info", .size = 4});
	return builder;
}

/* The file in memory that has SIZE bytes. */
static int
write_file(const char *bytes, size_t size)
{
	int fd = memfd_create("test", MFD_CLOEXEC);

	ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
	return fd;
}

/* Is there DWARF in FILE, of which UNPACK_MAX bytes may be unpacked?  *WARNS is
 * whether a warning says why not. */
static bool
has_dwarf(const char *file, size_t size, uint64_t unpack_max, bool *warns)
{
	const struct prf_debug_way way = {.unpack_max = unpack_max};
	struct prf_debug_info info;
	int fd = write_file(file, size);

	ck_assert_int_eq(prf_debug_info_open_fd(&info, fd, "test", &way, NULL),
			 0);
	bool has = info.dwarf;
	*warns = info.warning.code != 0;
	prf_debug_info_close(&info);
	close(fd);
	return has;
}

static const char *const packed_names[] = {".debug_str", ".zdebug_str",
					   ".gnu_debugaltlink",
					   ".gnu.debuglto_.debug_info"};

/* A section that says that it has UNPACKED bytes when it is unpacked, of which
 * libdw finds out that it cannot be unpacked. */
static char *
build_packed(const struct elf_kind *kind, const char *name, uint64_t unpacked,
	     size_t *size)
{
	enum { PACKED_AT = 0x2000 };
	struct elf_builder *builder = begin_file(kind);
	bool is_old = name[1] == 'z', is_64 = kind->class == ELFCLASS64;
	uint8_t head[24] = {0};

	elf_builder_section(
		builder,
		&(struct elf_section){.name = name,
				      .vaddr = PACKED_AT,
				      .flags = is_old ? 0 : SHF_COMPRESSED,
				      .size = 2048});
	char *file = elf_builder_finish(builder, size);
	elf_builder_free(builder);
	if (is_old) {
		memcpy(head, "ZLIB", 4);
		for (unsigned i = 0; i < 8; i++)
			head[4 + i] = (uint8_t)(unpacked >> (56 - 8 * i));
	} else {
		elf_put(kind, head, ELFCOMPRESS_ZLIB, 4);
		elf_put(kind, head + (is_64 ? 8 : 4), unpacked, is_64 ? 8 : 4);
		elf_put(kind, head + (is_64 ? 16 : 8), 1, is_64 ? 8 : 4);
	}
	memcpy(file + PACKED_AT, head, sizeof head);
	return file;
}

START_TEST(all_that_libdw_unpacks_is_counted)
{
	enum { UNPACKED = 1 << 16 };
	const struct elf_kind *kind = &elf_kinds[_i % 4];
	const char *name = packed_names[_i / 4];
	bool warns;
	size_t size;
	char *file = build_packed(kind, name, UNPACKED, &size);

	ck_assert(has_dwarf(file, size, UNPACKED, &warns) && !warns);
	ck_assert(!has_dwarf(file, size, UNPACKED - 1, &warns) && !warns);
	free(file);
	file = build_packed(kind, name, 1 << 20, &size);
	ck_assert(!has_dwarf(file, size, UINT64_MAX, &warns) && warns);
	free(file);
}
END_TEST

/* What all of this process had at most in memory, in KiB. */
static long
peak_kib(void)
{
	struct rusage usage;

	ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_maxrss;
}

/* Packed or not, each header of a section lies over the same bytes. */
START_TEST(sections_that_lie_over_one_another_do_not_fill_all_memory)
{
	enum { N = 50, BYTES = 8 << 20, FIRST = 3 };
	struct elf_builder *builder = begin_file(&elf_kinds[0]);
	bool warns;
	size_t size;

	for (size_t i = 0; i < N; i++) {
		char name[16];

		snprintf(name, sizeof name, ".debug_%zu", i);
		elf_builder_section(
			builder,
			&(struct elf_section){.name = name,
					      .flags = _i ? SHF_COMPRESSED : 0,
					      .size = i ? 32 : BYTES});
	}
	char *file = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	const Elf64_Ehdr *ehdr = (void *)file;
	Elf64_Shdr *first =
		(Elf64_Shdr *)(void *)(file + ehdr->e_shoff) + FIRST;
	const Elf64_Chdr packed = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = 64};
	memcpy(file + first->sh_offset, &packed, sizeof packed);
	for (size_t i = 1; i < N; i++) {
		first[i].sh_offset = first->sh_offset;
		first[i].sh_size = first->sh_size;
	}
	long before = peak_kib();
	ck_assert(!has_dwarf(file, size, UINT64_MAX, &warns) && warns);
	ck_assert_int_lt(peak_kib() - before, 10 * (BYTES >> 10));
	free(file);
}
END_TEST

/* A file that has DWARF and the SECTIONS. */
static char *
build_with(const struct elf_section *sections, size_t n, size_t *size)
{
	struct elf_builder *builder = begin_file(&elf_kinds[0]);

	for (size_t i = 0; i < n; i++)
		elf_builder_section(builder, &sections[i]);
	char *file = elf_builder_finish(builder, size);
	elf_builder_free(builder);
	return file;
}

/* Which of them libdw would read depends on what it can unpack. */
START_TEST(there_is_one_section_of_line_tables_or_it_is_broken)
{
	static const struct {
		struct elf_section sections[3];
		size_t n;
		bool is_good;
	} rows[] = {
		{{{.name = ".debug_line", .size = 16}}, 1, true},
		{{{.name = ".debug_line", .size = 16},
		  {.name = ".debug_line", .size = 16}},
		 2,
		 false},
		{{{.name = ".debug_line", .size = 16},
		  {.name = ".zdebug_line",
		   .bytes = "ZLIB\0\0\0\0\0\0\0\20",
		   .size = 12}},
		 2,
		 false},
		/* Not read. */
		{{{.name = ".debug_line", .size = 16},
		  {.name = ".debug_line", .size = 16, .flags = SHF_GROUP},
		  {.name = ".debug_line.dwo", .size = 16}},
		 3,
		 true},
	};
	bool warns;
	size_t size;
	char *file = build_with(rows[_i].sections, rows[_i].n, &size);

	ck_assert_int_eq(has_dwarf(file, size, UINT64_MAX, &warns),
			 rows[_i].is_good);
	ck_assert_int_ne(warns, rows[_i].is_good);
	free(file);
}
END_TEST

/* That of the group is not in what libdw has read. */
START_TEST(the_section_of_a_group_is_not_the_line_table)
{
	static const struct elf_section sections[] = {
		{.name = ".debug_line", .size = 16},
		{.name = ".debug_line", .size = 16, .flags = SHF_GROUP},
	};
	struct prf_debug_info info;
	size_t size;
	char *file = build_with(sections, 2, &size);
	int fd = write_file(file, size);

	ck_assert_int_eq(prf_debug_info_open_fd(&info, fd, "test", NULL, NULL),
			 0);
	ck_assert_ptr_nonnull(info.line_section);
	/* Behind .text and .debug_info. */
	ck_assert_uint_eq(elf_ndxscn(info.line_section), 3);
	prf_debug_info_close(&info);
	close(fd);
	free(file);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("debug_info");
	TCase *tcase = tcase_create("debug_info");

	tcase_add_loop_test(
		tcase, all_that_libdw_unpacks_is_counted, 0,
		4 * (int)(sizeof packed_names / sizeof *packed_names));
	tcase_add_loop_test(
		tcase,
		sections_that_lie_over_one_another_do_not_fill_all_memory, 0,
		2);
	tcase_add_loop_test(tcase,
			    there_is_one_section_of_line_tables_or_it_is_broken,
			    0, 4);
	tcase_add_test(tcase, the_section_of_a_group_is_not_the_line_table);
	suite_add_tcase(suite, tcase);
	return suite;
}
