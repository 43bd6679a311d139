#include "unwind/heights.h"

#include <elf.h>

#include "support/suite.h"

enum { RBX = 3, RBP = 6, RSP = 7, RETURN = 16 };

/* At a place in a function: the CFA, and where RBX and RBP were saved (0:
 * nowhere). */
struct place {
	size_t at;
	uint8_t cfa; /* 0: it cannot be told */
	int64_t offset, rbx, rbp;
};

static int64_t
saved(const struct prf_cfi_row *row, uint8_t of)
{
	for (size_t i = 0; i < row->n_rules; i++)
		if (row->rules[i].of == of) {
			ck_assert_uint_eq(row->rules[i].how, PRF_CFI_AT);
			return row->rules[i].offset;
		}
	return 0;
}

static void
check(const uint8_t *text, size_t n, const struct place *places,
      size_t n_places)
{
	for (size_t i = 0; i < n_places; i++) {
		const struct place *want = &places[i];
		union prf_heights_row made;
		size_t n_decoded;
		bool has_row = prf_heights_row(prf_machine_of(EM_X86_64), text,
					       n, want->at, &made, &n_decoded);

		ck_assert_uint_le(n_decoded, 3 * n);

		ck_assert_msg(has_row == (want->cfa != 0), "at %zu", want->at);
		if (!has_row)
			continue;
		ck_assert_msg(made.row.cfa.other == want->cfa &&
				      made.row.cfa.offset == want->offset,
			      "at %zu: register %u + %ld", want->at,
			      made.row.cfa.other, (long)made.row.cfa.offset);
		ck_assert_int_eq(saved(&made.row, RBX), want->rbx);
		ck_assert_int_eq(saved(&made.row, RBP), want->rbp);
		ck_assert_int_eq(saved(&made.row, RETURN), -8);
	}
}

#define CHECK(text, places)                                                    \
	check(text, sizeof(text), places, sizeof(places) / sizeof *(places))

START_TEST(what_is_pushed_is_popped)
{
	static const uint8_t text[] = {
		0x53,                   /* push %rbx */
		0x55,                   /* push %rbp */
		0x48, 0x83, 0xec, 0x10, /* sub $16,%rsp */
		0x31, 0xed,             /* xor %ebp,%ebp */
		0x48, 0x83, 0xc4, 0x10, /* add $16,%rsp */
		0x5d,                   /* pop %rbp */
		0x5b,                   /* pop %rbx */
		0xc3,                   /* ret */
	};
	static const struct place places[] = {
		{0, RSP, 8, 0, 0},      {1, RSP, 16, -16, 0},
		{2, RSP, 24, -16, -24}, {6, RSP, 40, -16, -24},
		{7, RSP, 40, -16, -24}, {12, RSP, 24, -16, -24},
		{13, RSP, 16, -16, 0},  {14, RSP, 8, 0, 0},
	};

	CHECK(text, places);
}
END_TEST

START_TEST(a_frame_pointer_knows_what_the_stack_pointer_does_not)
{
	static const uint8_t text[] = {
		0x55,                   /* push %rbp */
		0x48, 0x89, 0xe5,       /* mov %rsp,%rbp */
		0x53,                   /* push %rbx */
		0x48, 0x29, 0xc4,       /* sub %rax,%rsp */
		0x90,                   /* nop */
		0x48, 0x8d, 0x65, 0xf8, /* lea -8(%rbp),%rsp */
		0x5b,                   /* pop %rbx */
		0xc9,                   /* leave */
		0xc3,                   /* ret */
	};
	static const struct place places[] = {
		{8, RBP, 16, -24, -16},
		{13, RSP, 24, -24, -16},
		{14, RSP, 16, 0, -16},
		{15, RSP, 8, 0, 0},
	};

	CHECK(text, places);
}
END_TEST

START_TEST(jumps_bring_their_state_with_them)
{
	static const uint8_t text[] = {
		0x53,                   /* 0: push %rbx */
		0x74, 0x05,             /* 1: je 8 */
		0x5b,                   /* 3: pop %rbx */
		0xc3,                   /* 4: ret */
		0x90, 0x90, 0x90, 0x50, /* 8: push %rax */
		0xeb, 0x05,             /* 9: jmp 16 */
		0x50,                   /* 11: only from behind: push %rax */
		0x58,                   /* 12: pop %rax */
		0x58,                   /* 13: pop %rax */
		0x5b,                   /* 14: pop %rbx */
		0xc3,                   /* 15: ret */
		0x75, 0xf9,             /* 16: jne 11 */
		0xff, 0xe0,             /* 18: jmp *%rax, to places here */
		0xc3,                   /* 20: ret */
		0x90,                   /* 21: one of them */
	};
	static const struct place places[] = {
		{4, RSP, 8, 0, 0},     {8, RSP, 16, -16, 0},
		{11, RSP, 24, -16, 0}, {12, RSP, 32, -16, 0},
		{15, RSP, 8, 0, 0},    {16, RSP, 24, -16, 0},
		{21, RSP, 24, -16, 0},
	};

	CHECK(text, places);
}
END_TEST

/* What is behind a jump is like what a jump through a table leads to, if nothing is known
 * of it that is better: that something jumps to it. */
START_TEST(a_jump_tells_more_than_what_is_supposed)
{
	static const uint8_t text[] = {
		0xff, 0xe0, /* 0: a stub: jmp *%rax */
		0x53,       /* 2: the next function: push %rbx */
		0xeb, 0x02, /* 3: jmp 7 */
		0x90,       /* 5: from behind only */
		0x90,       /* 6 */
		0x90,       /* 7 */
		0x74, 0xfb, /* 8: je 5 */
		0x5b,       /* 10: pop %rbx */
		0xc3,       /* 11: ret */
	};
	static const struct place places[] = {
		{3, RSP, 16, -16, 0},  {5, RSP, 16, -16, 0},
		{6, RSP, 16, -16, 0},  {7, RSP, 16, -16, 0},
		{10, RSP, 16, -16, 0}, {11, RSP, 8, 0, 0},
	};

	CHECK(text, places);
}
END_TEST

/* Behind a jump to where a register says is what jumps to it, if anything does. */
START_TEST(a_jump_away_hides_no_jump_behind_it)
{
	static const uint8_t text[] = {
		0x53,       /* 0: push %rbx */
		0x74, 0x03, /* 1: je 6 */
		0x5b,       /* 3: pop %rbx */
		0xff, 0xe0, /* 4: jmp *%rax */
		0x90,       /* 6: nop */
		0x50,       /* 7: push %rax */
		0xff, 0xe0, /* 8: jmp *%rax */
		0x90,       /* 10: nop */
	};
	static const struct place places[] = {
		{4, RSP, 8, 0, 0},     {6, RSP, 16, -16, 0},
		{7, RSP, 16, -16, 0},  {8, RSP, 24, -16, 0},
		{10, RSP, 24, -16, 0},
	};

	CHECK(text, places);
}
END_TEST

/* As __stack_chk_fail() is called. */
START_TEST(a_function_may_end_with_a_call)
{
	static const uint8_t text[48] = {
		0x53,                         /* 0: push %rbx */
		0xe8, 0,    1,    0,    0,    /* 1: call 262 */
		0x0f, 0x1f, 0x80, 0,    0, 0, /* 6: nop */
		0,    0x66, 0x90, 0x90,       /* 13: nop; nop */
		0xf3, 0x0f, 0x1e, 0xfa,       /* 16: endbr64 */
		0x90, 0xe8, 0,    1,    0, 0, /* 20: nop; 21: call 282 */
		0xf3, 0x0f, 0x1e, 0xfa,       /* 26: endbr64, as after setjmp */
		0x55, 0x90,                   /* 30: push %rbp; nop */
		0x90, 0xf3, 0x0f, 0x1e,       /* 32: nop; 33: endbr64 */
		0xfa, 0x90,                   /* 37: nop */
	};
	static const struct place places[] = {
		{6, RSP, 16, -16, 0},  {16, RSP, 8, 0, 0},
		{20, RSP, 8, 0, 0},    {30, RSP, 8, 0, 0},
		{31, RSP, 16, 0, -16}, {37, RSP, 16, 0, -16},
	};

	CHECK(text, places);
}
END_TEST

START_TEST(what_cannot_be_read_has_no_row)
{
	static const uint8_t text[] = {0x53, 0x06 /* none */, 0x0f, 0xff};
	static const uint8_t lost[] = {0x48, 0x29, 0xc4, 0x90};
	static const uint8_t popped[] = {0x58, 0x58, 0x90};
	static const struct place places[] = {{100, 0, 0, 0, 0}};
	static const struct place in_lost[] = {{3, 0, 0, 0, 0}};
	static const struct place in_popped[] = {{2, 0, 0, 0, 0}};
	union prf_heights_row made;
	size_t n_decoded;

	CHECK(text, places);
	CHECK(lost, in_lost);
	CHECK(popped, in_popped);
	ck_assert(!prf_heights_row(prf_machine_of(EM_AARCH64), text, 1, 0,
				   &made, &n_decoded));
	ck_assert(!prf_heights_row(prf_machine_of(EM_X86_64), text, 0, 0, &made,
				   &n_decoded));
	ck_assert_uint_eq(n_decoded, 0);
}
END_TEST

START_TEST(i386_has_its_own_registers)
{
	static const uint8_t text[] = {0x53, 0x55, 0x90};
	union prf_heights_row made;
	size_t n_decoded;

	ck_assert(prf_heights_row(prf_machine_of(EM_386), text, sizeof text, 2,
				  &made, &n_decoded));
	ck_assert_uint_eq(n_decoded, 3);
	ck_assert_uint_eq(made.row.cfa.other, 4);
	ck_assert_int_eq(made.row.cfa.offset, 12);
	ck_assert_int_eq(saved(&made.row, 3), -8);
	ck_assert_int_eq(saved(&made.row, 5), -12);
	ck_assert_int_eq(saved(&made.row, 8), -4);
}
END_TEST

START_TEST(any_bytes_come_to_an_end)
{
	static uint8_t text[PRF_HEIGHTS_BYTES];
	uint32_t random = 1;
	union prf_heights_row made;
	size_t n_decoded;

	for (unsigned round = 0; round < 200; round++) {
		for (size_t i = 0; i < 2000; i++) {
			random = random * 1103515245 + 12345;
			text[i] = (uint8_t)(random >> 16);
		}
		for (size_t at = 0; at < 2000; at += 37)
			(void)prf_heights_row(prf_machine_of(EM_X86_64), text,
					      2000, at, &made, &n_decoded);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("heights");
	TCase *tcase = tcase_create("heights");

	tcase_add_test(tcase, what_is_pushed_is_popped);
	tcase_add_test(tcase,
		       a_frame_pointer_knows_what_the_stack_pointer_does_not);
	tcase_add_test(tcase, jumps_bring_their_state_with_them);
	tcase_add_test(tcase, a_jump_tells_more_than_what_is_supposed);
	tcase_add_test(tcase, a_jump_away_hides_no_jump_behind_it);
	tcase_add_test(tcase, a_function_may_end_with_a_call);
	tcase_add_test(tcase, what_cannot_be_read_has_no_row);
	tcase_add_test(tcase, i386_has_its_own_registers);
	tcase_add_test(tcase, any_bytes_come_to_an_end);
	suite_add_tcase(suite, tcase);
	return suite;
}
