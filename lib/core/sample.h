/* sample.h - the narrow waist: what is seen of a program, and where it goes.
 *
 * Everything that watches a program (live under ptrace, a recorded trace, a
 * test's array) makes samples; everything that counts, stores or draws takes
 * them.  Besides samples only what gives their addresses a meaning passes:
 * the start of a program image and the mappings of executable memory.
 *
 * Addresses here are those of the running program ("addr"); as linked they
 * are called "vaddr", and bias = addr - vaddr. */
#ifndef PRF_CORE_SAMPLE_H
#define PRF_CORE_SAMPLE_H

#include <stdint.h>
#include <sys/types.h>

#include "attr.h"
#include "error.h"

PRF_BEGIN_DECLS

enum prf_frame_kind {
	PRF_FRAME_PC,     /* the instruction about to run */
	PRF_FRAME_RETURN, /* the instruction after a call */
};

struct prf_frame {
	uint64_t addr;
	enum prf_frame_kind kind;
};

/* A call can end its function: one less than its return address is inside. */
static inline uint64_t
prf_frame_lookup_addr(struct prf_frame frame)
{
	return frame.addr - (frame.kind == PRF_FRAME_RETURN && frame.addr > 0);
}

/* In prf_sample.syscall: the thread was not in a system call. */
#define PRF_NO_SYSCALL (-1)

/* One look at one thread. */
struct prf_sample {
	pid_t pid, tid;
	uint64_t time_ns;  /* CLOCK_MONOTONIC */
	uint32_t ticks;    /* periods this look stands for; >= 1 */
	int32_t syscall;   /* number of the system call that is being left with
			    * these ticks, or PRF_NO_SYSCALL in user mode */
	uint32_t n_frames; /* >= 1 */
	const struct prf_frame *frames; /* innermost first; [0] is a PC */
};

enum prf_mapping_kind {
	PRF_MAPPING_FILE, /* pages of a file; path, dev, inode tell which */
	PRF_MAPPING_ANON, /* executable memory without a file: JIT code */
	PRF_MAPPING_VDSO, /* the kernel's object in every process */
	PRF_MAPPING_NONE, /* nothing is mapped here (any more) */
};

/* Executable memory, as it was at the samples that follow.  It replaces
 * whatever earlier mappings said of the same addresses. */
struct prf_mapping {
	pid_t pid;
	enum prf_mapping_kind kind;
	uint64_t addr, size; /* bytes; addr + size - 1 does not wrap */
	uint64_t file_off;   /* of addr, in the file */
	uint64_t dev, inode; /* of the file, as /proc/PID/maps has them */
	const char *path;    /* as the program sees it, without " (deleted)";
			      * "" where no file is behind it */
	uint8_t deleted;     /* the path no longer names that file */
};

/* A process begins (again) as a program: all its earlier mappings are gone. */
struct prf_exec {
	pid_t pid;
	uint64_t time_ns;
	const char *path;    /* the executable, as /proc/PID/exe tells */
	uint64_t dev, inode; /* of the executable */
	uint8_t addr_bytes;  /* 4 or 8: the program's pointer size */
};

/* Where samples go.  What it is given stays the caller's and lasts for the
 * call.  Events of one process come in the order of their time.  Each member
 * returns 0 or a negative errno value; a sink that cannot take a sample counts
 * it as lost and says so in its own statistics. */
struct prf_sink;

struct prf_sink_ops {
	int (*exec)(struct prf_sink *sink, const struct prf_exec *exec);
	int (*mapping)(struct prf_sink *sink, const struct prf_mapping *map);
	int (*sample)(struct prf_sink *sink, const struct prf_sample *sample);
	/* No event follows.  ERR as for every function that can fail. */
	int (*finish)(struct prf_sink *sink, struct prf_error *err);
	void (*free)(struct prf_sink *sink);
};

struct prf_sink {
	const struct prf_sink_ops *ops;
};

PRF_END_DECLS

#endif
