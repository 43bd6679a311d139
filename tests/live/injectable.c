#include "injectable.h"

#include "live/stopped/inject.h"
#include "support/suite.h"
#include "traced.h"

pid_t child;
struct prf_regs regs;
uint64_t insn_addr;

void
prf_injectable_begin(void (*run)(void))
{
	child = prf_traced_spinner(run, &regs);
	insn_addr = prf_inject_find_insn(child);
	ck_assert_uint_ne(insn_addr, 0);
}

int64_t
prf_injectable_call(long number)
{
	struct prf_injection injection;
	const uint64_t none[6] = {0};
	int64_t result = -1;

	ck_assert_int_eq(
		prf_inject_begin(&injection, child, &regs, insn_addr, "", 1),
		0);
	ck_assert_int_eq(prf_inject_call(&injection, number, none, &result), 0);
	ck_assert_int_eq(prf_inject_end(&injection), 0);
	return result;
}
