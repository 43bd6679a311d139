#include "image/disassembly.h"
#include "support/suite.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Some bytes of this program, which are instructions. */
enum { N_BYTES = 64 };

static __attribute__((noinline)) int
callee(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n;
}

static __attribute__((noinline)) int
caller(int n)
{
	return callee(n) + callee(n + 1) + callee(n + 2);
}

struct seen {
	uint64_t next;
	size_t n, n_named;
	int answer;
};

static int
see(void *arg, const struct prf_instruction *instruction)
{
	struct seen *seen = arg;

	ck_assert_uint_eq(instruction->vaddr, seen->next);
	ck_assert_uint_gt(instruction->n_bytes, 0);
	ck_assert_uint_gt(strlen(instruction->text), 0);
	ck_assert_int_ne(instruction->text[strlen(instruction->text) - 1], ' ');
	seen->next += instruction->n_bytes;
	seen->n++;
	seen->n_named += strstr(instruction->text, "<somewhere+0x") != NULL;
	return seen->answer;
}

static const char *
name_of(void *arg, uint64_t vaddr, uint64_t *begin)
{
	(void)arg;
	*begin = vaddr - 1;
	return "somewhere";
}

static int
note_bias(struct dl_phdr_info *object, size_t size, void *bias)
{
	(void)size;
	*(uint64_t *)bias = object->dlpi_addr;
	return 1;
}

static int
disassemble(struct seen *seen, uint64_t lo, uint64_t n_bytes,
	    struct prf_error *err)
{
	const struct prf_disassembly wanted = {see, name_of, seen};
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	seen->next = lo;
	int rc = prf_disassemble(fd, "self", lo, lo + n_bytes, &wanted, err);
	close(fd);
	return rc;
}

static uint64_t
vaddr_of_caller(void)
{
	uint64_t bias = 0;

	dl_iterate_phdr(note_bias, &bias);
	return (uintptr_t)caller - bias;
}

START_TEST(every_byte_is_of_an_instruction)
{
	struct prf_error err = {0};
	struct seen seen = {0};
	uint64_t lo = vaddr_of_caller();

	caller(1);
	ck_assert_msg(disassemble(&seen, lo, N_BYTES, &err) == 0, "%s",
		      err.text);
	ck_assert_uint_eq(seen.next, lo + N_BYTES);
	ck_assert_uint_ge(seen.n, 4);
	/* It calls. */
	ck_assert_uint_gt(seen.n_named, 0);
}
END_TEST

START_TEST(a_visitor_can_end_it)
{
	struct prf_error err = {0};
	struct seen seen = {.answer = -ENOMEM};

	ck_assert_int_eq(disassemble(&seen, vaddr_of_caller(), N_BYTES, &err),
			 -ENOMEM);
	ck_assert_uint_eq(seen.n, 1);
}
END_TEST

START_TEST(what_is_not_in_the_file_is_refused)
{
	static const struct {
		uint64_t lo, n_bytes;
	} ranges[] = {{UINT64_MAX - 100, 50},
		      {0, 0},
		      {0x10, UINT64_MAX / 2},
		      {UINT64_MAX / 2, 8}};
	struct prf_error err = {0};
	struct seen seen = {0};

	ck_assert_int_eq(
		disassemble(&seen, ranges[_i].lo, ranges[_i].n_bytes, &err),
		-EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "self"));
	ck_assert_uint_eq(seen.n, 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("disassembly");
	TCase *tests = tcase_create("disassembly");

	tcase_add_test(tests, every_byte_is_of_an_instruction);
	tcase_add_test(tests, a_visitor_can_end_it);
	tcase_add_loop_test(tests, what_is_not_in_the_file_is_refused, 0, 4);
	suite_add_tcase(suite, tests);
	return suite;
}
