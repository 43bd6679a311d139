/* arch.h - all that depends on the machine. configure chooses which file of
 * arch/ is compiled; it fills one const struct. */
#ifndef PRF_LIVE_ARCH_H
#define PRF_LIVE_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "live/call_origin.h"
#include "unwind/registers.h"

/* Registers of a stopped thread.  The first members are what every machine
 * has; raw is the kernel's own block, to be changed by this file's functions
 * and written back whole. */
struct prf_regs {
	uint64_t pc, sp;
	int32_t syscall;       /* number of the system call that is being left;
			     * PRF_NO_SYSCALL: the thread has stopped in user
			     * mode */
	int64_t result;        /* of that call; -errno when it failed; its own
			     * number when it is about to be made again */
	bool call_is_inferred; /* the kernel does not say: where the thread
				* stands does */
	uint8_t addr_bytes;    /* 4: a 32-bit program */
	uint64_t raw[40];
	size_t raw_bytes;
};

/* Registers of a stopped thread that prf_regs lacks, as the kernel's regset of
 * TYPE has them. */
struct prf_vectors {
	int type;
	void *data; /* NULL: there are none */
	size_t bytes;
};

#define PRF_ARCH_MAX_INSN 8

struct prf_arch {
	const char *name;
	/* The Linux from which on the signal of a CPU timer waits for the end of
	 * the system call in which its thread is. */
	struct {
		int major, minor;
	} timers_wait_since;
	/* The instruction that makes a system call. */
	uint8_t syscall_insn[PRF_ARCH_MAX_INSN];
	size_t syscall_insn_bytes;
	/* Bytes below the stack pointer that the program may be using. */
	size_t red_zone_bytes;

	/* -ESRCH: the thread has ended; -ENOSYS: not a program of this
	 * machine, though pc is right. */
	int (*read)(pid_t tid, struct prf_regs *regs);
	/* Makes REGS those of a thread about to make system call NUMBER with
	 * the instruction at INSN_ADDR. */
	void (*set_call)(struct prf_regs *regs, uint64_t insn_addr, long number,
			 const uint64_t args[6]);
	/* Makes REGS go on at PC. */
	void (*set_pc)(struct prf_regs *regs, uint64_t pc);
	/* Makes REGS, which are TID's, those of a thread that calls again what is
	 * about to fail with EINTR.  False: that cannot be done. */
	bool (*rewind_call)(pid_t tid, struct prf_regs *regs);
	/* Has the thread of REGS, which stands where rewind_call left it, not run
	 * since? */
	bool (*is_rewound)(const struct prf_regs *regs);
	/* The opposite: the call fails with EINTR after all. */
	void (*undo_rewind)(struct prf_regs *regs);
	/* The thread was asleep in a call, and would have gone on at SLEPT_AT,
	 * when we asked it to stop: that the kernel is to go on with the call is not
	 * inferred any more.  NULL: it never is. */
	void (*note_sleep)(struct prf_regs *regs, uint64_t slept_at);
	/* The arguments of the call that the thread of REGS is inferred to be in; false:
	 * the first of them is gone.  NULL: no call is inferred. */
	bool (*inferred_args)(const struct prf_regs *regs, uint64_t args[6]);
	/* Makes REGS those of a thread that leaves a call so that the kernel is
	 * to go on with that of INTERRUPTED.  NULL: any thread in a call will do. */
	void (*set_restart)(struct prf_regs *regs,
			    const struct prf_regs *interrupted);
	/* Reads those registers of TID that any system call destroys.  Their data
	 * is to be free()d.  NULL: there are none. */
	int (*read_vectors)(pid_t tid, struct prf_vectors *vectors);
	/* Fills REGISTERS, by DWARF's numbers.  Returns the machine, EM_...,
	 * that has them. */
	uint16_t (*number)(const struct prf_regs *regs,
			   struct prf_registers *registers);
	/* Of a thread that is not stopped, but that the kernel samples: the
	 * registers that it is to note, by perf's numbers; and where callers
	 * are to be found, too.  0: it cannot. */
	uint64_t perf_registers, perf_stack_registers;
	/* Fills pc, sp, addr_bytes and syscall, which may be PRF_SOME_SYSCALL,
	 * or PRF_PAGE_FAULT for all else in the kernel, from the VALUES of
	 * those, by their numbers. */
	void (*view_noted)(const uint64_t *values, bool is_32_bit,
			   bool in_kernel, struct prf_regs *regs);
	/* Like number, from the VALUES of perf_stack_registers. */
	uint16_t (*number_noted)(const uint64_t *values, bool is_32_bit,
				 struct prf_registers *registers);
	/* Where the number of a system call, which is the last instruction of
	 * TEXT, comes from; or NUMBER_REGISTER, if it is not
	 * PRF_CALL_NUMBER_REGISTER, of a call of a function. */
	struct prf_call_origin (*call_origin)(const struct prf_call_text *text,
					      int number_register);
	/* So much above the stack pointer may be needed to tell it. */
	uint32_t call_stack_bytes;
	/* Bits of return addresses that a signature takes, of TID, which is
	 * stopped; or, of 0, those that it mostly takes.  0: none. */
	uint64_t (*signature)(pid_t tid);
	/* How many times 8 bytes a vector has whose length is the processor's, as
	 * programs are started with; 0: there is none.  NULL: there never is. */
	uint64_t (*vector_granules)(void);
};

extern const struct prf_arch prf_arch;

/* Gives a stopped thread the registers of REGS->raw. -ESRCH: it has ended. */
int prf_arch_write(pid_t tid, const struct prf_regs *regs);
/* Gives it VECTORS, if there are any. */
int prf_arch_write_vectors(pid_t tid, const struct prf_vectors *vectors);

#endif
