/* A sample with a copy of its stack, in a program that has this one's text mapped
 * twice, and code that was made.  The first three bytes say how callers are found
 * and whether the copy is to have one range, of all of its memory; on which
 * machine; and how much of the copy is missing.  All others are the copy. */
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "support/copied_stack.h"
#include "support/sample_sink.h"
#include "unwind/machine.h"
#include "unwind/stacks.h"

/* Addresses that a seed can have without a byte of 0. */
#define TEXT UINT64_C(0x0101010101010000)
enum { LOW_TEXT = 0x01010000, MADE = 0x40000000, MADE_BYTES = 0x10000 };
enum { PID = 7, MEND = 0x40 };
enum { HOW, MACHINE, MISSING, CONTROL_BYTES };
enum { SP_IS_LEAST = offsetof(struct prf_stack_copy, registers.sp_is_least) };

static void
must(bool ok)
{
	if (!ok)
		abort();
}

/* --- The next sink */

static int
take_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	(void)sink;
	must(!sample->stack_copy && sample->stack_copy_bytes == 0);
	must(sample->n_frames >= 1 &&
	     sample->n_frames <= PRF_STACKS_MAX_FRAMES);
	must(sample->end > PRF_STACK_NONE && sample->end < PRF_N_STACK_ENDS);
	must(sample->frames[0].kind == PRF_FRAME_PC);
	return 0;
}

/* --- The program */

/* This program's first executable segment. */
static int
find_text(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct prf_mapping *map = arg;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *phdr = &info->dlpi_phdr[i];

		if (phdr->p_type != PT_LOAD || !(phdr->p_flags & PF_X))
			continue;
		map->file_off = phdr->p_offset & ~(uint64_t)0xfff;
		map->size = (phdr->p_filesz + 0x1fff) & ~(uint64_t)0xfff;
		return 1;
	}
	return 1;
}

static struct prf_sink *
begin(enum prf_stacks_by by)
{
	static const struct prf_sink_ops ops = PRF_SAMPLE_SINK_OPS(take_sample);
	static struct prf_sink next = {&ops};
	static char path[4096];
	const struct prf_exec exec = {
		.pid = PID, .path = "", .command = "", .addr_bytes = 8};
	const struct prf_mapping made = {.pid = PID,
					 .kind = PRF_MAPPING_ANON,
					 .addr = MADE,
					 .size = MADE_BYTES,
					 .path = ""};
	struct prf_mapping text = {
		.pid = PID, .kind = PRF_MAPPING_FILE, .addr = TEXT};
	struct prf_error err;
	struct prf_sink *sink;
	struct stat st;

	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	must(n > 0 && stat(path, &st) == 0);
	text.path = path;
	text.inode = st.st_ino;
	dl_iterate_phdr(find_text, &text);
	must(prf_stacks_sink_new(&next, by, NULL, &sink, &err) == 0);
	sink->ops->exec(sink, &exec);
	sink->ops->mapping(sink, &text);
	text.addr = LOW_TEXT;
	sink->ops->mapping(sink, &text);
	sink->ops->mapping(sink, &made);
	return sink;
}

/* One range that begins where the stack pointer is, and registers that are all
 * known. */
static void
mend(struct prf_stack_copy *head, size_t n_bytes)
{
	const struct prf_machine *machine = prf_machine_of(head->machine);

	if (!machine)
		return;
	head->registers.known = (UINT64_C(1) << PRF_CFI_REGISTERS) - 1;
	head->n_ranges = 1;
	head->ranges[0] = (struct prf_stack_range){
		.addr = head->registers.values[machine->stack_pointer],
		.n_bytes = (uint32_t)n_bytes,
	};
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	static const uint16_t machines[] = {EM_X86_64, EM_386, EM_AARCH64,
					    EM_NONE};
	static struct prf_sink *sinks[PRF_STACKS_BY_FP + 1];
	struct prf_stack_copy head;

	if (n_bytes < CONTROL_BYTES + 1)
		return 0;
	enum prf_stacks_by by = bytes[HOW] % MEND % (PRF_STACKS_BY_FP + 1);
	if (!sinks[by])
		sinks[by] = begin(by);

	/* Of its own, so that what is read behind it is found out. */
	size_t n = n_bytes - CONTROL_BYTES;
	uint8_t *copy = malloc(n);
	must(copy);
	memcpy(copy, bytes + CONTROL_BYTES, n);
	uint64_t pc = 0;
	if (n >= sizeof head) {
		memcpy(&head, copy, sizeof head);
		head.registers.sp_is_least = copy[SP_IS_LEAST] & 1;
		head.machine = machines[bytes[MACHINE] % 4];
		if (bytes[HOW] & MEND)
			mend(&head, n - sizeof head);
		memcpy(copy, &head, sizeof head);
		pc = head.registers.pc;
	}
	n -= bytes[MISSING] < n ? bytes[MISSING] : 0;
	prf_copied_stack_sample(sinks[by], PID, pc, copy, n);
	free(copy);
	return 0;
}
