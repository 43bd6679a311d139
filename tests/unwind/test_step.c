#include "support/suite.h"
#include "unwind/step.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

enum { STACK = 0x7000, WORDS = 32 };
enum { RBX = 3, RBP = 6, RSP = 7, R12 = 12, RETURN = 16 };
enum { X29 = 29, X30, SP };

/* A stack; word N is at STACK + 8 * N. */
static uint64_t words[WORDS];

static bool
read_words(void *arg, uint64_t addr, void *to, size_t n)
{
	(void)arg;
	if (addr < STACK || addr > STACK + sizeof words - n)
		return false;
	memcpy(to, (char *)words + (addr - STACK), n);
	return true;
}

static const struct prf_registers_memory memory = {.read = read_words};

/* A row with room for some rules. */
union row {
	struct prf_cfi_row row;
	char room[sizeof(struct prf_cfi_row) + 4 * sizeof(struct prf_cfi_rule)];
};

/* A row of which the CFA is REG + OFFSET. */
static union row
row_of(uint8_t reg, int64_t offset, uint8_t return_register)
{
	union row made = {.row = {.cfa = {.how = PRF_CFI_REGISTER,
					  .other = reg,
					  .offset = offset},
				  .return_register = return_register}};
	return made;
}

static void
add_rule(union row *made, uint8_t reg, enum prf_cfi_how how, int64_t offset)
{
	struct prf_cfi_rule rule = {.how = (uint8_t)how, .of = reg};

	if (how == PRF_CFI_REGISTER)
		rule.other = (uint8_t)offset;
	else
		rule.offset = offset;
	made->row.rules[made->row.n_rules++] = rule;
}

/* Those of a blocked thread on x86-64: PC and rsp. */
static struct prf_registers
few_registers(void)
{
	struct prf_registers registers = {.pc = 0x1000};

	prf_registers_set(&registers, RSP, STACK);
	return registers;
}

static enum prf_stack_end
step(const union row *made, const struct prf_registers *from,
     struct prf_registers *caller)
{
	return prf_step(prf_machine_of(EM_X86_64), 0, &memory, &made->row, from,
			caller);
}

START_TEST(a_caller_has_what_was_saved)
{
	union row made = row_of(RSP, 24, RETURN);
	struct prf_registers from = few_registers(), caller;
	uint64_t value;

	words[1] = 0xb;
	words[2] = 0x2000;
	prf_registers_set(&from, R12, 0xc);
	add_rule(&made, RBX, PRF_CFI_AT, -16);
	add_rule(&made, RBP, PRF_CFI_REGISTER, R12);
	add_rule(&made, RETURN, PRF_CFI_AT, -8);
	ck_assert_int_eq(step(&made, &from, &caller), PRF_STACK_NONE);
	ck_assert_uint_eq(caller.pc, 0x2000);
	ck_assert_uint_eq(caller.values[RSP], STACK + 24);
	ck_assert_uint_eq(caller.values[RBX], 0xb);
	ck_assert_uint_eq(caller.values[RBP], 0xc);
	ck_assert_uint_eq(caller.values[R12], 0xc);
	ck_assert(!prf_registers_get(&caller, 0, &value));
}
END_TEST

START_TEST(what_is_lost_is_not_known)
{
	union row made = row_of(RSP, 8, RETURN);
	struct prf_registers from = few_registers(), caller;
	uint64_t value;

	words[0] = 0x2000;
	prf_registers_set(&from, RBX, 1);
	prf_registers_set(&from, RBP, 1);
	add_rule(&made, RBX, PRF_CFI_UNDEFINED, 0);
	add_rule(&made, RBP, PRF_CFI_AT, 0x100000);
	add_rule(&made, RETURN, PRF_CFI_AT, -8);
	ck_assert_int_eq(step(&made, &from, &caller), PRF_STACK_NONE);
	ck_assert(!prf_registers_get(&caller, RBX, &value));
	ck_assert(!prf_registers_get(&caller, RBP, &value));
	made = row_of(RBX, 8, RETURN);
	ck_assert_int_eq(step(&made, &caller, &from), PRF_STACK_NO_CFI);

	/* But where the frame is can be known otherwise. */
	words[1] = 0x3000;
	add_rule(&made, RETURN, PRF_CFI_AT, -8);
	ck_assert_int_eq(prf_step_at(prf_machine_of(EM_X86_64), 0, &memory,
				     &made.row, STACK + 8, &caller, &from),
			 PRF_STACK_NONE);
	ck_assert_uint_eq(from.pc, 0x3000);
	ck_assert_uint_eq(from.values[RSP], STACK + 16);
}
END_TEST

/* Below the stack pointer, of which the memory may be there (1) or not (0). */
START_TEST(what_was_popped_is_where_it_was)
{
	union row made = row_of(RSP, 8, RETURN);
	struct prf_registers from = few_registers(), caller;
	uint64_t value;

	words[0] = 0xb;
	words[_i] = 0x2000;
	prf_registers_set(&from, RSP, STACK + 8 * (uint64_t)_i);
	prf_registers_set(&from, RBP, 0x77);
	add_rule(&made, RBX, PRF_CFI_AT, -16);
	add_rule(&made, RBP, PRF_CFI_AT, -16);
	add_rule(&made, RETURN, PRF_CFI_AT, -8);
	ck_assert_int_eq(step(&made, &from, &caller), PRF_STACK_NONE);
	ck_assert(prf_registers_get(&caller, RBP, &value));
	ck_assert_uint_eq(value, _i ? 0xb : 0x77);
	/* It never was known. */
	ck_assert_int_eq(prf_registers_get(&caller, RBX, &value), _i);
	ck_assert_uint_eq(caller.values[RSP], STACK + 8 * (uint64_t)_i + 8);
}
END_TEST

START_TEST(a_stack_ends_for_a_reason)
{
	static const struct {
		enum prf_cfi_how how;
		int64_t offset;
		enum prf_stack_end end;
	} cases[] = {
		{PRF_CFI_UNDEFINED, 0, PRF_STACK_COMPLETE},
		{PRF_CFI_AT, -8, PRF_STACK_COMPLETE}, /* it is 0 */
		{PRF_CFI_AT, -80, PRF_STACK_MEMORY},
		{PRF_CFI_REGISTER, 1, PRF_STACK_NO_CFI},
		{PRF_CFI_SAME, 0, PRF_STACK_NO_CFI},
	};

	words[0] = 0;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		union row made = row_of(RSP, 8, RETURN);
		struct prf_registers from = few_registers(), caller;

		prf_registers_set(&from, RETURN, from.pc);
		if (cases[i].how != PRF_CFI_SAME)
			add_rule(&made, RETURN, cases[i].how, cases[i].offset);
		ck_assert_int_eq(step(&made, &from, &caller), cases[i].end);
	}
}
END_TEST

START_TEST(expressions_begin_with_the_cfa_but_that_of_the_cfa)
{
	static const uint8_t cfa[] = {DW_OP_breg7, 16};
	static const uint8_t minus_8[] = {DW_OP_lit8, DW_OP_minus};
	union row made = {.row = {.cfa = {.how = PRF_CFI_IS_EXPRESSION,
					  .expression = cfa,
					  .expression_bytes = sizeof cfa},
				  .return_register = RETURN}};
	struct prf_registers from = few_registers(), caller;

	words[1] = 0x3000;
	for (enum prf_cfi_how how = PRF_CFI_AT_EXPRESSION;
	     how <= PRF_CFI_IS_EXPRESSION; how++)
		made.row.rules[made.row.n_rules++] = (struct prf_cfi_rule){
			.how = (uint8_t)how,
			.of = how == PRF_CFI_AT_EXPRESSION ? RETURN : RBX,
			.expression = minus_8,
			.expression_bytes = sizeof minus_8};
	ck_assert_int_eq(step(&made, &from, &caller), PRF_STACK_NONE);
	ck_assert_uint_eq(caller.pc, 0x3000);
	ck_assert_uint_eq(caller.values[RBX], STACK + 8);
	ck_assert_uint_eq(caller.values[RSP], STACK + 16);
}
END_TEST

START_TEST(aarch64_has_its_return_address_in_a_register_perhaps_signed)
{
	const struct prf_machine *machine = prf_machine_of(EM_AARCH64);
	union row made = row_of(SP, 0, X30);
	struct prf_registers from = {.pc = 0x1000}, caller;

	prf_registers_set(&from, SP, STACK);
	prf_registers_set(&from, X30, UINT64_C(0x007f000000002000));
	ck_assert_int_eq(prf_step(machine, UINT64_C(0x007f000000000000),
				  &memory, &made.row, &from, &caller),
			 PRF_STACK_NONE);
	ck_assert_uint_eq(caller.pc, UINT64_C(0x007f000000002000));
	made.row.return_signed = true;
	ck_assert_int_eq(prf_step(machine, UINT64_C(0x007f000000000000),
				  &memory, &made.row, &from, &caller),
			 PRF_STACK_NONE);
	ck_assert_uint_eq(caller.pc, 0x2000);
	ck_assert_uint_eq(caller.values[SP], STACK);
}
END_TEST

START_TEST(aarch64_may_have_tags_in_its_pointers)
{
	const uint64_t tag = UINT64_C(0x0b) << 56;
	const struct prf_machine *machine = prf_machine_of(EM_AARCH64);
	struct prf_registers_memory its = memory;
	union row made = row_of(X29, 16, X30);
	struct prf_registers from = {.pc = 0x1000}, caller;

	its.address_mask = machine->address_mask;
	words[0] = tag | 0x5000;
	words[1] = 0x2000;
	prf_registers_set(&from, X29, tag | STACK);
	add_rule(&made, X29, PRF_CFI_AT, -16);
	add_rule(&made, X30, PRF_CFI_AT, -8);
	ck_assert_int_eq(prf_step(machine, 0, &its, &made.row, &from, &caller),
			 PRF_STACK_NONE);
	ck_assert_uint_eq(caller.pc, 0x2000);
	ck_assert_uint_eq(caller.values[SP], STACK + 16);
	/* It is the program's own. */
	ck_assert_uint_eq(caller.values[X29], tag | 0x5000);
}
END_TEST

START_TEST(aarch64_saves_nothing_in_its_callers_part_of_the_stack)
{
	union row made = row_of(SP, 16, X30);
	struct prf_registers from = {.pc = 0x1000}, caller;

	words[3] = 0x2000;
	prf_registers_set(&from, SP, STACK);
	add_rule(&made, X30, PRF_CFI_AT, 8);
	ck_assert_int_eq(prf_step(prf_machine_of(EM_AARCH64), 0, &memory,
				  &made.row, &from, &caller),
			 PRF_STACK_NONE);
	ck_assert_uint_eq(caller.pc, 0x2000);
	ck_assert_uint_eq(caller.values[SP], STACK + 32);
}
END_TEST

/* How large the frame is, is told by where the return address was found. */
START_TEST(a_frame_is_not_found_by_the_least_stack_pointer)
{
	const struct prf_machine *machine = prf_machine_of(EM_AARCH64);
	union row made = row_of(SP, 48, X30);
	struct prf_registers from = {.pc = 0x1000}, caller;

	words[4] = 0x7100;
	words[5] = 0x2000;
	prf_registers_set(&from, SP, STACK);
	from.sp_is_least = true;
	add_rule(&made, X29, PRF_CFI_AT, -32);
	add_rule(&made, X30, PRF_CFI_AT, -24);
	ck_assert_int_eq(
		prf_step(machine, 0, &memory, &made.row, &from, &caller),
		PRF_STACK_NO_CFI);
	ck_assert_int_eq(prf_step_at(machine, 0, &memory, &made.row, STACK + 40,
				     &from, &caller),
			 PRF_STACK_NONE);
	ck_assert_uint_eq(caller.pc, 0x2000);
	ck_assert_uint_eq(caller.values[X29], 0x7100);
	ck_assert_uint_eq(caller.values[SP], STACK + 64);
	ck_assert(!caller.sp_is_least);
}
END_TEST

START_TEST(i386_has_words_of_4_bytes)
{
	enum { EBX = 3, ESP = 4, EIP = 8 };
	static const uint8_t deref[] = {DW_OP_breg4, 8, DW_OP_deref};
	struct prf_registers_memory its = memory;
	union row made = row_of(ESP, 8, EIP);
	struct prf_registers from = {.pc = 0x1000}, caller;

	its.word_bytes = 4;
	its.address_mask = UINT32_MAX;
	words[0] = UINT64_C(0x0000200000000abc);
	words[1] = UINT64_C(0x1111111122222222);
	prf_registers_set(&from, ESP, STACK);
	add_rule(&made, EBX, PRF_CFI_IS_EXPRESSION, 0);
	made.row.rules[0].expression = deref;
	made.row.rules[0].expression_bytes = sizeof deref;
	add_rule(&made, EIP, PRF_CFI_AT, -4);
	ck_assert_int_eq(prf_step(prf_machine_of(EM_386), 0, &its, &made.row,
				  &from, &caller),
			 PRF_STACK_NONE);
	ck_assert_uint_eq(caller.pc, 0x2000);
	ck_assert_uint_eq(caller.values[ESP], STACK + 8);
	ck_assert_uint_eq(caller.values[EBX], 0x22222222);
}
END_TEST

START_TEST(other_machines_are_not_known)
{
	ck_assert_ptr_null(prf_machine_of(EM_SPARC));
	ck_assert_ptr_null(prf_machine_of(EM_NONE));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("step");
	TCase *tcase = tcase_create("step");

	tcase_add_test(tcase, a_caller_has_what_was_saved);
	tcase_add_test(tcase, what_is_lost_is_not_known);
	tcase_add_loop_test(tcase, what_was_popped_is_where_it_was, 0, 2);
	tcase_add_test(tcase, a_stack_ends_for_a_reason);
	tcase_add_test(tcase,
		       expressions_begin_with_the_cfa_but_that_of_the_cfa);
	tcase_add_test(
		tcase,
		aarch64_has_its_return_address_in_a_register_perhaps_signed);
	tcase_add_test(tcase, aarch64_may_have_tags_in_its_pointers);
	tcase_add_test(tcase,
		       aarch64_saves_nothing_in_its_callers_part_of_the_stack);
	tcase_add_test(tcase, a_frame_is_not_found_by_the_least_stack_pointer);
	tcase_add_test(tcase, i386_has_words_of_4_bytes);
	tcase_add_test(tcase, other_machines_are_not_known);
	suite_add_tcase(suite, tcase);
	return suite;
}
