#include "live/ring/ring_records.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>

/* Bits and numbers that C library headers may be too old for. */
enum {
	MISC_CPU_MODE = 7,
	MISC_KERNEL = 1,
	MISC_COMM_EXEC = 1 << 13,
	MISC_MMAP_BUILD_ID = 1 << 14,
	RECORD_MMAP2 = 10,
};

/* The bytes of one record that have not been read yet. */
struct rest {
	const uint8_t *at;
	size_t n;
};

static bool
take(struct rest *rest, void *to, size_t n_bytes)
{
	if (rest->n < n_bytes)
		return false;
	memcpy(to, rest->at, n_bytes);
	rest->at += n_bytes;
	rest->n -= n_bytes;
	return true;
}

static bool
take_registers(struct rest *rest, uint64_t wanted,
	       struct prf_ring_sample *sample)
{
	uint64_t abi;

	if (!take(rest, &abi, sizeof abi) || abi > PRF_RING_ABI_64)
		return false;
	sample->abi = (enum prf_ring_abi)abi;
	if (abi == PRF_RING_NO_REGISTERS)
		return true;
	for (; wanted; wanted &= wanted - 1)
		if (!take(rest, &sample->registers[__builtin_ctzll(wanted)],
			  sizeof(uint64_t)))
			return false;
	return true;
}

/* Addresses, among which are marks of whose they are: these are the highest
 * numbers, and only the kernel's were asked for. */
static bool
take_kernel(struct rest *rest, struct prf_ring_sample *sample)
{
	uint64_t n, addr;

	if (!take(rest, &n, sizeof n) || n > rest->n / sizeof addr)
		return false;
	for (; n && take(rest, &addr, sizeof addr); n--)
		if (addr < PERF_CONTEXT_MAX &&
		    sample->n_kernel < PRF_RING_KERNEL_CALLS)
			sample->kernel[sample->n_kernel++] = addr;
	return true;
}

/* The kernel takes as much room as was asked for, and says behind it how much of
 * that it could read. */
static bool
take_stack(struct rest *rest, struct prf_ring_sample *sample)
{
	uint64_t room, n_bytes;

	if (!take(rest, &room, sizeof room))
		return false;
	if (room == 0)
		return true;
	if (room > rest->n)
		return false;
	sample->stack = rest->at;
	rest->at += room;
	rest->n -= room;
	if (!take(rest, &n_bytes, sizeof n_bytes) || n_bytes > room)
		return false;
	sample->stack_bytes = n_bytes;
	sample->is_stack_full = n_bytes == room;
	return true;
}

static bool
take_clock(struct rest *rest, bool is_in_group, struct prf_ring_sample *sample)
{
	uint64_t n = 1;

	if (is_in_group && !take(rest, &n, sizeof n))
		return false;
	if (n == 0 || n > rest->n / sizeof sample->clock_ns)
		return false;
	memcpy(&sample->clock_ns, rest->at, sizeof sample->clock_ns);
	rest->at += n * sizeof sample->clock_ns;
	rest->n -= n * sizeof sample->clock_ns;
	return true;
}

static bool
take_sample(struct rest *rest, const struct prf_ring_records *records,
	    struct prf_ring_record *record)
{
	struct prf_ring_sample *sample = &record->sample;
	int32_t ids[2];

	if (!take(rest, ids, sizeof ids) ||
	    !take(rest, &sample->time_ns, sizeof sample->time_ns) ||
	    !take_clock(rest, records->is_in_group, sample))
		return false;
	sample->pid = ids[0];
	sample->tid = ids[1];
	sample->stack = NULL;
	sample->stack_bytes = 0;
	sample->is_stack_full = false;
	sample->n_kernel = 0;
	return (!records->with_kernel || take_kernel(rest, sample)) &&
	       take_registers(rest, records->registers, sample) &&
	       (!records->with_stacks || take_stack(rest, sample));
}

static bool
take_lost(struct rest *rest, struct prf_ring_record *record)
{
	uint64_t id;

	return take(rest, &id, sizeof id) &&
	       take(rest, &record->n_lost, sizeof record->n_lost);
}

static bool
take_mapping(struct rest *rest, uint16_t misc, struct prf_ring_record *record)
{
	struct prf_ring_mapping *mapping = &record->mapping;
	struct {
		int32_t pid, tid;
		uint64_t addr, size, file_off;
		uint32_t major, minor;
		uint64_t inode, generation;
		uint32_t prot, flags;
	} abi;

	if (misc & MISC_MMAP_BUILD_ID || !take(rest, &abi, sizeof abi) ||
	    !memchr(rest->at, '\0', rest->n) || !abi.size ||
	    abi.addr + (abi.size - 1) < abi.addr)
		return false;
	*mapping = (struct prf_ring_mapping){
		.is_executable = abi.prot & PROT_EXEC,
		.addr = abi.addr,
		.size = abi.size,
		.file_off = abi.file_off,
		.inode = abi.inode,
		.major = abi.major,
		.minor = abi.minor,
		.is_shared = abi.flags & MAP_SHARED,
		.name = (const char *)rest->at,
	};
	return true;
}

static bool
decode(struct rest *rest, const struct perf_event_header *header,
       const struct prf_ring_records *records, struct prf_ring_record *record)
{
	record->kind = PRF_RING_OTHER;
	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		record->kind = PRF_RING_SAMPLE;
		record->sample.in_kernel =
			(header->misc & MISC_CPU_MODE) == MISC_KERNEL;
		return take_sample(rest, records, record);
	case PERF_RECORD_LOST:
		record->kind = PRF_RING_LOST;
		return take_lost(rest, record);
	case RECORD_MMAP2:
		record->kind = PRF_RING_MAPPING;
		return take_mapping(rest, header->misc, record);
	case PERF_RECORD_COMM:
		if (header->misc & MISC_COMM_EXEC)
			record->kind = PRF_RING_EXEC;
		return true;
	default:
		return true;
	}
}

/* The next N_BYTES, in one piece. */
static const uint8_t *
look_at(const struct prf_ring_records *records, size_t n_bytes)
{
	uint64_t off = records->tail & (records->size - 1);
	uint64_t to_end = records->size - off;

	if (n_bytes <= to_end)
		return records->bytes + off;
	memcpy(records->record, records->bytes + off, to_end);
	memcpy(records->record + to_end, records->bytes, n_bytes - to_end);
	return records->record;
}

int
prf_ring_records_next(struct prf_ring_records *records,
		      struct prf_ring_record *record)
{
	uint64_t n_bytes = records->head - records->tail;
	struct perf_event_header header;

	if (!n_bytes)
		return 0;
	if (n_bytes > records->size || n_bytes < sizeof header)
		goto senseless;
	memcpy(&header, look_at(records, sizeof header), sizeof header);
	if (header.size < sizeof header || header.size > n_bytes)
		goto senseless;
	struct rest rest = {look_at(records, header.size), header.size};
	rest.at += sizeof header;
	rest.n -= sizeof header;
	if (!decode(&rest, &header, records, record))
		goto senseless;
	records->tail += header.size;
	return 1;
senseless:
	records->tail = records->head;
	return -EBADMSG;
}
