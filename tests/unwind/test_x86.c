#include "unwind/x86.h"

#include <string.h>

#include "support/suite.h"

enum { NONE = PRF_X86_NO_REGISTER };

struct instruction {
	const char *bytes;
	uint8_t n;
	enum prf_x86_what what;
	uint8_t reg;
	int64_t value; /* or the target */
};

#define BYTES(text) text, sizeof text - 1

static const struct instruction in_64_bits[] = {
	{BYTES("\x55"), PRF_X86_PUSH, 5, 0},
	{BYTES("\x41\x57"), PRF_X86_PUSH, 15, 0},
	{BYTES("\x6a\x01"), PRF_X86_PUSH, NONE, 0},
	{BYTES("\x68\1\0\0\0"), PRF_X86_PUSH, NONE, 0},
	{BYTES("\xff\x34\x24"), PRF_X86_PUSH, NONE, 0},
	{BYTES("\x5d"), PRF_X86_POP, 5, 0},
	{BYTES("\x41\x5c"), PRF_X86_POP, 12, 0},
	{BYTES("\x48\x83\xec\x18"), PRF_X86_ADD_SP, NONE, -0x18},
	{BYTES("\x48\x81\xc4\0\1\0\0"), PRF_X86_ADD_SP, NONE, 0x100},
	{BYTES("\x48\x8d\x64\x24\xf8"), PRF_X86_ADD_SP, NONE, -8},
	{BYTES("\x48\x8d\x65\xd8"), PRF_X86_SP_FROM_FP, NONE, -0x28},
	{BYTES("\x48\x89\xec"), PRF_X86_SP_FROM_FP, NONE, 0},
	{BYTES("\x48\x8b\xe5"), PRF_X86_SP_FROM_FP, NONE, 0},
	{BYTES("\x48\x89\xe5"), PRF_X86_FP_FROM_SP, NONE, 0},
	{BYTES("\x48\x8d\x6c\x24\x10"), PRF_X86_FP_FROM_SP, NONE, 0x10},
	{BYTES("\x48\x83\xe4\xf0"), PRF_X86_SP_LOST, NONE, 0},
	{BYTES("\x48\x29\xc4"), PRF_X86_SP_LOST, NONE, 0},
	{BYTES("\x48\x2b\xe0"), PRF_X86_SP_LOST, NONE, 0},
	{BYTES("\x4c\x89\xd4"), PRF_X86_SP_LOST, NONE, 0},
	{BYTES("\x31\xed"), PRF_X86_FP_LOST, NONE, 0},
	{BYTES("\x48\x89\xfd"), PRF_X86_FP_LOST, NONE, 0},
	{BYTES("\xbd\1\0\0\0"), PRF_X86_FP_LOST, NONE, 0},
	{BYTES("\x0f\xb6\x2f"), PRF_X86_FP_LOST, NONE, 0},
	{BYTES("\xc9"), PRF_X86_LEAVE, NONE, 0},
	{BYTES("\x74\x10"), PRF_X86_BRANCH, NONE, 0x12},
	{BYTES("\x0f\x85\xf0\xff\xff\xff"), PRF_X86_BRANCH, 0, -10},
	{BYTES("\xeb\xfe"), PRF_X86_JUMP, NONE, 0},
	{BYTES("\xe9\0\1\0\0"), PRF_X86_JUMP, NONE, 0x105},
	{BYTES("\xff\xe0"), PRF_X86_JUMP_AWAY, NONE, 0},
	{BYTES("\x3e\xff\x24\xc5\0\0\0\0"), PRF_X86_JUMP_AWAY, NONE, 0},
	{BYTES("\xe8\0\0\0\0"), PRF_X86_CALL, NONE, 5},
	{BYTES("\xc3"), PRF_X86_END, NONE, 0},
	{BYTES("\xf3\xc3"), PRF_X86_END, NONE, 0},
	{BYTES("\x0f\x0b"), PRF_X86_END, 0, 0},
	{BYTES("\x90"), PRF_X86_NOTHING, NONE, 0},
	{BYTES("\x66\x2e\x0f\x1f\x84\0\0\0\0\0"), PRF_X86_NOTHING, 0, 0},
	{BYTES("\xf3\x0f\x1e\xfa"), PRF_X86_LANDING, 0, 0},
	{BYTES("\xf3\x0f\x1e\xfb"), PRF_X86_LANDING, 0, 0},
	/* These only have a length. */
	{BYTES("\xff\xd0"), PRF_X86_OTHER, NONE, 0},
	{BYTES("\xf3\x48\x0f\x1e\xc8"), PRF_X86_OTHER, 0, 0}, /* rdssp */
	{BYTES("\x0f\x1e\xfa"), PRF_X86_OTHER, 0, 0},
	{BYTES("\x64\x48\x8b\x04\x25\x28\0\0\0"), PRF_X86_OTHER, NONE, 0},
	{BYTES("\x48\xb8\1\2\3\4\5\6\7\x8"), PRF_X86_OTHER, NONE, 0},
	{BYTES("\x66\xb8\1\2"), PRF_X86_OTHER, NONE, 0},
	{BYTES("\xf6\xc3\1"), PRF_X86_OTHER, NONE, 0},
	{BYTES("\xf7\xc3\1\0\0\0"), PRF_X86_OTHER, NONE, 0},
	{BYTES("\xf7\xd8"), PRF_X86_OTHER, NONE, 0},
	{BYTES("\xc7\x44\x24\x08\1\0\0\0"), PRF_X86_OTHER, NONE, 0},
	{BYTES("\x66\x0f\x3a\x0f\xc1\x08"), PRF_X86_OTHER, 0, 0},
	{BYTES("\x66\x0f\x38\0\xc1"), PRF_X86_OTHER, 0, 0},
	{BYTES("\xc5\xf8\x77"), PRF_X86_OTHER, 0, 0},
	{BYTES("\xc5\xfd\x6f\x06"), PRF_X86_OTHER, 0, 0},
	{BYTES("\xc4\xe3\x75\x38\xc0\1"), PRF_X86_OTHER, 0, 0},
	{BYTES("\x62\xf1\xfe\x48\x6f\x06"), PRF_X86_OTHER, 0, 0},
};

static const struct instruction in_32_bits[] = {
	{BYTES("\x40"), PRF_X86_OTHER, NONE, 0},
	{BYTES("\x53"), PRF_X86_PUSH, 3, 0},
	{BYTES("\x83\xec\x0c"), PRF_X86_ADD_SP, NONE, -12},
	{BYTES("\x89\xe5"), PRF_X86_FP_FROM_SP, NONE, 0},
	{BYTES("\xa1\0\0\0\0"), PRF_X86_OTHER, NONE, 0},
	{BYTES("\xc5\x06"), PRF_X86_OTHER, NONE, 0}, /* lds */
	{BYTES("\xc4\x06"), PRF_X86_OTHER, NONE, 0}, /* les */
	{BYTES("\xc5\xf8\x77"), PRF_X86_OTHER, 0, 0},
};

static void
check(const struct instruction *want, size_t n, bool is_64_bit)
{
	for (size_t i = 0; i < n; i++) {
		const uint8_t *bytes = (const uint8_t *)want[i].bytes;
		uint8_t more[32] = {0};
		struct prf_x86 insn;

		memcpy(more, bytes, want[i].n);
		ck_assert(prf_x86_decode(more, sizeof more, is_64_bit, &insn));
		ck_assert_msg(insn.n_bytes == want[i].n, "%zu: %u bytes", i,
			      insn.n_bytes);
		ck_assert_msg(insn.what == want[i].what, "%zu: %d", i,
			      insn.what);
		if (insn.what == PRF_X86_PUSH || insn.what == PRF_X86_POP)
			ck_assert_uint_eq(insn.reg, want[i].reg);
		if (insn.what >= PRF_X86_ADD_SP &&
		    insn.what <= PRF_X86_FP_FROM_SP)
			ck_assert_int_eq(insn.value, want[i].value);
		if (insn.what == PRF_X86_BRANCH || insn.what == PRF_X86_JUMP ||
		    insn.what == PRF_X86_CALL)
			ck_assert_int_eq((int64_t)insn.target, want[i].value);
		for (uint8_t cut = 0; cut < want[i].n; cut++)
			if (prf_x86_decode(more, cut, is_64_bit, &insn))
				ck_assert_uint_le(insn.n_bytes, cut);
	}
}

START_TEST(instructions_have_their_length_and_what_they_do)
{
	check(in_64_bits, sizeof in_64_bits / sizeof *in_64_bits, true);
	check(in_32_bits, sizeof in_32_bits / sizeof *in_32_bits, false);
}
END_TEST

START_TEST(no_byte_is_read_from_behind)
{
	static const uint8_t prefixes[20] = {0x66, 0x66, 0x66, 0x66, 0x66,
					     0x66, 0x66, 0x66, 0x66, 0x66,
					     0x66, 0x66, 0x66, 0x66, 0x66};
	struct prf_x86 insn;

	ck_assert(!prf_x86_decode(prefixes, sizeof prefixes, true, &insn));
	ck_assert(!prf_x86_decode(prefixes, 0, true, &insn));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("x86");
	TCase *tcase = tcase_create("x86");

	tcase_add_test(tcase, instructions_have_their_length_and_what_they_do);
	tcase_add_test(tcase, no_byte_is_read_from_behind);
	suite_add_tcase(suite, tcase);
	return suite;
}
