/* libdw as judge: for every row of many functions of real files, and for the
 * bytes behind its first, it says the same.
 *
 * make check-cfi-all: for every row of every file of /usr/bin and /usr/lib, whose
 * names are in the file PRF_CFI_FILES. */
#include "image/cfi.h"
#include "image/dwarf_bytes.h"
#include "image/fdes.h"
#include "support/suite.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So many functions of a file, spread over it.  libdw finds a row in UNJUDGED_OF
 * invalid, at the most: it knows what DWARF allows, and a few functions are
 * written for what the unwinder of C++ takes. */
enum { FUNCTIONS = 400, PATHS_MAX = 64, UNJUDGED_OF = 1000 };

struct judged {
	const char *path;
	struct prf_cfi *cfi;
	Elf *elf;
	Dwarf_CFI *judge;
	size_t step; /* from one function that is judged to the next */
	size_t n_functions, n_rows, n_expressions, n_differ;
	size_t n_unjudged; /* rows of which libdw says nothing */
};

/* Notes that libdw says otherwise of PC; the first few times what it is. */
static void PRF_PRINTF(3, 4)
	differs(struct judged *file, uint64_t pc, const char *fmt, ...)
{
	enum { SHOWN = 5 };
	va_list args;

	if (file->n_differ++ >= SHOWN)
		return;
	printf("%s: 0x%llx: ", file->path, (unsigned long long)pc);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
}

/* --- Expressions */

/* As libdw takes them apart. */
struct operations {
	Dwarf_Op *ops;
	size_t n;
};

/* The operand that operation ATOM has in BYTES, and that is no LEB128; 0: it has
 * none. */
static uint64_t
sized_operand(struct prf_dwarf_bytes *bytes, uint64_t atom)
{
	static const struct {
		uint8_t atom, n_bytes;
		bool has_sign;
	} sized[] = {
		{DW_OP_const1u, 1, false}, {DW_OP_const1s, 1, true},
		{DW_OP_const2u, 2, false}, {DW_OP_const2s, 2, true},
		{DW_OP_const4u, 4, false}, {DW_OP_const4s, 4, true},
		{DW_OP_const8u, 8, false}, {DW_OP_const8s, 8, true},
		{DW_OP_pick, 1, false},    {DW_OP_deref_size, 1, false},
		{DW_OP_bra, 2, true},      {DW_OP_skip, 2, true},
	};

	for (size_t i = 0; i < sizeof sized / sizeof *sized; i++)
		if (sized[i].atom == atom)
			return sized[i].has_sign
				       ? (uint64_t)prf_dwarf_signed(
						 bytes, sized[i].n_bytes)
				       : prf_dwarf_number(bytes,
							  sized[i].n_bytes);
	return 0;
}

/* Is OP the next operation of BYTES, with the same operands? */
static bool
is_next(struct prf_dwarf_bytes *bytes, const Dwarf_Op *op)
{
	const uint64_t atom = prf_dwarf_number(bytes, 1);

	if (atom != op->atom)
		return false;
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return (uint64_t)prf_dwarf_sleb(bytes) == op->number;
	switch (atom) {
	case DW_OP_bregx:
		return prf_dwarf_uleb(bytes) == op->number &&
		       (uint64_t)prf_dwarf_sleb(bytes) == op->number2;
	case DW_OP_constu:
	case DW_OP_plus_uconst:
		return prf_dwarf_uleb(bytes) == op->number;
	case DW_OP_consts:
		return (uint64_t)prf_dwarf_sleb(bytes) == op->number;
	default:
		return sized_operand(bytes, atom) == op->number;
	}
}

static bool
is_same_expression(const struct prf_cfi_rule *have,
		   const struct operations *want)
{
	struct prf_dwarf_bytes bytes = {.at = have->expression,
					.end = have->expression +
					       have->expression_bytes};

	for (size_t i = 0; i < want->n; i++)
		if (!is_next(&bytes, &want->ops[i]))
			return false;
	return prf_dwarf_at_end(&bytes) && !bytes.failed;
}

/* --- Rules */

/* The rule that libdw has for register REG; the operations of an expression are
 * WANTED. */
static struct prf_cfi_rule
judges_rule(Dwarf_Frame *frame, int reg, struct operations *wanted)
{
	static Dwarf_Op memory[3];
	Dwarf_Op *ops;
	size_t n;
	struct prf_cfi_rule rule = {.how = PRF_CFI_SAME};

	ck_assert_int_eq(dwarf_frame_register(frame, reg, memory, &ops, &n), 0);
	if (n == 0) {
		rule.how = ops ? PRF_CFI_UNDEFINED : PRF_CFI_SAME;
		return rule;
	}
	if (n == 1 && ops[0].atom == DW_OP_regx) {
		rule.how = PRF_CFI_REGISTER;
		rule.other = (uint8_t)ops[0].number;
		return rule;
	}
	bool is_value = ops[n - 1].atom == DW_OP_stack_value;
	n -= is_value;
	if (n == 1 || (n == 2 && ops[1].atom == DW_OP_plus_uconst)) {
		rule.how = is_value ? PRF_CFI_IS : PRF_CFI_AT;
		rule.offset = n == 2 ? (int64_t)ops[1].number : 0;
		return rule;
	}
	rule.how = is_value ? PRF_CFI_IS_EXPRESSION : PRF_CFI_AT_EXPRESSION;
	/* libdw pushes the CFA first. */
	*wanted = (struct operations){ops + 1, n - 1};
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

static bool
is_same_rule(const struct prf_cfi_rule *have, const struct prf_cfi_rule *want,
	     const struct operations *wanted)
{
	if (have->how != want->how)
		return false;
	switch (have->how) {
	case PRF_CFI_AT:
	case PRF_CFI_IS:
		return have->offset == want->offset;
	case PRF_CFI_REGISTER:
		return have->other == want->other;
	case PRF_CFI_AT_EXPRESSION:
	case PRF_CFI_IS_EXPRESSION:
		return is_same_expression(have, wanted);
	default:
		return true;
	}
}

static void
check_register(struct judged *file, uint64_t pc, const struct prf_cfi_row *row,
	       Dwarf_Frame *frame, int reg)
{
	struct operations wanted = {NULL, 0};
	struct prf_cfi_rule want = judges_rule(frame, reg, &wanted);
	struct prf_cfi_rule have = our_rule(row, reg);

	if (have.how == PRF_CFI_SAME && is_default(row, reg, &want))
		return;
	if (!is_same_rule(&have, &want, &wanted))
		differs(file, pc, "register %d: rule %d %lld, not %d %lld", reg,
			have.how, (long long)have.offset, want.how,
			(long long)want.offset);
}

static void
check_cfa(struct judged *file, uint64_t pc, const struct prf_cfi_row *row,
	  Dwarf_Frame *frame)
{
	const struct prf_cfi_rule *cfa = &row->cfa;
	struct operations wanted = {NULL, 0};
	bool is_told =
		dwarf_frame_cfa(frame, &wanted.ops, &wanted.n) == 0 && wanted.n;
	const Dwarf_Op *ops = wanted.ops;

	if (!is_told)
		file->n_unjudged++;
	else if (cfa->how == PRF_CFI_IS_EXPRESSION
			 ? !is_same_expression(cfa, &wanted)
			 : wanted.n != 1 || ops->atom != DW_OP_bregx ||
				   cfa->other != ops->number ||
				   cfa->offset != (int64_t)ops->number2)
		differs(file, pc, "CFA: %d %d%+lld", cfa->how, cfa->other,
			(long long)cfa->offset);
}

/* Compares the row at PC; *END is where the next begins. */
static bool
check_row(struct judged *file, uint64_t pc, Dwarf_Addr *end)
{
	const struct prf_cfi_row *row = prf_cfi_row(file->cfi, pc);
	Dwarf_Frame *frame;
	Dwarf_Addr start;
	bool is_signal;
	bool has_frame = dwarf_cfi_addrframe(file->judge, pc, &frame) == 0;

	if (has_frame != (row != NULL))
		differs(file, pc, row ? "libdw has no row" : "no row");
	if (!has_frame)
		return false;
	int return_register = dwarf_frame_info(frame, &start, end, &is_signal);
	if (row) {
		if (row->return_register != return_register ||
		    row->signal_frame != is_signal)
			differs(file, pc, "return register or signal");
		check_cfa(file, pc, row, frame);
		for (int reg = 0; reg < PRF_CFI_REGISTERS; reg++)
			check_register(file, pc, row, frame, reg);
		file->n_expressions += row->cfa.how == PRF_CFI_IS_EXPRESSION;
	}
	file->n_rows++;
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

/* Compares some functions of the file at FD, or all; false: it has no CFI that
 * both can read. */
static bool
judge_functions(struct judged *file, int fd, struct prf_object *object)
{
	struct prf_error err;
	struct prf_fdes fdes;

	if (prf_fdes_read(&fdes, object, &err) != 0)
		return false;
	file->judge = dwarf_getcfi_elf(file->elf);
	bool is_judged =
		file->judge && prf_cfi_open_fd(fd, file->path, NULL, NULL,
					       &file->cfi, &err) == 0;
	size_t step = file->step ? file->step : fdes.n / FUNCTIONS + 1;
	for (size_t i = 0; is_judged && i < fdes.n; i += step) {
		check_function(file, &fdes.all[i]);
		file->n_functions++;
	}
	prf_fdes_free(&fdes);
	return is_judged;
}

static bool
judge_file(struct judged *file)
{
	struct prf_error err;
	struct prf_object object;
	int fd = open(file->path, O_RDONLY | O_CLOEXEC);
	bool is_judged = false;

	if (fd >= 0 && prf_object_open_fd(&object, fd, file->path, &err) == 0) {
		file->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
		is_judged = judge_functions(file, fd, &object);
		if (is_judged && prf_cfi_stats(file->cfi).n_damaged)
			differs(file, 0, "damaged");
		if (is_judged && prf_cfi_object(file->cfi)->warning.code)
			differs(file, 0, "%s",
				prf_cfi_object(file->cfi)->warning.text);
		if (file->judge)
			dwarf_cfi_end(file->judge);
		elf_end(file->elf);
		prf_cfi_close(file->cfi);
		prf_object_close(&object);
	}
	if (fd >= 0)
		close(fd);
	return is_judged;
}

static void
check_file(const char *path)
{
	struct judged file = {.path = path};

	if (!judge_file(&file))
		return;
	printf("%s: %zu rows, CFA by expression %zu\n", path, file.n_rows,
	       file.n_expressions);
	ck_assert_uint_gt(file.n_rows, 0);
	ck_assert_uint_eq(file.n_differ, 0);
	ck_assert_uint_le(file.n_unjudged, file.n_rows / UNJUDGED_OF);
}

/* Every row of the files in the list that the environment names. */
START_TEST(files_of_a_list_have_libdws_rows)
{
	const char *list = getenv("PRF_CFI_FILES");
	struct judged sum = {.n_rows = 0};
	size_t n_files = 0, n_rooms = 0;
	char *path = NULL;
	FILE *paths = list ? fopen(list, "r") : NULL;

	while (paths && getline(&path, &n_rooms, paths) > 0) {
		struct judged file = {.path = path, .step = 1};

		path[strcspn(path, "\n")] = '\0';
		if (!judge_file(&file))
			continue;
		n_files++;
		sum.n_functions += file.n_functions;
		sum.n_rows += file.n_rows;
		sum.n_expressions += file.n_expressions;
		sum.n_differ += file.n_differ;
		sum.n_unjudged += file.n_unjudged;
	}
	if (paths) {
		printf("files %zu functions %zu rows %zu, CFA by expression "
		       "%zu, differ %zu, without libdw's %zu\n",
		       n_files, sum.n_functions, sum.n_rows, sum.n_expressions,
		       sum.n_differ, sum.n_unjudged);
		fclose(paths);
	}
	free(path);
	ck_assert_uint_eq(sum.n_differ, 0);
	ck_assert_uint_le(sum.n_unjudged, sum.n_rows / UNJUDGED_OF);
}
END_TEST

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
		ck_assert_msg(
			prf_cfi_open_fd(fd, path, NULL, NULL, &cfi, &err) == 0,
			"%s", err.text);
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
	ck_assert_msg(!packed || !prf_cfi_object(packed)->warning.code, "%s",
		      prf_cfi_object(packed)->warning.text);
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

	TCase *list = tcase_create("list");
	tcase_add_test(list, files_of_a_list_have_libdws_rows);
	suite_add_tcase(suite, list);
	return suite;
}
