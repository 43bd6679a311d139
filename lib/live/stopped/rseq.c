#include "live/stopped/rseq.h"

#include <stddef.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "live/proc/bring.h"
#include "live/proc/reach.h"

/* The kernel's interface; older headers lack it. */
enum { GET_RSEQ_CONFIGURATION = 0x420f };

struct configuration_abi {
	uint64_t area_addr;
	uint32_t area_bytes, signature, flags, padding;
};

/* What a thread shares with the kernel: which sequence it is in. */
struct area_abi {
	uint32_t cpu_id_start, cpu_id;
	uint64_t sequence_addr;
};

struct sequence_abi {
	uint32_t version, flags;
	uint64_t start, bytes, abort;
};

static int
copy_out(pid_t tid, uint64_t addr, void *data, size_t bytes)
{
	struct iovec here = {data, bytes};
	struct iovec there = {(void *)(uintptr_t)addr, bytes};

	if (prf_bring(tid, addr, bytes))
		return -1;
	prf_reach_begin();
	ssize_t n = process_vm_readv(tid, &here, 1, &there, 1, 0);
	prf_reach_end();
	return n == (ssize_t)bytes ? 0 : -1;
}

uint64_t
prf_rseq_abort_addr(pid_t tid, uint64_t pc)
{
	struct configuration_abi configuration = {0};
	struct sequence_abi sequence;
	struct area_abi area;

	if (syscall(SYS_ptrace, GET_RSEQ_CONFIGURATION, tid,
		    sizeof configuration, &configuration) < 0 ||
	    !configuration.area_addr ||
	    copy_out(tid, configuration.area_addr, &area, sizeof area) ||
	    !area.sequence_addr ||
	    copy_out(tid, area.sequence_addr, &sequence, sizeof sequence))
		return 0;
	return pc - sequence.start < sequence.bytes ? sequence.abort : 0;
}
