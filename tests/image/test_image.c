#include "image/image.h"
#include "image/maps.h"
#include "support/elf_builder.h"
#include "support/suite.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char file[] = "/tmp/test_image.XXXXXX";

static void
make_file(void)
{
	int fd = mkstemp(file);

	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void
remove_file(void)
{
	unlink(file);
	strcpy(file + strlen(file) - 6, "XXXXXX");
}

static int
open_error(const char *path, struct prf_error *err)
{
	struct prf_image *image = NULL;
	int rc = prf_image_open(path, &image, err);

	ck_assert_int_ne(rc, 0);
	ck_assert_ptr_null(image);
	ck_assert_int_eq(err->code, rc);
	ck_assert_ptr_nonnull(strstr(err->text, path));
	return rc;
}

START_TEST(what_is_not_there_is_said)
{
	struct prf_error err = {0};

	ck_assert_int_eq(open_error("/nonexistent/file", &err), -ENOENT);
	ck_assert_str_eq(err.text,
			 "/nonexistent/file: No such file or directory");
}
END_TEST

START_TEST(what_is_not_elf_is_said)
{
	static const char *const texts[] = {"", "\177EL", "#!/bin/sh\n",
					    "!<arch>\nfoo"};
	struct prf_error err = {0};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		elf_write(file, texts[i], strlen(texts[i]));
		ck_assert_int_eq(open_error(file, &err), -ENOEXEC);
	}
}
END_TEST

START_TEST(what_is_no_file_is_said_at_once)
{
	struct prf_error err = {0};

	ck_assert_int_eq(open_error("/", &err), -ENOEXEC);
	ck_assert_int_eq(open_error("/dev/null", &err), -ENOEXEC);
	unlink(file);
	ck_assert_int_eq(mkfifo(file, 0600), 0);
	ck_assert_int_eq(open_error(file, &err), -ENOEXEC);
}
END_TEST

START_TEST(what_is_not_linked_is_refused)
{
	static const uint16_t types[] = {ET_REL, ET_CORE, ET_NONE};
	const struct elf_kind kind = {ELFCLASS64, ELFDATA2LSB, EM_X86_64,
				      types[_i]};
	struct prf_error err = {0};
	size_t size;
	char *bytes = elf_build_simple(&kind, 16, NULL, 0, &size);

	elf_write(file, bytes, size);
	free(bytes);
	ck_assert_int_eq(open_error(file, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "not a program"));
}
END_TEST

START_TEST(a_broken_header_says_what_is_broken)
{
	static const struct {
		size_t at;
		unsigned char byte;
		const char *says;
	} breaks[] = {
		{EI_CLASS, 9, "class"},
		{EI_DATA, 9, "class, byte order"},
		{offsetof(Elf64_Ehdr, e_phoff) + 3, 0x7f, "program headers"},
		{offsetof(Elf64_Ehdr, e_phnum), 0xff, "255 program headers"},
		{offsetof(Elf64_Ehdr, e_phentsize), 1,
		 "program headers of 1 bytes, not 56"},
	};
	struct prf_error err = {0};
	size_t size;
	char *bytes = elf_build_simple(&elf_kinds[0], 16, NULL, 0, &size);

	bytes[breaks[_i].at] = (char)breaks[_i].byte;
	if (_i == 3) { /* so many would fit into the file */
		Elf64_Ehdr *ehdr = (void *)bytes;

		ehdr->e_phoff = size - 100;
	}
	elf_write(file, bytes, size);
	free(bytes);
	ck_assert_int_eq(open_error(file, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, breaks[_i].says) != NULL, "%s",
		      err.text);
}
END_TEST

START_TEST(an_image_outlives_its_file)
{
	static const struct elf_symbol symbol = {"f",        0x1000,   16,
						 STB_GLOBAL, STT_FUNC, 1};
	struct prf_image *image = NULL;
	size_t size, n;
	char *bytes = elf_build_simple(&elf_kinds[0], 16, &symbol, 1, &size);

	elf_write(file, bytes, size);
	free(bytes);
	ck_assert_int_eq(prf_image_open(file, &image, NULL), 0);
	ck_assert_int_eq(truncate(file, 0), 0);
	ck_assert_str_eq(prf_image_texts(image, &n)[0].name, "f");
	prf_image_close(image);
}
END_TEST

START_TEST(an_open_file_is_read_from_its_start_and_stays_open)
{
	struct prf_image *image = NULL;
	struct stat st;
	size_t size;
	char *bytes = elf_build_simple(&elf_kinds[2], 16, NULL, 0, &size);

	elf_write(file, bytes, size);
	free(bytes);
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	lseek(fd, 5, SEEK_SET);
	ck_assert_int_eq(prf_image_open_fd(fd, "name", NULL, &image, NULL), 0);
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_uint_eq(prf_image_info(image)->inode, st.st_ino);
	ck_assert_uint_eq(prf_image_info(image)->dev, st.st_dev);
	prf_image_close(image);
	close(fd);
	prf_image_close(NULL);
}
END_TEST

/* The text of our own maps. */
static struct prf_maps *
own_maps(void)
{
	static char text[1 << 20];
	FILE *maps_file = fopen("/proc/self/maps", "re");
	struct prf_maps *maps = NULL;

	ck_assert_ptr_nonnull(maps_file);
	size_t size = fread(text, 1, sizeof text, maps_file);
	fclose(maps_file);
	ck_assert_int_eq(prf_maps_parse(text, size, getpid(), &maps, NULL), 0);
	return maps;
}

/* The piece that ADDR, in this process, is in, through maps and bias. */
static struct prf_text
text_of_addr(const void *code, struct prf_image **image)
{
	uint64_t addr = (uint64_t)(uintptr_t)code, bias = 0;
	struct prf_maps *maps = own_maps();
	const struct prf_mapping *map = prf_maps_at(maps, addr);
	struct prf_error err = {0};
	size_t n;

	ck_assert_ptr_nonnull(map);
	ck_assert_msg(prf_image_open(map->path, image, &err) == 0, "%s",
		      err.text);
	ck_assert_ptr_null(prf_image_warning(*image));
	ck_assert_int_eq(prf_image_bias(*image, map->addr, map->size,
					map->file_off, &bias),
			 0);
	size_t i = prf_image_text_at(*image, addr - bias);
	const struct prf_text *texts = prf_image_texts(*image, &n);
	ck_assert_uint_lt(i, n);
	prf_maps_free(maps);
	return texts[i];
}

static __attribute__((noinline)) int
function_of_our_own(void)
{
	return getpid();
}

START_TEST(our_own_function_has_its_name)
{
	struct prf_image *image = NULL;
	struct prf_text text =
		text_of_addr((void *)function_of_our_own, &image);

	ck_assert_int_gt(function_of_our_own(), 0);
	ck_assert_str_eq(text.name, "function_of_our_own");
	ck_assert_int_eq(text.kind, PRF_TEXT_FUNCTION);
	ck_assert_str_eq(prf_image_info(image)->names_from, ".symtab");
	ck_assert_uint_eq(prf_image_info(image)->addr_bytes, sizeof(void *));
	prf_image_close(image);
}
END_TEST

START_TEST(a_function_of_libc_has_its_name)
{
	struct prf_image *image = NULL;
	struct prf_text text = text_of_addr((void *)strtoul, &image);

	/* On a 64-bit machine it is also called strtoull. */
	ck_assert_msg(strstr(text.name, "strtou"), "%s", text.name);
	prf_image_close(image);
}
END_TEST

START_TEST(the_vdso_is_read_from_memory)
{
	struct prf_maps *maps = own_maps();
	size_t n_maps, n, n_functions = 0;
	const struct prf_mapping *all = prf_maps_all(maps, &n_maps);
	struct prf_image *image = NULL;

	for (size_t i = 0; i < n_maps; i++)
		if (all[i].kind == PRF_MAPPING_VDSO)
			ck_assert_int_eq(prf_image_open_memory(
						 (void *)(uintptr_t)all[i].addr,
						 all[i].size, "[vdso]", &image,
						 NULL),
					 0);
	prf_maps_free(maps);
	if (!image)
		return; /* a kernel or a sandbox without one */
	ck_assert_ptr_null(prf_image_warning(image));
	const struct prf_text *texts = prf_image_texts(image, &n);
	for (size_t i = 0; i < n; i++)
		n_functions += texts[i].kind == PRF_TEXT_FUNCTION;
	ck_assert_uint_gt(n_functions, 0);
	prf_image_close(image);
}
END_TEST

/* Large files of any linker and language that a machine may have. */
static const char *const programs[] = {"/usr/bin/node", "/usr/bin/python3",
				       "/usr/bin/gdb", "/bin/sh"};

START_TEST(a_large_program_is_partitioned)
{
	struct prf_image *image = NULL;
	size_t n;
	uint64_t at = 0;

	if (access(programs[_i], R_OK) != 0 ||
	    prf_image_open(programs[_i], &image, NULL) == -ENOEXEC)
		return; /* not there, or a script */
	ck_assert_ptr_nonnull(image);
	const struct prf_text *texts = prf_image_texts(image, &n);
	ck_assert_uint_gt(n, 10);
	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_ge(texts[i].lo, at);
		ck_assert_uint_lt(texts[i].lo, texts[i].hi);
		at = texts[i].hi;
	}
	prf_image_close(image);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("image");
	TCase *tcase = tcase_create("image");

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, make_file, remove_file);
	tcase_add_test(tcase, what_is_not_there_is_said);
	tcase_add_test(tcase, what_is_not_elf_is_said);
	tcase_add_test(tcase, what_is_no_file_is_said_at_once);
	tcase_add_loop_test(tcase, what_is_not_linked_is_refused, 0, 3);
	tcase_add_loop_test(tcase, a_broken_header_says_what_is_broken, 0, 5);
	tcase_add_test(tcase, an_image_outlives_its_file);
	tcase_add_test(tcase,
		       an_open_file_is_read_from_its_start_and_stays_open);
	tcase_add_test(tcase, our_own_function_has_its_name);
	tcase_add_test(tcase, a_function_of_libc_has_its_name);
	tcase_add_test(tcase, the_vdso_is_read_from_memory);
	tcase_add_loop_test(tcase, a_large_program_is_partitioned, 0,
			    (int)(sizeof programs / sizeof *programs));
	suite_add_tcase(suite, tcase);
	return suite;
}
