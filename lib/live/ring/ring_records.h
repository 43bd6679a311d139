/* ring_records.h - what the kernel writes into a ring for one thread: records
 * of perf_event_open(2), one behind the other, that go on at the ring's
 * beginning when they reach its end.  Pure: any bytes may stand there. */
#ifndef PRF_LIVE_RING_RING_RECORDS_H
#define PRF_LIVE_RING_RING_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"

enum prf_ring_kind {
	PRF_RING_SAMPLE,
	PRF_RING_LOST,    /* there was no room for some records */
	PRF_RING_MAPPING, /* memory is mapped, or becomes executable */
	PRF_RING_EXEC,    /* another program begins; with ticks: they were in
			   * execve(2), and not sampled, or where is not known */
	/* There are no such records: what was not sampled, because the kernel
	 * switched to the thread or away from it, or ended it. */
	PRF_RING_SWITCHING,
	PRF_RING_ENDING,
	PRF_RING_OTHER
};

/* What a sample has, in this order, and nothing else; but for calls inside the
 * kernel, if they are asked for, before the registers (PERF_SAMPLE_CALLCHAIN),
 * and a stack, which comes last (PERF_SAMPLE_STACK_USER). */
#define PRF_RING_SAMPLE_TYPE                                                   \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_READ |               \
	 PERF_SAMPLE_REGS_USER)

/* More registers no machine has. */
enum { PRF_RING_REGISTERS = 64 };

/* Calls inside the kernel beyond these are not told; they are the outermost. */
enum { PRF_RING_KERNEL_CALLS = 64 };

/* Of the kernel's struct perf_regs_abi. */
enum prf_ring_abi {
	PRF_RING_NO_REGISTERS,
	PRF_RING_ABI_32,
	PRF_RING_ABI_64,
};

struct prf_ring_sample {
	bool in_kernel;
	pid_t pid, tid;
	uint64_t time_ns;  /* CLOCK_MONOTONIC */
	uint64_t clock_ns; /* what the event has counted, or the first one of
			    * its group */
	enum prf_ring_abi abi;
	/* Of the program, also where the thread was in the kernel; by perf's
	 * numbers, as far as they were asked for. */
	uint64_t registers[PRF_RING_REGISTERS];
	/* The memory that the stack pointer leads to, as far as it could be
	 * read, in the record. */
	const uint8_t *stack;
	size_t stack_bytes;
	bool is_stack_full; /* it may go on behind that */
	/* Where in the kernel the thread was, innermost first: the instruction,
	 * and those behind the calls that led there. */
	uint32_t n_kernel;
	uint64_t kernel[PRF_RING_KERNEL_CALLS];
};

struct prf_ring_mapping {
	bool is_executable;
	uint64_t addr, size, file_off, inode;
	uint32_t major, minor; /* of the device */
	bool is_shared;
	const char *name; /* as /proc/PID/maps has it, in the record */
};

struct prf_ring_record {
	enum prf_ring_kind kind;
	union {
		struct prf_ring_sample sample;
		uint64_t n_lost;
		struct prf_ring_mapping mapping;
	};
};

/* A record that goes on at the ring's beginning is put together here. */
enum { PRF_RING_RECORD_BYTES = 1 << 16 };

/* The bytes from TAIL up to HEAD, both counted since the ring was made, of a
 * ring of SIZE bytes, a power of two. */
struct prf_ring_records {
	const uint8_t *bytes;
	uint64_t size, head, tail;
	uint8_t *record; /* of PRF_RING_RECORD_BYTES, lent */
	/* What was asked for: bit N is register N of perf's. */
	uint64_t registers;
	bool with_stacks, with_kernel;
	bool is_in_group; /* samples have what each event of a group has counted
			   * (PERF_FORMAT_GROUP) */
};

/* Takes the next record.  1: *RECORD, which lasts until the next call; 0: there
 * is none; -EBADMSG: what follows makes no sense, and is left out as a whole. */
int prf_ring_records_next(struct prf_ring_records *records,
			  struct prf_ring_record *record) PRF_MUST_CHECK;

#endif
