#include "unwind/here.h"

struct prf_registers
registers_of(const ucontext_t *context)
{
	struct prf_registers registers = {.known = 0};

#if defined(__x86_64__)
	static const int order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX,
				    REG_RSI, REG_RDI, REG_RBP, REG_RSP,
				    REG_R8,  REG_R9,  REG_R10, REG_R11,
				    REG_R12, REG_R13, REG_R14, REG_R15};

	for (unsigned i = 0; i < 16; i++)
		prf_registers_set(
			&registers, i,
			(uint64_t)context->uc_mcontext.gregs[order[i]]);
	registers.pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	for (unsigned i = 0; i < 31; i++)
		prf_registers_set(&registers, i, context->uc_mcontext.regs[i]);
	prf_registers_set(&registers, 31, context->uc_mcontext.sp);
	registers.pc = context->uc_mcontext.pc;
#else
	(void)context;
#endif
	return registers;
}
