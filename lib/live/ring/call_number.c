#include "live/ring/call_number.h"

#include <endian.h>
#include <stdbool.h>
#include <string.h>

#include "core/sample.h"
#include "live/arch.h"
#include "live/proc/memory.h"
#include "live/stopped/mapwatch.h"

enum { TEXT_BYTES = 64, PAGE_BYTES = 4096 };

/* Reads up to TEXT_BYTES before ADDR; those of another page may not be there. */
static size_t
read_text(const struct prf_task *task, uint64_t addr, uint8_t *text)
{
	struct prf_memory **memory = &task->process->memory;
	const size_t in_page = addr % PAGE_BYTES;
	const size_t sizes[] = {TEXT_BYTES, in_page};

	if (!*memory)
		*memory = prf_memory_new();
	for (size_t i = 0; *memory && i < sizeof sizes / sizeof *sizes; i++)
		if (sizes[i] <= TEXT_BYTES && addr >= sizes[i] &&
		    prf_memory_read(*memory, task->tid, addr - sizes[i], text,
				    sizes[i], 0) == sizes[i])
			return sizes[i];
	return 0;
}

static struct prf_call_origin
read_origin(const struct prf_task *task, uint64_t addr, int number_register)
{
	uint8_t bytes[TEXT_BYTES];
	const struct prf_call_text text = {
		.bytes = bytes,
		.n_bytes = read_text(task, addr, bytes),
		.end = addr,
		.addr_bytes = task->process->addr_bytes,
	};

	return prf_arch.call_origin(&text, number_register);
}

static struct prf_call_origin
find_origin(struct prf_call_sites *sites, const struct prf_task *task,
	    uint64_t addr, int number_register)
{
	struct prf_procmap map;
	struct prf_call_site site = {.number_register = number_register};
	struct prf_call_origin origin;

	if (prf_mapwatch_told(task->process->maps, addr, &map)) {
		site.dev = map.dev;
		site.inode = map.inode;
		site.off = map.file_off + (addr - map.addr);
	}
	if (site.inode && prf_call_sites_find(sites, &site, &origin))
		return origin;
	origin = read_origin(task, addr, number_register);
	if (site.inode && origin.kind != PRF_CALL_UNKNOWN)
		prf_call_sites_learn(sites, &site, &origin);
	return origin;
}

/* The word that is AT bytes above the stack pointer. */
static bool
stack_word(const struct prf_ring_sample *sample, size_t at, uint64_t *word)
{
	if (!sample->stack || at > sample->stack_bytes ||
	    sample->stack_bytes - at < sizeof *word)
		return false;
	memcpy(word, sample->stack + at, sizeof *word);
	*word = le64toh(*word);
	return true;
}

/* Numbers that no call can have are others' values. */
static int32_t
number_of(uint64_t value)
{
	enum { MOST_CALLS = 1024 };

	return value < MOST_CALLS ? (int32_t)value : PRF_SOME_SYSCALL;
}

int32_t
prf_call_number(struct prf_call_sites *sites, const struct prf_task *task,
		const struct prf_ring_sample *sample, uint64_t pc)
{
	struct prf_call_origin origin =
		find_origin(sites, task, pc, PRF_CALL_NUMBER_REGISTER);
	size_t above = 0; /* the stack pointer, where the caller has its own */
	uint64_t value;

	if (origin.kind == PRF_CALL_PARAMETER) {
		if (!stack_word(sample, 0, &value))
			return PRF_SOME_SYSCALL;
		origin = find_origin(sites, task, value, origin.value);
		above = sizeof value;
	}
	switch (origin.kind) {
	case PRF_CALL_NONE:
		return PRF_PAGE_FAULT;
	case PRF_CALL_NUMBER:
		return number_of((uint64_t)(int64_t)origin.value);
	case PRF_CALL_REGISTER:
		return number_of(sample->registers[origin.value]);
	case PRF_CALL_STACK:
		return stack_word(sample, above + (size_t)origin.value, &value)
			       ? number_of(value)
			       : PRF_SOME_SYSCALL;
	case PRF_CALL_UNKNOWN:
	case PRF_CALL_PARAMETER: /* as the caller was */
		break;
	}
	return PRF_SOME_SYSCALL;
}
