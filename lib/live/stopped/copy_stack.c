#include "live/stopped/copy_stack.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/scope.h"
#include "image/syscalls.h"
#include "live/proc/memory.h"
#include "live/proc/stat.h"
#include "live/stopped/mapwatch.h"
#include "live/stopped/stack_place.h"
#include "unwind/machine.h"
#include "unwind/sigreturn.h"
#include "unwind/stack_needs.h"

enum {
	/* And no machine has a larger red zone. */
	MOST_BYTES = PRF_STACK_MOST_BYTES + 128 + PRF_STACK_BEHIND_BYTES,
};

_Static_assert((int)PRF_STACK_NEEDS_MOST <= (int)PRF_STACK_MOST_BYTES,
	       "there is room for what is needed");

struct prf_copier {
	struct prf_stack_copy *copy;         /* with MOST_BYTES of memory */
	size_t used_bytes;                   /* of these */
	const struct prf_stack_needs *needs; /* lent, or NULL */
	bool is_warm;
	/* The same for all threads of a machine, and known from the first stop
	 * on. */
	bool is_signature_known;
	uint64_t signature;
	uint64_t vector_granules; /* as in struct prf_registers */
};

struct prf_copier *
prf_copier_new(void)
{
	struct prf_copier *copier = calloc(1, sizeof *copier);

	if (!copier)
		return NULL;
	/* Unless it is warmed, only what a stack was ever copied to takes
	 * memory. */
	copier->copy = malloc(sizeof *copier->copy + MOST_BYTES);
	if (!copier->copy) {
		free(copier);
		return NULL;
	}
	if (prf_arch.vector_granules)
		copier->vector_granules = prf_arch.vector_granules();
	return copier;
}

void
prf_copier_warm(struct prf_copier *copier)
{
	uint8_t *memory = copier->copy->memory;

	if (copier->is_warm)
		return;
	memset(memory, 0, MOST_BYTES);
	/* The kernel's own first write to a page takes some 10 us, where this is a
	 * virtual machine. */
	PRF_AUTO(prf_auto_close)
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	ssize_t n = 1;
	for (size_t at = 0; zero >= 0 && at < MOST_BYTES && n > 0;
	     at += (size_t)n)
		n = read(zero, memory + at, MOST_BYTES - at);
	copier->is_warm = true;
}

void
prf_copier_free(struct prf_copier *copier)
{
	if (!copier)
		return;
	free(copier->copy);
	free(copier);
}

void
prf_copier_ask(struct prf_copier *copier, const struct prf_stack_needs *needs)
{
	copier->needs = needs;
}

static bool
ask_for_mapping(const struct prf_task *task, uint64_t addr,
		struct prf_stack_mapping *mapping)
{
	char name[PRF_PROCMAP_NAME_BYTES];
	struct prf_procmap map;

	if (!task->process->maps ||
	    prf_mapwatch_find(task->process->maps, task->tid, addr, &map, name))
		return false;
	*mapping = (struct prf_stack_mapping){
		.addr = map.addr,
		.end = map.addr + map.size,
		.is_main = strcmp(name, "[stack]") == 0,
	};
	return true;
}

/* TASK is met elsewhere at first, as in a handler: the first thread has its usual
 * stack where the program's arguments are. */
static void
learn_main(struct prf_task *task)
{
	struct prf_stack_mapping mapping;
	struct prf_stat_strings strings;

	if (task->tid == task->process->pid &&
	    !prf_stat_read_strings(task->tid, &strings) && strings.args &&
	    ask_for_mapping(task, strings.args, &mapping) && mapping.is_main)
		prf_stack_place_learn(&task->stack, &mapping);
}

/* The mapping that holds SP; NULL: there is none. */
static const struct prf_stack_mapping *
find_mapping(struct prf_task *task, uint64_t sp)
{
	const struct prf_stack_mapping *known =
		prf_stack_place_find(&task->stack, sp);
	struct prf_stack_mapping mapping;

	if (known)
		return known;
	if (!ask_for_mapping(task, sp, &mapping))
		return NULL;
	if (!task->stack.usual.end && !mapping.is_main)
		learn_main(task);
	prf_stack_place_learn(&task->stack, &mapping);
	return prf_stack_place_find(&task->stack, sp);
}

/* Adds the N_BYTES at ADDR, as far as they can be read, to the copy. */
static void
add_range(struct prf_copier *copier, struct prf_task *task, uint64_t addr,
	  size_t n_bytes)
{
	struct prf_stack_copy *copy = copier->copy;
	struct prf_memory **memory = &task->process->memory;

	if (!*memory)
		*memory = prf_memory_new();
	if (!*memory)
		return;
	n_bytes = prf_memory_read(*memory, task->tid, addr,
				  copy->memory + copier->used_bytes, n_bytes,
				  PRF_REGISTERS_ABSENT);
	if (!n_bytes)
		return;
	copy->ranges[copy->n_ranges++] =
		(struct prf_stack_range){addr, (uint32_t)n_bytes};
	copier->used_bytes += n_bytes;
}

/* SP, which is in MAPPING, or what a function may have below it. */
static uint64_t
below_sp(const struct prf_stack_mapping *mapping, uint64_t sp)
{
	uint64_t n_bytes = sp - mapping->addr;

	return sp - (n_bytes < prf_arch.red_zone_bytes
			     ? n_bytes
			     : prf_arch.red_zone_bytes);
}

/* The mapping of *OUTER, where the stack of TASK, which is at SP, goes on outside
 * of what was copied: by the frame of a signal, or else in the usual one, if
 * something on another leads there.  NULL: nothing does. */
static const struct prf_stack_mapping *
find_outer(const struct prf_copier *copier, struct prf_task *task, uint64_t sp,
	   uint64_t *outer)
{
	const struct prf_stack_copy *copy = copier->copy;
	const struct prf_machine *machine = prf_machine_of(copy->machine);
	const uint64_t into = sp - copy->ranges[0].addr;

	if (machine && into < copier->used_bytes &&
	    prf_sigreturn_outer(machine, copy->memory + into,
				copier->used_bytes - into, sp, outer))
		return find_mapping(task, *outer);
	if (!prf_stack_place_is_elsewhere(&task->stack, sp))
		return NULL;
	*outer = prf_stack_place_behind(&task->stack.usual, copy->memory,
					copier->used_bytes,
					task->process->addr_bytes);
	return *outer ? &task->stack.usual : NULL;
}

/* What TASK has on its stack elsewhere is added.  True: on its usual one. */
static bool
add_outer(struct prf_copier *copier, struct prf_task *task, uint64_t sp)
{
	uint64_t outer;
	const struct prf_stack_mapping *mapping =
		find_outer(copier, task, sp, &outer);

	if (!mapping)
		return false;
	uint64_t addr = below_sp(mapping, outer), end = mapping->end;
	const uint64_t copied = copier->copy->ranges[0].addr;

	/* The stack of a handler may be a part of the usual one. */
	if (addr < copied && copied < end)
		end = copied;
	if (end - addr > PRF_STACK_BEHIND_BYTES)
		end = addr + PRF_STACK_BEHIND_BYTES;
	add_range(copier, task, addr, end - addr);
	return mapping == &task->stack.usual;
}

static void
add_stack(struct prf_copier *copier, struct prf_task *task, uint64_t sp)
{
	const struct prf_stack_mapping *mapping = find_mapping(task, sp);

	if (!mapping)
		return;
	uint64_t addr = below_sp(mapping, sp);
	size_t shared_bytes =
		copier->needs ? prf_stack_needs_bytes(copier->needs,
						      task->process->pid)
			      : PRF_STACK_MOST_BYTES;
	size_t n_bytes = prf_stack_place_bytes(mapping, sp, shared_bytes);

	add_range(copier, task, addr, sp - addr + n_bytes);
	copier->copy->goes_on = prf_stack_place_is_shared(mapping, sp);
	bool is_behind =
		copier->copy->n_ranges > 0 && add_outer(copier, task, sp);
	prf_stack_place_visit(&task->stack, sp, is_behind);
}

/* That of threads which cannot be asked. */
static uint64_t
known_signature(const struct prf_copier *copier)
{
	return copier->is_signature_known ? copier->signature
					  : prf_arch.signature(0);
}

/* The registers are there: adds the memory that the stack pointer leads to. */
static const struct prf_stack_copy *
complete(struct prf_copier *copier, struct prf_task *task, uint64_t sp,
	 size_t *n_bytes)
{
	struct prf_stack_copy *copy = copier->copy;
	const struct prf_machine *machine = prf_machine_of(copy->machine);

	copier->used_bytes = 0;
	copy->registers.vector_granules = copier->vector_granules;
	copy->n_ranges = 0;
	copy->goes_on = false;
	copy->is_full = false;
	copy->signature = known_signature(copier);
	add_stack(copier, task, machine ? sp & machine->address_mask : sp);
	*n_bytes = sizeof *copy + copier->used_bytes;
	return copy;
}

const struct prf_stack_copy *
prf_copier_copy(struct prf_copier *copier, struct prf_task *task,
		const struct prf_regs *regs, size_t *n_bytes)
{
	struct prf_stack_copy *copy = copier->copy;

	if (!copier->is_signature_known)
		copier->signature = prf_arch.signature(task->tid);
	copier->is_signature_known = true;
	copy->machine = prf_arch.number(regs, &copy->registers);
	return complete(copier, task, regs->sp, n_bytes);
}

const struct prf_stack_copy *
prf_copier_copy_blocked(struct prf_copier *copier, struct prf_task *task,
			const struct prf_position *position, size_t *n_bytes)
{
	struct prf_stack_copy *copy = copier->copy;

	copy->machine = prf_syscall_machine(task->process->addr_bytes);
	copy->registers = (struct prf_registers){.pc = position->pc};
	const struct prf_machine *machine = prf_machine_of(copy->machine);
	if (machine)
		prf_registers_set(&copy->registers, machine->stack_pointer,
				  position->sp);
	return complete(copier, task, position->sp, n_bytes);
}

const struct prf_stack_copy *
prf_copier_copy_noted(struct prf_copier *copier,
		      const struct prf_noted_stack *noted, size_t *n_bytes)
{
	struct prf_stack_copy *copy = copier->copy;
	size_t n = noted->n_bytes < MOST_BYTES ? noted->n_bytes : MOST_BYTES;

	copy->machine = prf_arch.number_noted(
		noted->registers, noted->is_32_bit, &copy->registers);
	copy->registers.vector_granules = copier->vector_granules;
	copy->signature = known_signature(copier);
	copy->n_ranges = 1;
	copy->goes_on = false;
	copy->is_full = noted->is_full;
	copy->ranges[0] = (struct prf_stack_range){noted->sp, (uint32_t)n};
	memcpy(copy->memory, noted->stack, n);
	*n_bytes = sizeof *copy + n;
	return copy;
}
