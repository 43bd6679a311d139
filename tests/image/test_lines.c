#include "image/lines.h"
#include "image/debug_info.h"
#include "image/image.h"
#include "support/suite.h"

#include <elfutils/version.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- What is asked for: its lines are told by number. */

static int line_of_inlined, line_of_call;

static inline __attribute__((always_inline)) void *
from_where(void)
{
	line_of_inlined = __LINE__ + 1;
	return __builtin_return_address(0);
}

static __attribute__((noinline)) void *
outer_function(void)
{
	line_of_call = __LINE__ + 1;
	void *pc = from_where();

	__asm__ volatile("" : : "r"(pc) : "memory");
	return pc;
}

static int
note_bias(struct dl_phdr_info *object, size_t size, void *bias)
{
	(void)size;
	*(uint64_t *)bias = object->dlpi_addr;
	return 1; /* the program is the first */
}

static uint64_t
vaddr_of(const void *pc)
{
	uint64_t bias = 0;

	dl_iterate_phdr(note_bias, &bias);
	return (uintptr_t)pc - bias;
}

/* Of the file at FD, which is closed. */
static struct prf_lines *
open_by(int fd, const struct prf_debug_way *way)
{
	struct prf_lines *lines;
	struct prf_error err = {0};

	ck_assert_msg(prf_lines_open_fd(fd, "test_lines", way, &lines, &err) ==
			      0,
		      "%s", err.text);
	close(fd);
	return lines;
}

static struct prf_lines *
open_own(void)
{
	return open_by(open("/proc/self/exe", O_RDONLY | O_CLOEXEC), NULL);
}

static bool
ends_in(const char *text, const char *end)
{
	size_t n_text = strlen(text), n_end = strlen(end);

	return n_text >= n_end && !strcmp(text + n_text - n_end, end);
}

/* Some instruction of outer_function() is of the inlined one. */
START_TEST(a_line_and_what_was_inlined_are_found)
{
	struct prf_lines *lines = open_own();
	const struct prf_line *line;
	size_t n = 0;

	outer_function();
	ck_assert(prf_lines_are_known(lines));
	uint64_t vaddr = vaddr_of((void *)(uintptr_t)outer_function);
	for (int i = 0; i < 200 && n < 2; i++)
		n = prf_lines_at(lines, vaddr++, &line);
	ck_assert_uint_eq(n, 2);
	ck_assert_str_eq(line[0].function, "from_where");
	ck_assert_uint_le(line[0].line, (unsigned)line_of_inlined + 1);
	ck_assert_uint_ge(line[0].line, (unsigned)line_of_inlined - 3);
	ck_assert(ends_in(line[0].file, "tests/image/test_lines.c"));
	ck_assert_ptr_nonnull(line[0].directory);
	ck_assert_str_eq(line[1].function, "outer_function");
	ck_assert_uint_eq(line[1].line, (unsigned)line_of_call);
	ck_assert(ends_in(line[1].file, "tests/image/test_lines.c"));
	prf_lines_close(lines);
}
END_TEST

START_TEST(only_what_is_asked_for_is_read)
{
	struct prf_lines *lines = open_own();
	const struct prf_line *line;

	ck_assert_uint_eq(prf_lines_stats(lines).n_units, 0);
	uint64_t vaddr = vaddr_of((void *)(uintptr_t)prf_suite);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_ge(prf_lines_at(lines, vaddr + i, &line), 1);
	struct prf_lines_stats stats = prf_lines_stats(lines);
	ck_assert_uint_ge(stats.n_units, 2);
	ck_assert_uint_eq(stats.n_read, 1);
	ck_assert_uint_gt(stats.n_rows, 0);
	ck_assert_uint_eq(prf_lines_at(lines, 0, &line), 0);
	ck_assert_uint_eq(prf_lines_at(lines, UINT64_MAX, &line), 0);
	prf_lines_close(lines);
}
END_TEST

/* --- Files that have none, or are damaged */

/* This program's file, in memory that may be changed. */
static uint8_t *
own_bytes(size_t *size)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;

	ck_assert_int_eq(fstat(fd, &st), 0);
	*size = (size_t)st.st_size;
	uint8_t *bytes =
		mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	ck_assert(bytes != MAP_FAILED);
	close(fd);
	return bytes;
}

/* The sections of debug information, from the first to the last. */
static void
find_debug_bytes(const uint8_t *bytes, size_t size, size_t *lo, size_t *hi)
{
	const ElfW(Ehdr) *ehdr = (const void *)bytes;
	const ElfW(Shdr) *sections = (const void *)(bytes + ehdr->e_shoff);
	const char *names =
		(const char *)bytes + sections[ehdr->e_shstrndx].sh_offset;

	*lo = size;
	*hi = 0;
	for (size_t i = 0; i < ehdr->e_shnum; i++) {
		const ElfW(Shdr) *section = &sections[i];

		if (strncmp(names + section->sh_name, ".debug_", 7) != 0)
			continue;
		if (section->sh_offset < *lo)
			*lo = section->sh_offset;
		if (section->sh_offset + section->sh_size > *hi)
			*hi = section->sh_offset + section->sh_size;
	}
}

/* Asks for lines all over; the answers are of the kind they have to be. */
static void
ask_everywhere(const uint8_t *bytes, size_t size)
{
	struct prf_lines *lines;
	struct prf_error err = {0};

	if (prf_lines_open_memory(bytes, size, "damaged", &lines, &err) != 0) {
		ck_assert_int_lt(err.code, 0);
		return;
	}
	for (uint64_t vaddr = 0; vaddr < size; vaddr += 61) {
		const struct prf_line *line;
		size_t n = prf_lines_at(lines, vaddr, &line);

		ck_assert_uint_le(n, 250);
		for (size_t i = 0; i < n; i++)
			ck_assert(!line[i].file || strlen(line[i].file) < size);
	}
	prf_lines_close(lines);
}

START_TEST(damage_does_no_harm)
{
	size_t size, lo, hi;
	uint8_t *bytes = own_bytes(&size);

	find_debug_bytes(bytes, size, &lo, &hi);
	ck_assert_uint_lt(lo, hi);
	srandom((unsigned)_i + 1);
	for (int n = 1 << (_i % 10); n > 0; n--)
		bytes[lo + (size_t)random() % (hi - lo)] = (uint8_t)random();
	ask_everywhere(bytes, size);
	munmap(bytes, size);
}
END_TEST

START_TEST(a_file_may_end_anywhere)
{
	size_t size;
	uint8_t *bytes = own_bytes(&size);

	ask_everywhere(bytes, size * (size_t)_i / 20);
	munmap(bytes, size);
}
END_TEST

START_TEST(what_is_no_elf_file_is_refused)
{
	struct prf_lines *lines;
	struct prf_error err = {0};
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	ck_assert_int_eq(prf_lines_open_fd(fd, "null", NULL, &lines, &err),
			 -ENOEXEC);
	ck_assert_ptr_nonnull(strstr(err.text, "null"));
	ck_assert_int_eq(prf_lines_open_memory("text", 4, "text", &lines, &err),
			 -ENOEXEC);
	close(fd);
	prf_lines_close(NULL);
}
END_TEST

/* As strip(1) leaves it: no section is called .debug_info. */
START_TEST(a_file_without_debug_information_has_no_lines)
{
	const struct prf_line *line;
	struct prf_lines *lines;
	struct prf_error err = {0};
	size_t size;
	uint8_t *bytes = own_bytes(&size);
	uint8_t *name = memmem(bytes, size, ".debug_info", 12);

	ck_assert_ptr_nonnull(name);
	for (; name; name = memmem(bytes, size, ".debug_info", 12))
		memcpy(name, ".nobody_has", 11);
	ck_assert_int_eq(
		prf_lines_open_memory(bytes, size, "stripped", &lines, &err),
		0);
	ck_assert(!prf_lines_are_known(lines));
	ck_assert_ptr_null(prf_lines_warning(lines));
	for (uint64_t vaddr = 0; vaddr < size; vaddr += 997)
		ck_assert_uint_eq(prf_lines_at(lines, vaddr, &line), 0);
	prf_lines_close(lines);
	munmap(bytes, size);
}
END_TEST

/* This program with packed debug information; returns a descriptor. */
static int
open_packed(void)
{
	char name[] = "/tmp/test_lines.XXXXXX", command[128];
	int fd = mkstemp(name);

	ck_assert_int_ge(fd, 0);
	close(fd);
	snprintf(command, sizeof command,
		 "objcopy --compress-debug-sections=zlib /proc/%d/exe %s",
		 (int)getpid(), name);
	ck_assert_int_eq(system(command), 0);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	unlink(name);
	return fd;
}

/* Are there lines in the file at FD, if no more than UNPACK_MAX is unpacked? */
static bool
are_known_within(int fd, uint64_t unpack_max)
{
	const struct prf_debug_way way = {.unpack_max = unpack_max};
	struct prf_lines *lines = open_by(fd, &way);
	bool are_known = prf_lines_are_known(lines);

	ck_assert_ptr_null(prf_lines_warning(lines));
	prf_lines_close(lines);
	return are_known;
}

START_TEST(no_more_is_unpacked_than_is_allowed)
{
	ck_assert(are_known_within(open_packed(), UINT64_MAX));
	ck_assert(are_known_within(open_packed(), 1 << 28));
	ck_assert(!are_known_within(open_packed(), 1 << 8));
	ck_assert(!are_known_within(open_packed(), 0));
}
END_TEST

/* What is not packed costs nothing to begin with. */
START_TEST(what_is_not_packed_is_read_at_any_limit)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	ck_assert(are_known_within(fd, 0));
}
END_TEST

/* A list of millions of ranges, all of them outside of the text, adds nothing, and
 * each entry of a hostile file can have it. */
START_TEST(small_steps_end_when_the_time_is_up)
{
	struct prf_debug_info info = {0};

	prf_debug_info_start_clock(&info);
	for (int i = 0; i < 3000; i++)
		ck_assert(!prf_debug_info_steps_late(&info));
	info.used_ns = UINT64_MAX / 2;
	int n = 1;
	while (!prf_debug_info_steps_late(&info))
		n++;
	ck_assert_int_le(n, 1024);
}
END_TEST

/* --- Programs that a compiler makes */

/* What makes x, and x.dwo with half of its debug information; its sources are said
 * to be in d. */
#define MAKE_SPLIT                                                             \
	"mkdir d && echo \"int v$(printf %0900d 1); "                          \
	"int main(void) { return 0; }\" >x.c && "                              \
	"$CC -g -gsplit-dwarf -ffile-prefix-map=$PWD=d -c x.c -o x.o && "      \
	"$CC -o x x.o && test -f x.dwo && "

/* What line_of_main() was warned of; "": of nothing. */
static char warned[300];

/* Looks at all lines of the program x that SCRIPT makes in a new directory.
 * Returns the lowest one in main(); 0: none is; -1: this machine cannot make
 * it. */
static int
line_of_main(const char *script, const struct prf_debug_way *way)
{
	char dir[] = "/tmp/test_lines.XXXXXX", command[2048];
	const struct prf_line *line;
	int lowest = -1;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(command, sizeof command,
		 "cd %s && exec >said 2>&1 && : ${CC:=gcc} && %s", dir, script);
	if (system(command) == 0) {
		snprintf(command, sizeof command, "%s/x", dir);
		struct prf_lines *lines =
			open_by(open(command, O_RDONLY | O_CLOEXEC), way);

		lowest = 0;
		for (uint64_t vaddr = 0; vaddr < 0x8000; vaddr += 2)
			if (prf_lines_at(lines, vaddr, &line) > 0 &&
			    line->function &&
			    strcmp(line->function, "main") == 0 &&
			    (lowest == 0 || (int)line->line < lowest))
				lowest = (int)line->line;
		const char *warning = prf_lines_warning(lines);
		snprintf(warned, sizeof warned, "%s", warning ? warning : "");
		prf_lines_close(lines);
	}
	snprintf(command, sizeof command, "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
	return lowest;
}

/* The large function, which nobody calls, is thrown away; its lines are told of at
 * 0, and go as far as the text. */
START_TEST(what_the_linker_throws_away_has_no_lines)
{
	static const char script[] =
		"{ echo 'void unused(volatile int *n); "
		"void unused(volatile int *n) {'; "
		"i=0; while [ $i -lt 3000 ]; do echo '*n = 1;'; i=$((i+1)); "
		"done; echo '}'; echo '#line 90000'; "
		"echo 'int main(void) { return 0; }'; } >x.c && "
		"$CC -g -O -fPIE -pie -ffunction-sections -Wl,--gc-sections "
		"-o x x.c && ! nm x | grep unused";

	int line = line_of_main(script, NULL);

	ck_assert(line == -1 || line >= 90000);
}
END_TEST

START_TEST(the_other_half_of_a_unit_is_found)
{
	ck_assert_int_ne(line_of_main(MAKE_SPLIT "mv x.dwo d", NULL), 0);
}
END_TEST

static bool
is_in_d(void *arg, const char *path)
{
	(void)arg;
	return strstr(path, "/d/x.dwo");
}

START_TEST(the_other_half_of_a_unit_is_not_opened_where_it_may_be_silent)
{
	const struct prf_debug_way way = {.unpack_max = UINT64_MAX,
					  .may_be_silent = is_in_d};
	int line = line_of_main(MAKE_SPLIT "mv x.dwo d", &way);

	ck_assert_int_le(line, 0);
	ck_assert(line < 0 || strstr(warned, "cannot be used"));
}
END_TEST

static bool
is_program(void *arg, const char *path)
{
	(void)arg;
	return strcmp(strrchr(path, '/'), "/x") == 0;
}

/* libdw asks for the path of the file that it reads. */
START_TEST(what_may_be_silent_at_its_path_by_now_is_not_read)
{
	static const char script[] =
		"echo 'int main(void) { return 0; }' >x.c && $CC -g -o x x.c";
	const struct prf_debug_way way = {.unpack_max = UINT64_MAX,
					  .may_be_silent = is_program};

	ck_assert_int_ne(line_of_main(script, NULL), 0);
	ck_assert_int_le(line_of_main(script, &way), 0);
}
END_TEST

START_TEST(it_is_said_where_the_other_half_is_not_found)
{
	static const struct {
		const char *script, *said;
	} rows[] = {
		{MAKE_SPLIT "true", ""},
		{MAKE_SPLIT "rm x.dwo",
		 "test_lines: x.dwo, which tells what is "
		 "inlined, is not found"},
		{MAKE_SPLIT "mv x.dwo x.dwp",
		 _ELFUTILS_PREREQ(0, 191)
			 ? "test_lines: x.dwo, which tells what is inlined, is "
			   "not found, nor in its .dwp"
			 : "test_lines: x.dwo, which tells what is inlined, is "
			   "not found, and its .dwp is not read: that needs "
			   "elfutils 0.191"},
		/* A package.  (dwp(1) of binutils 2.40 wants DWARF 4.) */
		{"echo 'int main(void) { return 0; }' >x.c && "
		 "$CC -g -gdwarf-4 -gsplit-dwarf -o x x.c && "
		 "dwp -e x -o x.dwp && rm ./*.dwo",
		 _ELFUTILS_PREREQ(0, 191) ? "" : "and its .dwp is not read"},
	};

	if (line_of_main(rows[_i].script, NULL) == -1)
		return;
	ck_assert_msg(strstr(warned, rows[_i].said) != NULL &&
			      !*rows[_i].said == !*warned,
		      "%s", warned);
}
END_TEST

START_TEST(a_fifo_in_the_place_of_the_other_half_does_not_wait)
{
	static const struct {
		const char *script;
		bool is_needed;
	} rows[] = {
		{MAKE_SPLIT "rm x.dwo && mkfifo x.dwo", true},
		{MAKE_SPLIT "rm x.dwo && mkfifo d/x.dwo", true},
		{MAKE_SPLIT "mkfifo x.dwp", _ELFUTILS_PREREQ(0, 191)},
	};
	int line = line_of_main(rows[_i].script, NULL);

	ck_assert(line <= 0 || !rows[_i].is_needed);
}
END_TEST

START_TEST(of_the_other_half_no_more_is_unpacked_than_is_allowed)
{
	static const char packed[] = MAKE_SPLIT
		"$CC -gz -g -gsplit-dwarf -c x.c -o x.o && $CC -o x x.o && "
		"readelf -W -S x.dwo | grep ' CE '";

	ck_assert_int_ne(
		line_of_main(packed,
			     &(struct prf_debug_way){.unpack_max = 1 << 28}),
		0);
	ck_assert_int_le(line_of_main(packed, &(struct prf_debug_way){0}), 0);
}
END_TEST

/* libdw reads the whole table to know its files. */
START_TEST(the_other_half_of_a_unit_has_no_endless_line_table)
{
#define WITH_TABLE(n)                                                          \
	MAKE_SPLIT                                                             \
	"head -c " #n " /dev/zero >z && readelf -W -S x.dwo >s && "            \
	"if grep -q ' .debug_line.dwo ' s; then a=--update-section; "          \
	"else a=--add-section; fi && objcopy $a .debug_line.dwo=z x.dwo"

	ck_assert_int_ne(line_of_main(WITH_TABLE(1000), NULL), 0);
	ck_assert_int_le(line_of_main(WITH_TABLE(17000000), NULL), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("lines");
	TCase *tests = tcase_create("lines");

	tcase_add_test(tests, a_line_and_what_was_inlined_are_found);
	tcase_add_test(tests, only_what_is_asked_for_is_read);
	tcase_add_loop_test(tests, damage_does_no_harm, 0, 60);
	tcase_add_loop_test(tests, a_file_may_end_anywhere, 0, 20);
	tcase_add_test(tests, what_is_no_elf_file_is_refused);
	tcase_add_test(tests, a_file_without_debug_information_has_no_lines);
	tcase_add_test(tests, no_more_is_unpacked_than_is_allowed);
	tcase_add_test(tests, what_is_not_packed_is_read_at_any_limit);
	tcase_add_test(tests, small_steps_end_when_the_time_is_up);
	tcase_add_test(tests, what_the_linker_throws_away_has_no_lines);
	tcase_add_test(tests, the_other_half_of_a_unit_is_found);
	tcase_add_test(
		tests,
		the_other_half_of_a_unit_is_not_opened_where_it_may_be_silent);
	tcase_add_test(tests,
		       what_may_be_silent_at_its_path_by_now_is_not_read);
	tcase_add_loop_test(tests, it_is_said_where_the_other_half_is_not_found,
			    0, 4);
	tcase_add_loop_test(tests,
			    a_fifo_in_the_place_of_the_other_half_does_not_wait,
			    0, 3);
	tcase_add_test(tests,
		       of_the_other_half_no_more_is_unpacked_than_is_allowed);
	tcase_add_test(tests,
		       the_other_half_of_a_unit_has_no_endless_line_table);
	suite_add_tcase(suite, tests);
	return suite;
}
