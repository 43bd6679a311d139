#include "unwind/step.h"

#include <errno.h>

#include "unwind/expression.h"

/* What a step is made of. */
struct step {
	const struct prf_registers_memory *memory;
	const struct prf_registers *from;
	uint64_t cfa;
};

static int
expression_value(const struct step *step, const struct prf_cfi_rule *rule,
		 const uint64_t *first, uint64_t *value)
{
	return prf_expression_value(rule->expression, rule->expression_bytes,
				    first, step->from, step->memory, value);
}

static int
find_cfa(struct step *step, const struct prf_cfi_rule *rule)
{
	if (rule->how == PRF_CFI_IS_EXPRESSION)
		return expression_value(step, rule, NULL, &step->cfa);
	if (!prf_registers_get(step->from, rule->other, &step->cfa))
		return -EINVAL;
	step->cfa += (uint64_t)rule->offset;
	return 0;
}

static int
load(const struct step *step, uint64_t addr, uint64_t *value)
{
	return prf_registers_load_word(step->memory, addr, value) ? 0 : -EFAULT;
}

/* The value that RULE gives.  -ENODATA: by it the register has none in the caller. */
static int
rule_value(const struct step *step, const struct prf_cfi_rule *rule,
	   uint64_t *value)
{
	uint64_t addr;
	int rc;

	switch (rule->how) {
	case PRF_CFI_AT:
		return load(step, step->cfa + (uint64_t)rule->offset, value);
	case PRF_CFI_IS:
		*value = step->cfa + (uint64_t)rule->offset;
		return 0;
	case PRF_CFI_REGISTER:
		return prf_registers_get(step->from, rule->other, value)
			       ? 0
			       : -EINVAL;
	case PRF_CFI_AT_EXPRESSION:
		rc = expression_value(step, rule, &step->cfa, &addr);
		return rc != 0 ? rc : load(step, addr, value);
	case PRF_CFI_IS_EXPRESSION:
		return expression_value(step, rule, &step->cfa, value);
	default:
		return -ENODATA;
	}
}

/* Why a stack ends, if what it needs next cannot be had. */
static enum prf_stack_end
end_of(int error)
{
	switch (error) {
	case 0:
		return PRF_STACK_NONE;
	case -EFAULT:
		return PRF_STACK_MEMORY;
	case -ENODATA:
		return PRF_STACK_COMPLETE;
	default:
		return PRF_STACK_NO_CFI;
	}
}

/* Is the place of RULE, which cannot be read, below the stack pointer?  What was
 * saved there is popped, though CFI need not say so (gcc's does not before a
 * return), and the register has its value again. */
static bool
is_popped(const struct step *step, uint8_t stack_pointer,
	  const struct prf_cfi_rule *rule)
{
	uint64_t slot = step->cfa + (uint64_t)rule->offset, sp;

	if (step->memory->address_mask)
		slot &= step->memory->address_mask;
	return rule->how == PRF_CFI_AT && rule->of != stack_pointer &&
	       prf_registers_get(step->from, stack_pointer, &sp) && slot < sp;
}

/* Gives CALLER what the rules of ROW say.  *ERROR is what is wrong with the
 * return address; other registers may be lost. */
static void
apply_rules(const struct step *step, uint8_t stack_pointer,
	    const struct prf_cfi_row *row, struct prf_registers *caller,
	    int *error)
{
	for (size_t i = 0; i < row->n_rules; i++) {
		const struct prf_cfi_rule *rule = &row->rules[i];
		uint64_t value;
		int rc = rule_value(step, rule, &value);

		if (rc == 0)
			prf_registers_set(caller, rule->of, value);
		else if (rc != -EFAULT || !is_popped(step, stack_pointer, rule))
			prf_registers_forget(caller, rule->of);
		if (rule->of == row->return_register)
			*error = rc;
	}
}

/* Where ROW says that the return address is, from the CFA on; false: it is in no
 * such place. */
static bool
return_offset(const struct prf_cfi_row *row, int64_t *offset)
{
	for (size_t i = 0; i < row->n_rules; i++)
		if (row->rules[i].of == row->return_register) {
			*offset = row->rules[i].offset;
			return row->rules[i].how == PRF_CFI_AT;
		}
	return false;
}

/* All that a function has saved is below the caller's part of the stack.  (That
 * glibc's resolver for aarch64 is given what a linkage stub has pushed, its CFI does
 * not tell.) */
static uint64_t
caller_sp(const struct step *step, const struct prf_machine *machine,
	  const struct prf_cfi_row *row)
{
	uint64_t sp = step->cfa;
	int64_t offset;

	if (machine->link_register != PRF_MACHINE_NO_REGISTER &&
	    return_offset(row, &offset) && offset >= 0)
		sp += (uint64_t)offset + machine->word_bytes;
	return sp & machine->address_mask;
}

static enum prf_stack_end
take_step(const struct step *step, const struct prf_machine *machine,
	  uint64_t signature, const struct prf_cfi_row *row,
	  struct prf_registers *caller)
{
	int error = 0;

	prf_registers_copy(caller, step->from);
	prf_registers_set(caller, machine->stack_pointer,
			  caller_sp(step, machine, row));
	caller->sp_is_least = false;
	/* It is no register: without a rule it is not known. */
	if (machine->return_address != PRF_MACHINE_NO_REGISTER)
		prf_registers_forget(caller, machine->return_address);
	apply_rules(step, machine->stack_pointer, row, caller, &error);
	if (error != 0)
		return end_of(error);
	if (!prf_registers_get(caller, row->return_register, &caller->pc))
		return PRF_STACK_NO_CFI;
	if (row->return_signed)
		caller->pc &= ~signature;
	return caller->pc == 0 ? PRF_STACK_COMPLETE : PRF_STACK_NONE;
}

enum prf_stack_end
prf_step(const struct prf_machine *machine, uint64_t signature,
	 const struct prf_registers_memory *memory,
	 const struct prf_cfi_row *row, const struct prf_registers *from,
	 struct prf_registers *caller)
{
	struct step step = {.memory = memory, .from = from};
	struct prf_registers without;

	if (from->sp_is_least) {
		prf_registers_copy(&without, from);
		prf_registers_forget(&without, machine->stack_pointer);
		step.from = &without;
	}
	int error = find_cfa(&step, &row->cfa);
	return error != 0 ? end_of(error)
			  : take_step(&step, machine, signature, row, caller);
}

enum prf_stack_end
prf_step_at(const struct prf_machine *machine, uint64_t signature,
	    const struct prf_registers_memory *memory,
	    const struct prf_cfi_row *row, uint64_t slot,
	    const struct prf_registers *from, struct prf_registers *caller)
{
	struct step step = {.memory = memory, .from = from};
	int64_t offset;

	if (!return_offset(row, &offset))
		return PRF_STACK_NO_CFI;
	step.cfa = slot - (uint64_t)offset;
	return take_step(&step, machine, signature, row, caller);
}
