#include "support/suite.h"
#include "unwind/expression.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>

/* Memory that has its own address in each 8 bytes from BASE on. */
enum { BASE = 0x1000, MEMORY_BYTES = 0x100, FIRST = 77, REG3 = 0x1010 };
enum { AARCH64_VG = 46, GRANULES = 4 };

static bool
read_memory(void *arg, uint64_t addr, void *to, size_t n)
{
	(void)arg;
	if (addr < BASE || addr > BASE + MEMORY_BYTES - n)
		return false;
	for (size_t i = 0; i < n; i++) {
		uint64_t word = (addr + i) & ~(uint64_t)7;

		((uint8_t *)to)[i] = (uint8_t)(word >> (8 * ((addr + i) & 7)));
	}
	return true;
}

static int
evaluate(const uint8_t *expression, size_t n, const uint64_t *first,
	 uint64_t *value)
{
	static const struct prf_registers_memory memory = {.read = read_memory};
	struct prf_registers registers = {.known = 0};

	prf_registers_set(&registers, 3, REG3);
	registers.vector_granules = GRANULES;
	return prf_expression_value(expression, n, first, &registers, &memory,
				    value);
}

#define LIT(n) (DW_OP_lit0 + (n))
#define MINUS(n) DW_OP_const1s, (0x100 - (n))

/* What each is, with FIRST on the stack before. */
static const struct {
	uint8_t expression[16];
	size_t n;
	int64_t value;
} good[] = {
	{{0}, 0, FIRST},
	{{LIT(0)}, 1, 0},
	{{LIT(31)}, 1, 31},
	{{DW_OP_const1u, 0xff}, 2, 255},
	{{DW_OP_const1s, 0xff}, 2, -1},
	{{DW_OP_const2u, 0, 0x80}, 3, 0x8000},
	{{DW_OP_const2s, 0, 0x80}, 3, -0x8000},
	{{DW_OP_const4u, 0, 0, 0, 0x80}, 5, 0x80000000},
	{{DW_OP_const4s, 0, 0, 0, 0x80}, 5, -(int64_t)0x80000000},
	{{DW_OP_const8u, 1, 0, 0, 0, 0, 0, 0, 0x80}, 9, INT64_MIN + 1},
	{{DW_OP_const8s, 1, 0, 0, 0, 0, 0, 0, 0x80}, 9, INT64_MIN + 1},
	{{DW_OP_constu, 0x80, 1}, 3, 128},
	{{DW_OP_consts, 0x7f}, 2, -1},
	{{DW_OP_breg3, 0x78}, 2, REG3 - 8},
	{{DW_OP_bregx, 3, 8}, 3, REG3 + 8},
	{{DW_OP_bregx, AARCH64_VG, 0, LIT(8), DW_OP_mul}, 5, 8 * GRANULES},
	{{DW_OP_dup, DW_OP_plus}, 2, 2 * FIRST},
	{{LIT(1), DW_OP_drop}, 2, FIRST},
	{{LIT(1), DW_OP_over}, 2, FIRST},
	{{LIT(1), LIT(2), DW_OP_pick, 2}, 4, FIRST},
	{{LIT(1), DW_OP_swap}, 2, FIRST},
	{{LIT(1), DW_OP_swap, DW_OP_drop}, 3, 1},
	{{LIT(1), LIT(2), DW_OP_rot}, 3, 1},
	{{LIT(1), LIT(2), DW_OP_rot, DW_OP_drop}, 4, FIRST},
	{{LIT(1), LIT(2), DW_OP_rot, DW_OP_drop, DW_OP_drop}, 5, 2},
	{{DW_OP_breg3, 0, DW_OP_deref}, 3, REG3},
	{{DW_OP_breg3, 0, DW_OP_deref_size, 1}, 4, 0x10},
	{{MINUS(3), DW_OP_abs}, 3, 3},
	{{LIT(3), DW_OP_neg}, 2, -3},
	{{LIT(0), DW_OP_not}, 2, -1},
	{{LIT(12), LIT(10), DW_OP_and}, 3, 8},
	{{LIT(12), LIT(10), DW_OP_or}, 3, 14},
	{{LIT(12), LIT(10), DW_OP_xor}, 3, 6},
	{{LIT(12), LIT(10), DW_OP_minus}, 3, 2},
	{{LIT(12), LIT(10), DW_OP_mul}, 3, 120},
	{{MINUS(7), LIT(2), DW_OP_div}, 4, -3},
	{{LIT(7), LIT(4), DW_OP_mod}, 3, 3},
	{{LIT(3), LIT(4), DW_OP_shl}, 3, 48},
	{{LIT(3), DW_OP_const1u, 64, DW_OP_shl}, 4, 0},
	{{MINUS(1), DW_OP_const1u, 63, DW_OP_shr}, 5, 1},
	{{MINUS(8), LIT(1), DW_OP_shra}, 4, -4},
	{{MINUS(8), DW_OP_const1u, 200, DW_OP_shra}, 5, -1},
	{{DW_OP_plus_uconst, 3}, 2, FIRST + 3},
	{{LIT(1), LIT(1), DW_OP_eq}, 3, 1},
	{{LIT(1), LIT(1), DW_OP_ne}, 3, 0},
	{{MINUS(1), LIT(1), DW_OP_lt}, 4, 1},
	{{LIT(1), LIT(1), DW_OP_le}, 3, 1},
	{{MINUS(1), LIT(1), DW_OP_gt}, 4, 0},
	{{LIT(1), LIT(1), DW_OP_ge}, 3, 1},
	{{DW_OP_skip, 1, 0, LIT(5), DW_OP_nop}, 5, FIRST},
	{{LIT(1), DW_OP_bra, 1, 0, LIT(5)}, 5, FIRST},
	{{LIT(0), DW_OP_bra, 1, 0, LIT(5)}, 5, 5},
	/* From 3 down to 0. */
	{{LIT(3), LIT(1), DW_OP_minus, DW_OP_dup, DW_OP_bra, 0xfa, 0xff}, 7, 0},
	/* The PLT's, of which every program has one. */
	{{DW_OP_breg3, 8, DW_OP_breg3, 0, LIT(15), DW_OP_and, LIT(11), DW_OP_ge,
	  LIT(3), DW_OP_shl, DW_OP_plus},
	 11,
	 REG3 + 8},
};

START_TEST(each_operation_has_its_value)
{
	const uint64_t first = FIRST;
	uint64_t value;

	ck_assert_int_eq(
		evaluate(good[_i].expression, good[_i].n, &first, &value), 0);
	ck_assert_int_eq((int64_t)value, good[_i].value);
}
END_TEST

/* An empty stack, to begin with. */
static const struct {
	uint8_t expression[12];
	size_t n;
	int error;
} bad[] = {
	{{0}, 0, -EINVAL},
	{{DW_OP_drop}, 1, -EINVAL},
	{{DW_OP_dup}, 1, -EINVAL},
	{{LIT(1), DW_OP_over}, 2, -EINVAL},
	{{LIT(1), DW_OP_swap}, 2, -EINVAL},
	{{LIT(1), DW_OP_pick, 9}, 3, -EINVAL},
	{{LIT(1), DW_OP_plus}, 2, -EINVAL},
	{{LIT(1), LIT(0), DW_OP_div}, 3, -EINVAL},
	{{LIT(1), LIT(0), DW_OP_mod}, 3, -EINVAL},
	{{LIT(1), DW_OP_const1u, 63, DW_OP_shl, DW_OP_const1s, 0xff, DW_OP_div},
	 7,
	 -EINVAL},
	{{DW_OP_breg4, 0}, 2, -EINVAL},
	{{DW_OP_bregx, 99, 0}, 3, -EINVAL},
	{{LIT(1), DW_OP_deref}, 2, -EFAULT},
	{{MINUS(1), DW_OP_deref}, 3, -EFAULT},
	{{DW_OP_breg3, 0, DW_OP_deref_size, 9}, 4, -EINVAL},
	{{DW_OP_breg3, 0, DW_OP_deref_size, 0}, 4, -EINVAL},
	{{DW_OP_addr, 0, 0, 0, 0, 0, 0, 0, 0}, 9, -EINVAL},
	{{DW_OP_const4u, 1}, 2, -EINVAL},
	{{0xff}, 1, -EINVAL},
	{{LIT(1), DW_OP_skip, 1, 0}, 4, -EINVAL},
	{{LIT(1), DW_OP_skip, 0xfb, 0xff}, 4, -EINVAL},
	{{DW_OP_skip, 0xfd, 0xff}, 3, -EINVAL},         /* for ever */
	{{LIT(1), DW_OP_skip, 0xfc, 0xff}, 4, -EINVAL}, /* no room */
};

START_TEST(what_makes_no_sense_has_none)
{
	uint64_t value;

	ck_assert_int_eq(evaluate(bad[_i].expression, bad[_i].n, NULL, &value),
			 bad[_i].error);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("expression");
	TCase *tcase = tcase_create("expression");

	tcase_add_loop_test(tcase, each_operation_has_its_value, 0,
			    sizeof good / sizeof *good);
	tcase_add_loop_test(tcase, what_makes_no_sense_has_none, 0,
			    sizeof bad / sizeof *bad);
	suite_add_tcase(suite, tcase);
	return suite;
}
