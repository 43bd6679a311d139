#include "image/buildid.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/event_log.h"
#include "core/scope.h"
#include "support/elf_builder.h"
#include "support/suite.h"

static const char id[4] = {1, 0, (char)0xff, 4};

/* The files of a test, by their inodes 1, 2 and 3: with a build-id, without,
 * and no ELF file; one that cannot be opened; all others are without. */
enum { GONE = 4 };

static int
make_file(uint64_t inode)
{
	const struct elf_symbol symbols[] = {{.name = "f", .size = 8}};
	char note[20] = {4, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U'};
	struct elf_builder *builder = elf_builder_new(&elf_kinds[0]);
	int fd = memfd_create("test", MFD_CLOEXEC);
	size_t size;

	memcpy(note + 16, id, sizeof id);
	elf_builder_symbols(builder, SHT_SYMTAB, 0, symbols, 1);
	if (inode == 1)
		elf_builder_section(
			builder,
			&(struct elf_section){.name = ".note.gnu.build-id",
					      .type = SHT_NOTE,
					      .flags = SHF_ALLOC,
					      .bytes = note,
					      .size = sizeof note});
	char *bytes = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	if (inode == 3)
		memset(bytes, 'x', 4);
	ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
	free(bytes);
	return fd;
}

static unsigned n_opened;
static const char no_path[] = "/x";

static int
find_id(void *arg, const struct prf_mapping *map, struct stat *st,
	uint8_t bytes[PRF_BUILDID_MAX_BYTES])
{
	ck_assert_ptr_eq(arg, &n_opened);
	n_opened++;
	PRF_AUTO(prf_auto_close)
	int fd = map->path != no_path ? open(map->path, O_RDONLY | O_CLOEXEC)
		 : map->inode != GONE ? make_file(map->inode)
				      : -1;
	if (fd < 0)
		return fd;
	ck_assert_int_eq(fstat(fd, st), 0);
	return prf_buildid_read(fd, bytes);
}

static int
stat_path(void *arg, const struct prf_mapping *map, struct stat *st)
{
	ck_assert_ptr_eq(arg, &n_opened);
	return stat(map->path, st);
}

START_TEST(the_build_id_of_a_file_is_found)
{
	uint8_t bytes[PRF_BUILDID_MAX_BYTES];
	int fd = make_file((uint64_t)_i);

	ck_assert_uint_eq(prf_buildid_read(fd, bytes), _i == 1 ? 4 : 0);
	if (_i == 1)
		ck_assert_mem_eq(bytes, id, sizeof id);
	close(fd);
}
END_TEST

static struct event_log log_;
static struct prf_sink *sink;

static void
begin(void)
{
	const struct prf_buildid_way way = {find_id, stat_path, &n_opened};
	struct prf_error err;

	event_log_begin(&log_);
	n_opened = 0;
	ck_assert_int_eq(prf_buildid_sink_new(&log_.base, &way, &sink, &err),
			 0);
}

static void
end(void)
{
	sink->ops->free(sink);
	event_log_end(&log_);
}

static void
give_mapping(enum prf_mapping_kind kind, uint64_t inode, uint8_t n_bytes)
{
	const struct prf_mapping map = {
		.kind = kind,
		.size = 1,
		.inode = inode,
		.path = no_path,
		.build_id = (const uint8_t *)"\xaa\xbb",
		.build_id_bytes = n_bytes,
	};

	ck_assert_int_eq(sink->ops->mapping(sink, &map), 0);
}

START_TEST(mappings_of_files_get_a_build_id_and_no_others)
{
	begin();
	give_mapping(PRF_MAPPING_FILE, 1, 0);
	give_mapping(PRF_MAPPING_FILE, 2, 0);
	give_mapping(PRF_MAPPING_FILE, 3, 0);
	give_mapping(PRF_MAPPING_FILE, 4, 0);
	give_mapping(PRF_MAPPING_FILE, 1, 2);
	give_mapping(PRF_MAPPING_ANON, 1, 0);
	ck_assert_str_eq(log_.text, "mapping 0 0 0 0 1 0 0 1 0 /x|0100ff04\n"
				    "mapping 0 0 0 0 1 0 0 2 0 /x|\n"
				    "mapping 0 0 0 0 1 0 0 3 0 /x|\n"
				    "mapping 0 0 0 0 1 0 0 4 0 /x|\n"
				    "mapping 0 0 0 0 1 0 0 1 0 /x|aabb\n"
				    "mapping 1 0 0 0 1 0 0 1 0 /x|\n");
	end();
}
END_TEST

START_TEST(the_vdso_of_our_class_gets_ours)
{
	uint8_t bytes[PRF_BUILDID_MAX_BYTES];
	uint8_t n_bytes = prf_buildid_of_vdso(bytes);
	struct prf_mapping map = {
		.kind = PRF_MAPPING_VDSO, .size = 0x2000, .path = ""};

	begin();
	map.addr = 0xf7f00000;
	ck_assert_int_eq(sink->ops->mapping(sink, &map), 0);
	ck_assert_str_eq(log_.text, "mapping 2 0 0 f7f00000 2000 0 0 0 0 |\n");
	if (sizeof(void *) == 8 && n_bytes > 0) {
		size_t before = log_.n_bytes;

		map.addr = 0x7ffff7f00000;
		ck_assert_int_eq(sink->ops->mapping(sink, &map), 0);
		/* Two digits a byte, and the newline. */
		ck_assert_uint_eq(
			log_.n_bytes - before,
			strlen("mapping 2 0 0 7ffff7f00000 2000 0 0 0 0 |") +
				2 * n_bytes + 1);
	}
	end();
}
END_TEST

START_TEST(each_file_is_read_once)
{
	begin();
	for (int round = 0; round < 3; round++)
		for (uint64_t inode = 1; inode <= 100; inode++)
			if (inode != GONE)
				give_mapping(PRF_MAPPING_FILE, inode, 0);
	ck_assert_uint_eq(n_opened, 99);
	end();
}
END_TEST

/* Writes the file with a build-id, whose last byte is LAST, and MORE zeros to PATH,
 * in place. */
static void
write_again(const char *path, char last, off_t more)
{
	PRF_AUTO(prf_auto_close) int from = make_file(1);
	char bytes[8192];
	ssize_t n = pread(from, bytes, sizeof bytes, 0);
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	char *found = memmem(bytes, (size_t)n, id, sizeof id);

	ck_assert_ptr_nonnull(found);
	found[3] = last;
	ck_assert_int_eq(write(fd, bytes, (size_t)n), n);
	ck_assert_int_eq(ftruncate(fd, n + more), 0);
	close(fd);
}

START_TEST(a_file_that_was_written_again_is_read_again)
{
	char path[] = "/tmp/test_buildid.XXXXXX", want[512];
	int fd = mkstemp(path);
	struct stat st;

	begin();
	ck_assert_int_eq(fstat(fd, &st), 0);
	close(fd);
	const struct prf_mapping map = {.kind = PRF_MAPPING_FILE,
					.size = 1,
					.inode = st.st_ino,
					.path = path};
	for (char last = 5; last < 7; last++) {
		write_again(path, last, last);
		for (int i = 0; i < 2; i++)
			ck_assert_int_eq(sink->ops->mapping(sink, &map), 0);
	}
	ck_assert_uint_eq(n_opened, 2);
	unlink(path);
	ck_assert_int_eq(sink->ops->mapping(sink, &map), 0);
	size_t n = 0;
	for (char last = 5; last < 7; last++)
		for (int i = 0; i < last - 3; i++)
			n += (size_t)snprintf(
				want + n, sizeof want - n,
				"mapping 0 0 0 0 1 0 0 %ju 0 %s|0100ff%02x\n",
				(uintmax_t)st.st_ino, path, last);
	ck_assert_str_eq(log_.text, want);
	end();
}
END_TEST

static void
give(const struct prf_mapping *map)
{
	ck_assert_int_eq(sink->ops->mapping(sink, map), 0);
}

/* As when there were no descriptors; or a file that was gone has left its number
 * to another. */
START_TEST(a_file_that_could_not_be_opened_is_tried_again)
{
	char path[] = "/tmp/test_buildid.XXXXXX", want[256];
	struct prf_mapping map = {.kind = PRF_MAPPING_FILE,
				  .size = 1,
				  .inode = 7,
				  .path = "/nowhere/at/all"};
	int fd = mkstemp(path);

	close(fd);
	begin();
	give(&map);
	write_again(path, 5, 0);
	map.path = path;
	give(&map);
	give(&map);
	unlink(path);
	give(&map);
	ck_assert_uint_eq(n_opened, 2);
	size_t n = (size_t)snprintf(
		want, sizeof want,
		"mapping 0 0 0 0 1 0 0 7 0 /nowhere/at/all|\n");
	for (int i = 0; i < 3; i++)
		n += (size_t)snprintf(want + n, sizeof want - n,
				      "mapping 0 0 0 0 1 0 0 7 0 %s|0100ff05\n",
				      path);
	ck_assert_str_eq(log_.text, want);
	end();
}
END_TEST

START_TEST(all_other_events_pass_as_they_are)
{
	struct random random = random_begin();
	struct event_log want;
	struct prf_error err;

	begin();
	event_log_begin(&want);
	n_opened = 0;
	event_log_give_run(&random, 1000, 3, &want.base);
	random = random_begin();
	event_log_give_run(&random, 1000, 3, sink);
	event_log_check_same(&log_, &want);
	ck_assert_int_eq(sink->ops->finish(sink, &err), 0);
	end();
	event_log_end(&want);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("buildid");
	TCase *tcase = tcase_create("buildid");

	tcase_add_loop_test(tcase, the_build_id_of_a_file_is_found, 1, 4);
	tcase_add_test(tcase, mappings_of_files_get_a_build_id_and_no_others);
	tcase_add_test(tcase, the_vdso_of_our_class_gets_ours);
	tcase_add_test(tcase, each_file_is_read_once);
	tcase_add_test(tcase, a_file_that_was_written_again_is_read_again);
	tcase_add_test(tcase, a_file_that_could_not_be_opened_is_tried_again);
	tcase_add_test(tcase, all_other_events_pass_as_they_are);
	suite_add_tcase(suite, tcase);
	return suite;
}
