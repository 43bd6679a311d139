/* libdw as judge: for every row of many functions of real files, and for the
 * bytes behind its first, it says the same. */
#include "image/cfi.h"
#include "image/fdes.h"
#include "support/suite.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So many functions of a file, spread over it. */
enum { FUNCTIONS = 400, PATHS_MAX = 64 };

struct judged {
	const char *path;
	struct prf_cfi *cfi;
	Elf *elf;
	Dwarf_CFI *judge;
	size_t n_rows, n_expressions;
};

/* The rule that libdw has for register REG. */
static struct prf_cfi_rule
judges_rule(Dwarf_Frame *frame, int reg, Dwarf_Op **ops)
{
	static Dwarf_Op memory[3];
	size_t n;
	struct prf_cfi_rule rule = {.how = PRF_CFI_SAME};

	ck_assert_int_eq(dwarf_frame_register(frame, reg, memory, ops, &n), 0);
	if (n == 0) {
		rule.how = *ops ? PRF_CFI_UNDEFINED : PRF_CFI_SAME;
		return rule;
	}
	if (n == 1 && (*ops)[0].atom == DW_OP_regx) {
		rule.how = PRF_CFI_REGISTER;
		rule.other = (uint8_t)(*ops)[0].number;
		return rule;
	}
	bool is_value = (*ops)[n - 1].atom == DW_OP_stack_value;
	n -= is_value;
	if (n == 1 || (n == 2 && (*ops)[1].atom == DW_OP_plus_uconst)) {
		rule.how = is_value ? PRF_CFI_IS : PRF_CFI_AT;
		rule.offset = n == 2 ? (int64_t)(*ops)[1].number : 0;
		return rule;
	}
	rule.how = is_value ? PRF_CFI_IS_EXPRESSION : PRF_CFI_AT_EXPRESSION;
	return rule;
}

static struct prf_cfi_rule
our_rule(const struct prf_cfi_row *row, int reg)
{
	for (size_t i = 0; i < row->n_rules; i++)
		if (row->rules[i].of == reg)
			return row->rules[i];
	return (struct prf_cfi_rule){.how = PRF_CFI_SAME};
}

/* libdw has its own opinion of registers without a rule: those a function may
 * change are lost, the stack pointer is the CFA. */
static bool
is_default(const struct prf_cfi_row *row, int reg,
	   const struct prf_cfi_rule *rule)
{
	return reg != row->return_register &&
	       (rule->how == PRF_CFI_UNDEFINED || rule->how == PRF_CFI_SAME ||
		(rule->how == PRF_CFI_IS && rule->offset == 0));
}

static void
check_register(const struct judged *file, uint64_t pc,
	       const struct prf_cfi_row *row, Dwarf_Frame *frame, int reg)
{
	Dwarf_Op *ops;
	struct prf_cfi_rule want = judges_rule(frame, reg, &ops);
	struct prf_cfi_rule have = our_rule(row, reg);

	if (have.how == PRF_CFI_SAME && is_default(row, reg, &want))
		return;
	ck_assert_msg(have.how == want.how, "%s: 0x%llx: register %d: %d %d",
		      file->path, (unsigned long long)pc, reg, have.how,
		      want.how);
	if (have.how == PRF_CFI_AT || have.how == PRF_CFI_IS)
		ck_assert_int_eq(have.offset, want.offset);
	if (have.how == PRF_CFI_REGISTER)
		ck_assert_uint_eq(have.other, want.other);
	/* libdw pushes the CFA first. */
	if (have.how == PRF_CFI_AT_EXPRESSION ||
	    have.how == PRF_CFI_IS_EXPRESSION)
		ck_assert_uint_eq(have.expression[0], ops[1].atom);
}

static void
check_cfa(const struct judged *file, uint64_t pc, const struct prf_cfi_row *row,
	  Dwarf_Frame *frame)
{
	Dwarf_Op *ops;
	size_t n;

	ck_assert_int_eq(dwarf_frame_cfa(frame, &ops, &n), 0);
	if (row->cfa.how == PRF_CFI_IS_EXPRESSION) {
		ck_assert_uint_eq(row->cfa.expression[0], ops[0].atom);
		return;
	}
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(ops[0].atom, DW_OP_bregx);
	ck_assert_msg(row->cfa.other == ops[0].number &&
			      row->cfa.offset == (int64_t)ops[0].number2,
		      "%s: 0x%llx: CFA is %d%+lld", file->path,
		      (unsigned long long)pc, row->cfa.other,
		      (long long)row->cfa.offset);
}

/* Compares the row at PC; *END is where the next begins. */
static bool
check_row(struct judged *file, uint64_t pc, Dwarf_Addr *end)
{
	const struct prf_cfi_row *row = prf_cfi_row(file->cfi, pc);
	Dwarf_Frame *frame;
	Dwarf_Addr start;
	bool is_signal;

	if (dwarf_cfi_addrframe(file->judge, pc, &frame) != 0) {
		ck_assert_ptr_null(row);
		return false;
	}
	ck_assert_msg(row != NULL, "%s: 0x%llx: no row", file->path,
		      (unsigned long long)pc);
	int return_register = dwarf_frame_info(frame, &start, end, &is_signal);
	ck_assert_int_eq(row->return_register, return_register);
	ck_assert_int_eq(row->signal_frame, is_signal);
	check_cfa(file, pc, row, frame);
	for (int reg = 0; reg < PRF_CFI_REGISTERS; reg++)
		check_register(file, pc, row, frame, reg);
	file->n_rows++;
	file->n_expressions += row->cfa.how == PRF_CFI_IS_EXPRESSION;
	free(frame);
	return true;
}

/* From row to row; each at its first bytes and at its last. */
static void
check_function(struct judged *file, const struct prf_fde *fde)
{
	uint64_t pc = fde->lo;
	Dwarf_Addr end, ignored;

	while (pc < fde->hi && check_row(file, pc, &end) && end > pc) {
		check_row(file, pc + 1, &ignored);
		check_row(file, end - 1, &ignored);
		pc = end;
	}
}

static void
check_file(const char *path)
{
	struct prf_error err = {0};
	struct prf_object object;
	struct prf_fdes fdes;
	struct judged file = {.path = path};
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	ck_assert_int_eq(prf_object_open_fd(&object, fd, path, &err), 0);
	ck_assert_int_eq(prf_fdes_read(&fdes, &object, &err), 0);
	ck_assert_msg(prf_cfi_open_fd(fd, path, &file.cfi, &err) == 0, "%s",
		      err.text);
	file.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	file.judge = dwarf_getcfi_elf(file.elf);
	ck_assert(fdes.n == 0 || file.judge);
	size_t step = fdes.n / FUNCTIONS + 1;
	for (size_t i = 0; i < fdes.n; i += step)
		check_function(&file, &fdes.all[i]);

	struct prf_cfi_stats stats = prf_cfi_stats(file.cfi);
	printf("%s: %zu rows, %zu differ, CFA by expression %zu\n", path,
	       file.n_rows, stats.n_rows, file.n_expressions);
	ck_assert_uint_eq(stats.n_damaged, 0);
	ck_assert(!prf_cfi_warning(file.cfi));
	if (file.judge)
		dwarf_cfi_end(file.judge);
	elf_end(file.elf);
	prf_cfi_close(file.cfi);
	prf_fdes_free(&fdes);
	prf_object_close(&object);
	close(fd);
}

struct paths {
	char *all[PATHS_MAX];
	size_t n;
};

static int
add_path(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct paths *paths = arg;

	(void)size;
	if (info->dlpi_name[0] == '/' && paths->n < PATHS_MAX)
		paths->all[paths->n++] = strdup(info->dlpi_name);
	return 0;
}

/* libc, ld.so, libstdc++ and all else that this program has loaded. */
START_TEST(libraries_have_libdws_rows)
{
	struct paths paths = {.n = 0};

	if (!dlopen("libstdc++.so.6", RTLD_LAZY))
		printf("libstdc++: %s\n", dlerror());
	dl_iterate_phdr(add_path, &paths);
	ck_assert_uint_gt(paths.n, 2);
	for (size_t i = 0; i < paths.n; i++) {
		check_file(paths.all[i]);
		free(paths.all[i]);
	}
}
END_TEST

START_TEST(programs_have_libdws_rows)
{
	check_file("/proc/self/exe");
	check_file("/usr/bin/python3");
	check_file("/bin/bash");
}
END_TEST

/* Where there is a compiler that makes them. */
START_TEST(an_object_of_32_bits_has_libdws_rows)
{
	char path[] = "/tmp/prf-i386-XXXXXX";
	char command[200];
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	snprintf(command, sizeof command,
		 "echo 'int g(int *); int f(int n) { int a[9] = {n}; "
		 "return n > 3 ? f(g(a)) + g(a + a[1]) : g(a); }' | "
		 "gcc -m32 -O2 -fPIC -shared -nostdlib -x c - -o %s 2>&1",
		 path);
	if (system(command) == 0)
		check_file(path);
	unlink(path);
}
END_TEST

/* Links a library of many functions, whose CFI is in .debug_frame alone, as WAY
 * says, and opens it.  NULL: no compiler here does that. */
static struct prf_cfi *
open_linked(const char *way)
{
	char path[] = "/tmp/prf-cfi-XXXXXX";
	char command[400];
	struct prf_error err;
	struct prf_cfi *cfi = NULL;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	snprintf(
		command, sizeof command,
		"for i in $(seq 200); do echo \"int g$i(int *); int f$i(int n) "
		"{ int a[$i] = {n}; return n > $i ? f$i(g$i(a)) : g$i(a); }\"; "
		"done | gcc %s -g -O2 -fPIC -fno-asynchronous-unwind-tables "
		"-fno-unwind-tables -shared -nostdlib -x c - -o %s",
		way, path);
	if (system(command) == 0) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		ck_assert_msg(prf_cfi_open_fd(fd, path, &cfi, &err) == 0, "%s",
			      err.text);
	}
	unlink(path);
	return cfi; /* which needs its descriptor */
}

START_TEST(a_compressed_section_has_the_same_rows)
{
	struct prf_cfi *plain = open_linked("-gz=none");
	struct prf_cfi *packed = open_linked("-gz=zlib");
	size_t n = 0;

	for (uint64_t vaddr = 0; plain && packed && vaddr < 0x10000; vaddr++) {
		const struct prf_cfi_row *row = prf_cfi_row(plain, vaddr);
		const struct prf_cfi_row *same = prf_cfi_row(packed, vaddr);

		ck_assert_msg(!row == !same, "at %#lx", (unsigned long)vaddr);
		if (!row)
			continue;
		ck_assert_int_eq(row->n_rules, same->n_rules);
		ck_assert_int_eq(row->cfa.offset, same->cfa.offset);
		n++;
	}
	ck_assert(!plain || !packed || n > 1000);
	ck_assert_msg(!packed || !prf_cfi_warning(packed), "%s",
		      prf_cfi_warning(packed));
	prf_cfi_close(plain);
	prf_cfi_close(packed);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("cfi as libdw");
	TCase *tcase = tcase_create("cfi");

	tcase_set_timeout(tcase, 300);
	tcase_add_test(tcase, libraries_have_libdws_rows);
	tcase_add_test(tcase, programs_have_libdws_rows);
	tcase_add_test(tcase, an_object_of_32_bits_has_libdws_rows);
	tcase_add_test(tcase, a_compressed_section_has_the_same_rows);
	suite_add_tcase(suite, tcase);
	return suite;
}
