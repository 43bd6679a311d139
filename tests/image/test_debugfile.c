#include "config.h" /* bfd.h insists */

#include "core/scope.h"
#include "image/debugfile.h"
#include "image/image.h"
#include "support/elf_builder.h"
#include "support/suite.h"

#include <bfd.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

static char dir[64];
static char path[PATH_MAX];

/* A path below the test's own directory; good until the next call. */
static const char *
below(const char *name)
{
	snprintf(path, sizeof path, "%s%s", dir, name);
	return path;
}

static void
make_dir_in(const char *parent)
{
	snprintf(dir, sizeof dir, "%s/test_debugfile.XXXXXX", parent);
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void
make_dir(void)
{
	make_dir_in("/tmp");
}

static void
make_dir_on_tmpfs(void)
{
	struct statfs fs;

	if (statfs("/dev/shm", &fs) || fs.f_type != TMPFS_MAGIC ||
	    access("/dev/shm", W_OK))
		prf_skip("no tmpfs on /dev/shm");
	make_dir_in("/dev/shm");
}

static void
remove_dir(void)
{
	char command[PATH_MAX];

	snprintf(command, sizeof command, "rm -rf '%s'", dir);
	ck_assert_int_eq(system(command), 0);
}

/* A program of the first kind, or a debug file of it. */
struct recipe {
	const char *build_id; /* 4 characters; "": none */
	const char *link;     /* "": none */
	uint32_t link_crc;
	const char *symbol; /* "": none */
	int kind;
};

static char *
build(const struct recipe *recipe, size_t *size)
{
	struct elf_builder *builder = elf_builder_new(&elf_kinds[recipe->kind]);
	char note[20] = {4, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U'};
	char link[64] = {0};

	elf_builder_text(builder);
	if (recipe->build_id[0]) {
		memcpy(note + 16, recipe->build_id, 4);
		elf_builder_section(
			builder, &(struct elf_section){.name = ".note.build-id",
						       .type = SHT_NOTE,
						       .flags = SHF_ALLOC,
						       .bytes = note,
						       .size = sizeof note});
	}
	if (recipe->link[0]) {
		size_t n = (strlen(recipe->link) + 4) & ~(size_t)3;

		memcpy(link, recipe->link, strlen(recipe->link));
		memcpy(link + n, &recipe->link_crc, 4);
		elf_builder_section(
			builder, &(struct elf_section){.name = ".gnu_debuglink",
						       .bytes = link,
						       .size = n + 4});
	}
	if (recipe->symbol[0]) {
		const struct elf_symbol symbol = {
			recipe->symbol, 0x1000, 0x10, STB_LOCAL, STT_FUNC, 1};

		elf_builder_symbols(builder, SHT_SYMTAB, 0, &symbol, 1);
	}
	char *bytes = elf_builder_finish(builder, size);
	elf_builder_free(builder);
	return bytes;
}

/* Writes the file of RECIPE to NAME below the directory; returns its CRC. */
static uint32_t
write_file(const char *name, const struct recipe *recipe)
{
	size_t size;
	char *bytes = build(recipe, &size);
	uint32_t crc = (uint32_t)bfd_calc_gnu_debuglink_crc32(
		0, (unsigned char *)bytes, size);

	elf_write(below(name), bytes, size);
	free(bytes);
	return crc;
}

/* What a path leads to that has this in it is not asked for. */
static const char *silent;

static bool
is_silent(void *arg, const char *name)
{
	return !arg && silent && strstr(name, silent);
}

/* The debug file that is found for /program, below the directory, which FD has;
 * "" if none.  WARNING is cleared or filled. */
static const char *
find_of(int fd, char *warning)
{
	static char found[PATH_MAX];
	struct prf_names names = {0};
	struct prf_debugfile debugfile;
	struct prf_object object;
	char program[PATH_MAX];

	strcpy(program, below("/program"));
	found[0] = '\0';
	ck_assert_int_eq(prf_object_open_fd(&object, fd, program, NULL), 0);
	const struct prf_debug_way way = {.may_be_silent = is_silent};
	if (prf_debugfile_open(&debugfile, &object, dir, &way, &names)) {
		strcpy(found, debugfile.path + strlen(dir));
		prf_debugfile_close(&debugfile);
	}
	strcpy(warning, object.warning.text);
	prf_object_close(&object);
	prf_names_free(&names);
	return found;
}

static const char *
find(char *warning)
{
	PRF_AUTO(prf_auto_close)
	int fd = open(below("/program"), O_RDONLY | O_CLOEXEC);

	return find_of(fd, warning);
}

static char warning[sizeof(((struct prf_error *)0)->text)];

START_TEST(a_debug_file_is_found_by_build_id)
{
	mkdir(below("/.build-id"), 0755);
	mkdir(below("/.build-id/61"), 0755);
	write_file("/program", &(struct recipe){"abcd", "", 0, "", 0});
	ck_assert_str_eq(find(warning), "");
	write_file("/.build-id/61/626364.debug",
		   &(struct recipe){"abcd", "", 0, "f", 0});
	ck_assert_str_eq(find(warning), "/.build-id/61/626364.debug");
	ck_assert_str_eq(warning, "");
}
END_TEST

START_TEST(another_builds_debug_file_is_a_warning)
{
	mkdir(below("/.build-id"), 0755);
	mkdir(below("/.build-id/61"), 0755);
	write_file("/program", &(struct recipe){"abcd", "", 0, "", 0});
	write_file("/.build-id/61/626364.debug",
		   &(struct recipe){"abcx", "", 0, "f", 0});
	ck_assert_str_eq(find(warning), "");
	ck_assert_ptr_nonnull(strstr(warning, "another build"));
}
END_TEST

START_TEST(what_may_not_answer_is_not_opened)
{
	mkdir(below("/.debug"), 0755);
	uint32_t crc = write_file("/.debug/p.dbg",
				  &(struct recipe){"", "", 0, "f", 0});
	write_file("/program", &(struct recipe){"", "p.dbg", crc, "", 0});
	ck_assert_str_eq(find(warning), "/.debug/p.dbg");
	silent = "/.debug";
	ck_assert_str_eq(find(warning), "");
	silent = "/program";
	ck_assert_str_eq(find(warning), "");
	silent = NULL;
}
END_TEST

static const char *const link_places[] = {"/p.dbg", "/.debug/p.dbg"};

START_TEST(a_debug_file_is_found_by_its_link)
{
	mkdir(below("/.debug"), 0755);
	uint32_t crc = write_file(link_places[_i],
				  &(struct recipe){"", "", 0, "f", 0});
	write_file("/program", &(struct recipe){"", "p.dbg", crc, "", 0});
	ck_assert_str_eq(find(warning), link_places[_i]);
}
END_TEST

START_TEST(the_link_of_a_copy_in_memory_is_not_followed)
{
	size_t size;
	uint32_t crc =
		write_file("/p.dbg", &(struct recipe){"", "", 0, "f", 0});
	const struct recipe recipe = {"", "p.dbg", crc, "", 0};
	char *bytes = build(&recipe, &size);
	PRF_AUTO(prf_auto_close) int fd = memfd_create("copy", MFD_CLOEXEC);

	write_file("/program", &recipe);
	ck_assert_int_eq(write(fd, bytes, size), size);
	free(bytes);
	ck_assert_str_eq(find_of(fd, warning), "");
	ck_assert_str_eq(find(warning), "/p.dbg");
}
END_TEST

START_TEST(a_link_leads_below_the_root_too)
{
	char command[3 * PATH_MAX];

	snprintf(command, sizeof command, "mkdir -p '%s%s'", dir, dir);
	ck_assert_int_eq(system(command), 0);
	char *name = strdup(dir);
	name = realloc(name, strlen(name) + 16);
	strcat(name, "/p.dbg");
	uint32_t crc = write_file(name, &(struct recipe){"", "", 0, "f", 0});
	write_file("/program", &(struct recipe){"", "p.dbg", crc, "", 0});
	ck_assert_str_eq(find(warning), name);
	free(name);
}
END_TEST

START_TEST(a_link_to_next_to_nothing_is_not_read)
{
	const off_t large = 65 << 20;
	const char *name = below("/p.dbg");
	uint32_t crc =
		write_file("/p.dbg", &(struct recipe){"", "", 0, "f", 0});
	struct stat st;

	ck_assert_int_eq(stat(name, &st), 0);
	PRF_AUTO(prf_auto_free)
	unsigned char *zeros = calloc(1, (size_t)(large - st.st_size));
	crc = (uint32_t)bfd_calc_gnu_debuglink_crc32(
		crc, zeros, (bfd_size_type)(large - st.st_size));
	ck_assert_int_eq(truncate(below("/p.dbg"), large), 0);
	write_file("/program", &(struct recipe){"", "p.dbg", crc, "", 0});
	ck_assert_str_eq(find(warning), "");
	ck_assert_ptr_nonnull(strstr(warning, "another build"));
}
END_TEST

START_TEST(a_link_with_another_checksum_is_a_warning)
{
	uint32_t crc =
		write_file("/p.dbg", &(struct recipe){"", "", 0, "f", 0});
	write_file("/program", &(struct recipe){"", "p.dbg", crc ^ 1, "", 0});
	ck_assert_str_eq(find(warning), "");
	ck_assert_ptr_nonnull(strstr(warning, "another build"));
}
END_TEST

START_TEST(another_machines_file_is_not_taken)
{
	uint32_t crc =
		write_file("/p.dbg", &(struct recipe){"", "", 0, "f", 2});
	write_file("/program", &(struct recipe){"", "p.dbg", crc, "", 0});
	ck_assert_str_eq(find(warning), "");
}
END_TEST

START_TEST(a_link_to_itself_leads_nowhere)
{
	write_file("/program", &(struct recipe){"", "program", 0, "", 0});
	ck_assert_str_eq(find(warning), "");
	ck_assert_str_eq(warning, "");
}
END_TEST

START_TEST(a_link_does_not_lead_to_another_folder)
{
	mkdir(below("/sub"), 0755);
	uint32_t crc =
		write_file("/sub/p.dbg", &(struct recipe){"", "", 0, "f", 0});
	write_file("/program", &(struct recipe){"", "sub/p.dbg", crc, "", 0});
	ck_assert_str_eq(find(warning), "");
}
END_TEST

START_TEST(what_is_no_file_does_not_stop_us)
{
	write_file("/program", &(struct recipe){"", "p.dbg", 0, "", 0});
	ck_assert_int_eq(mkfifo(below("/p.dbg"), 0644), 0);
	ck_assert_str_eq(find(warning), "");
}
END_TEST

START_TEST(an_image_has_the_names_of_its_debug_file)
{
	struct prf_image *image = NULL;
	size_t n;
	uint32_t crc =
		write_file("/p.dbg", &(struct recipe){"", "", 0, "hidden", 0});

	write_file("/program", &(struct recipe){"", "p.dbg", crc, "", 0});
	ck_assert_int_eq(prf_image_open(below("/program"), &image, NULL), 0);
	ck_assert_str_eq(prf_image_texts(image, &n)[0].name, "hidden");
	ck_assert_str_eq(prf_image_info(image)->names_from, below("/p.dbg"));
	prf_image_close(image);
}
END_TEST

START_TEST(an_image_with_symbols_asks_no_debug_file)
{
	struct prf_image *image = NULL;
	size_t n;
	uint32_t crc =
		write_file("/p.dbg", &(struct recipe){"", "", 0, "hidden", 0});

	write_file("/program", &(struct recipe){"", "p.dbg", crc, "own", 0});
	ck_assert_int_eq(prf_image_open(below("/program"), &image, NULL), 0);
	ck_assert_str_eq(prf_image_texts(image, &n)[0].name, "own");
	ck_assert_str_eq(prf_image_info(image)->names_from, ".symtab");
	prf_image_close(image);
}
END_TEST

START_TEST(the_build_id_is_the_images)
{
	struct prf_image *image = NULL;

	write_file("/program", &(struct recipe){"abcd", "", 0, "f", 0});
	ck_assert_int_eq(prf_image_open(below("/program"), &image, NULL), 0);
	const struct prf_image_info *info = prf_image_info(image);
	ck_assert_uint_eq(info->build_id_size, 4);
	ck_assert_mem_eq(info->build_id, "abcd", 4);
	prf_image_close(image);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("debugfile");
	TCase *tcase = tcase_create("debugfile");

	tcase_add_checked_fixture(tcase, make_dir, remove_dir);
	tcase_add_test(tcase, a_debug_file_is_found_by_build_id);
	tcase_add_test(tcase, another_builds_debug_file_is_a_warning);
	tcase_add_test(tcase, what_may_not_answer_is_not_opened);
	tcase_add_loop_test(tcase, a_debug_file_is_found_by_its_link, 0, 2);
	tcase_add_test(tcase, the_link_of_a_copy_in_memory_is_not_followed);
	tcase_add_test(tcase, a_link_leads_below_the_root_too);
	tcase_add_test(tcase, a_link_to_next_to_nothing_is_not_read);
	tcase_add_test(tcase, a_link_with_another_checksum_is_a_warning);
	tcase_add_test(tcase, another_machines_file_is_not_taken);
	tcase_add_test(tcase, a_link_to_itself_leads_nowhere);
	tcase_add_test(tcase, a_link_does_not_lead_to_another_folder);
	tcase_add_test(tcase, what_is_no_file_does_not_stop_us);
	tcase_add_test(tcase, an_image_has_the_names_of_its_debug_file);
	tcase_add_test(tcase, an_image_with_symbols_asks_no_debug_file);
	tcase_add_test(tcase, the_build_id_is_the_images);
	suite_add_tcase(suite, tcase);
	TCase *on_tmpfs = tcase_create("tmpfs");
	tcase_add_checked_fixture(on_tmpfs, make_dir_on_tmpfs, remove_dir);
	tcase_add_loop_test(on_tmpfs, a_debug_file_is_found_by_its_link, 0, 2);
	suite_add_tcase(suite, on_tmpfs);
	return suite;
}
