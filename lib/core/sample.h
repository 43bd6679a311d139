/* sample.h - what is seen of a program, and where it goes.
 *
 * All parts of profrun meet here.  Everything that watches a program (live
 * under ptrace, a recorded trace, a test's array) makes samples; everything
 * that counts, stores or draws takes them.  Besides samples, sinks are told
 * only what gives their addresses a meaning: the start of a program image, the
 * mappings of executable memory, and the births and ends of processes and
 * threads.
 *
 * Addresses here are those of the running program ("addr"); as linked they are
 * called "vaddr", and bias = addr - vaddr. */
#ifndef PRF_CORE_SAMPLE_H
#define PRF_CORE_SAMPLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "attr.h"
#include "error.h"

PRF_BEGIN_DECLS

enum prf_frame_kind {
	PRF_FRAME_PC,     /* the instruction about to run */
	PRF_FRAME_RETURN, /* the instruction after a call */
	PRF_FRAME_GUESSED /* the same, found without unwind information:
			   * it may not belong to this stack */
};

struct prf_frame {
	uint64_t addr;
	enum prf_frame_kind kind;
};

/* A call can be the last instruction of its function: the address before the
 * return address is inside the function. */
static __inline__ uint64_t
prf_frame_lookup_addr(struct prf_frame frame)
{
	return frame.addr - (frame.kind != PRF_FRAME_PC && frame.addr > 0);
}

/* Why a stack ends where it ends. */
enum prf_stack_end {
	PRF_STACK_NONE,     /* there is no stack, the PC is alone; or it is not
			     * known */
	PRF_STACK_COMPLETE, /* the last frame is where the thread began */
	PRF_STACK_NO_CFI,   /* the last frame's code has no CFI */
	PRF_STACK_MEMORY,   /* the memory could not be read */
	PRF_STACK_LIMIT,    /* it has more frames than profrun takes */
	PRF_STACK_LOOP,     /* the next frame would be one seen before */
	PRF_N_STACK_ENDS
};

/* In prf_sample.syscall: the thread was not in a system call. */
#define PRF_NO_SYSCALL (-1)

/* There, with the wall clock: the thread could have run but had no processor.
 * Its PC is not known then. */
#define PRF_NO_PROCESSOR (-2)

/* There: it was in a system call, of which the number is not known. */
#define PRF_SOME_SYSCALL (-3)

/* There: it was in the kernel, and not in a system call, but in a page fault. */
#define PRF_PAGE_FAULT (-4)

/* There: the kernel gave its memory and its files back, since it was ending, or
 * switched to it or away from it.  Its PC is not known then. */
#define PRF_ENDING (-5)
#define PRF_SWITCHING (-6)

/* By their names, innermost first; N >= 1. */
struct prf_kernel_functions {
	uint32_t n;
	const char *const *names;
};

/* What the thread did.  Only the wall clock tells of any but the first. */
enum prf_sample_state {
	PRF_SAMPLE_RUNNING,
	PRF_SAMPLE_RUNNABLE, /* it waited for a processor */
	PRF_SAMPLE_BLOCKED,  /* it waited for anything else */
	PRF_N_SAMPLE_STATES
};

/* One observation of one thread. */
struct prf_sample {
	pid_t pid, tid;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	uint32_t ticks;   /* that this sample stands for; >= 1 */
	uint32_t certain; /* of ticks: for which it is known, and not only
			    * likely, that the thread was here; <= ticks */
	int32_t syscall;  /* number of the system call that is being left with
			    * these ticks, or PRF_NO_SYSCALL in user mode, or
			    * PRF_SOME_SYSCALL, PRF_PAGE_FAULT,
			    * PRF_ENDING, PRF_SWITCHING or
			    * PRF_NO_PROCESSOR */
	enum prf_stack_end end;         /* of the frames */
	enum prf_sample_state state;    /* of the thread */
	uint32_t n_frames;              /* >= 1 */
	const struct prf_frame *frames; /* innermost first; [0] is a PC */
	/* Registers and memory of which the other frames are still to be made,
	 * for the sink that does so (unwind/stack_copy.h); no other looks at
	 * it.  0 bytes: there is nothing of the kind. */
	const void *stack_copy;
	size_t stack_copy_bytes;
	/* Where in the kernel the thread was; NULL: it was in user mode, or it
	 * is not known. */
	const struct prf_kernel_functions *kernel;
	uint64_t later[1]; /* all 0 */
};

enum prf_mapping_kind {
	PRF_MAPPING_FILE, /* pages of a file; path, dev, inode tell which */
	PRF_MAPPING_ANON, /* executable memory without a file: JIT code */
	PRF_MAPPING_VDSO, /* the kernel's object in every process */
	PRF_MAPPING_NONE  /* nothing is mapped here (any more) */
};

/* Executable memory, as it is from the next sample on.  It replaces whatever
 * earlier mappings said of the same addresses. */
struct prf_mapping {
	pid_t pid;
	uint64_t time_ns; /* CLOCK_MONOTONIC, when it was seen */
	enum prf_mapping_kind kind;
	uint64_t addr, size; /* bytes; addr + size - 1 does not wrap */
	uint64_t file_off;   /* of addr, in the file */
	uint64_t dev, inode; /* of the file, as /proc/PID/maps has them */
	const char *path;    /* as the program sees it, without " (deleted)";
			      * "" where no file is behind it */
	uint8_t deleted;     /* the path no longer names that file */
	/* The file's, as its note has it; 0 bytes: not known. */
	uint8_t build_id_bytes;
	const uint8_t *build_id;
	uint64_t later[2]; /* all 0 */
};

/* In prf_exec.uid: not known. */
#define PRF_NO_USER ((uint32_t)-1)

/* A process begins (again) as a program: all its earlier mappings are gone, and
 * it has one thread. */
struct prf_exec {
	pid_t pid;
	uint64_t time_ns;
	uint64_t cpu_ns;     /* that the process had run before */
	const char *path;    /* the executable, as /proc/PID/exe tells */
	const char *command; /* its arguments, with a blank after each but the
			      * last; perhaps cut short */
	uint64_t dev, inode; /* of the executable */
	uint8_t addr_bytes;  /* 4 or 8: the program's pointer size */
	uint16_t machine;    /* its ELF file's e_machine, by which its system
			      * calls have their numbers; 0: not known */
	int32_t rank;        /* of an MPI program; -1, and not 0: it has none,
			      * or it is not known */
	uint32_t uid;        /* the user whose it is; PRF_NO_USER in a trace, or
			      * if it is not known */
	uint64_t later[2];   /* all 0 */
};

/* What becomes of processes and their threads. */
enum prf_life_kind {
	/* Process PID begins, a copy of PARENT (0: of one that is not known)
	 * with its mappings and its program, and with one thread, TID. */
	PRF_LIFE_FORK,
	PRF_LIFE_THREAD, /* PID has one thread more, TID */
	PRF_LIFE_END, /* thread TID of PID has ended, or is no longer watched */
	PRF_LIFE_EXIT,  /* PID has ended, as have all its threads */
	PRF_LIFE_LEAVE, /* PID lives on, but is no longer watched */
	PRF_N_LIFE_KINDS
};

enum { PRF_THREAD_NAME_BYTES = 16 }; /* with the NUL; Linux' own limit */

struct prf_life {
	enum prf_life_kind kind;
	pid_t pid, tid; /* TID of EXIT and LEAVE is PID */
	pid_t parent;   /* FORK */
	uint64_t time_ns;
	/* END: the thread's name, "" where it is not known; else "". */
	const char *name;
	/* CPU time: END: of the thread; EXIT and LEAVE: of the process, its
	 * earlier programs and ended threads too.  0 where it is not known. */
	uint64_t cpu_ns;
	int wait_status;   /* EXIT: as from waitpid(2) */
	uint64_t later[2]; /* all 0 */
};

/* A figure about the whole run, by its name: "ticks.lost.gone", "cpu_ns". */
struct prf_figure {
	const char *name;
	uint64_t value;
};

/* Where samples go.  What a sink is given stays the caller's and lasts for the
 * call.  Events of one process come in the order of their time.  Each member
 * returns 0 or a negative errno value; a sink that cannot take a sample counts
 * it as lost and says so in its own statistics.  All events of a process lie
 * between its FORK or first exec and its EXIT or LEAVE; figures come after all
 * other events. */
struct prf_sink;

struct prf_sink_ops {
	int (*exec)(struct prf_sink *sink, const struct prf_exec *exec);
	int (*mapping)(struct prf_sink *sink, const struct prf_mapping *map);
	int (*sample)(struct prf_sink *sink, const struct prf_sample *sample);
	/* These two may be NULL, where they are of no interest. */
	int (*life)(struct prf_sink *sink, const struct prf_life *life);
	int (*figure)(struct prf_sink *sink, const struct prf_figure *figure);
	/* No event follows.  ERR as for every function that can fail. */
	int (*finish)(struct prf_sink *sink, struct prf_error *err);
	void (*free)(struct prf_sink *sink);
	void (*later[2])(void); /* all 0 */
};

struct prf_sink {
	const struct prf_sink_ops *ops;
};

static __inline__ int
prf_sink_life(struct prf_sink *sink, const struct prf_life *life)
{
	return sink->ops->life ? sink->ops->life(sink, life) : 0;
}

static __inline__ int
prf_sink_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	return sink->ops->figure ? sink->ops->figure(sink, figure) : 0;
}

PRF_END_DECLS

#endif
