/* profile.h - the profile of a whole run, or of several: where the ticks of all
 * processes fell, by binary and address; which programs, processes and threads
 * had them; who called whom.
 *
 * Everything that is read becomes a profile: a run as it goes on (collector.h),
 * a trace, a gmon.out with its list of symbols (view/gmon/gmon_source.h).  All
 * that is written is made of one.  Profiles can be added in any order.
 *
 * Memory grows with what was seen and not with the number of ticks: with the
 * binaries, with the blocks of text in which ticks fell (2 KiB to 4 KiB for
 * each KiB of such text), with the names of JIT code, and with arcs.  The call
 * tree, processes and threads are bounded: of more than PRF_TREE_MAX_ENDED programs and
 * PRF_THREAD_ROWS_MAX threads those with the fewest ticks are folded. */
#ifndef PRF_PROFILE_PROFILE_H
#define PRF_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/gmon_read.h"
#include "core/sample.h"
#include "image/perfmap.h"
#include "profile/arcs.h"
#include "profile/binary.h"
#include "profile/calls.h"
#include "profile/hash_index.h"
#include "profile/origin.h"
#include "profile/programs.h"
#include "profile/thread_rows.h"
#include "profile/tree.h"
#include "space/procs.h"

struct prf_hist_waiting;

/* What a count means. */
struct prf_profile_unit {
	uint32_t rate_hz;   /* of ticks; 0: not known */
	char dimension[16]; /* of 1/rate_hz: "seconds"; "": not known */
	char abbreviation;
};

struct prf_profile {
	struct prf_binary **binaries; /* as they came, each once */
	size_t n_binaries;
	struct prf_hash_index index; /* finds them, numbered from 1 */
	size_t n_blocks;             /* of counters, of all of them */
	struct prf_count total;
	uint64_t crowded_ticks; /* that are [unknown] for there were too many
				 * counters, see blocks.h */
	struct prf_profile_unit unit;
	struct prf_origin origin;
	const char *clock; /* of those parts that tell it, static, or NULL */
	/* Of the machine; 0: not known. */
	uint8_t addr_bytes;
	bool big_endian;

	/* The program that was asked for; NULL: it is not known. */
	struct prf_binary *program;
	struct prf_tree tree;
	struct prf_programs programs;
	struct prf_thread_rows threads;
	uint64_t n_processes; /* in all */
	uint64_t n_idle;      /* of them: without ticks */

	/* NULL: there are no stacks.  Ticks that came without are in it, too,
	 * as paths of one frame. */
	struct prf_calls *calls;
	bool keeps_calls;     /* it is begun when a stack is counted */
	bool by_thread;       /* it is kept by thread */
	struct prf_arcs arcs; /* that were read; none is made of the calls */
	/* Histograms of gmon.outs with another scale than 2 bytes for a
	 * counter, which belong to no binary that is known; ascending. */
	struct prf_gmon_hist *hists;
	size_t n_hists, hists_room;
	uint64_t
		n_bbs; /* basic-block counts of gmon.outs, which are left out */

	/* --- To find binaries. */
	struct prf_binary **by_file; /* by prf_file.index; NULL: not yet */
	size_t n_by_file;
	struct prf_binary *latest_jit;
	/* JIT code that waits for its names, and what their maps take. */
	size_t n_unnamed, unnamed_bytes;
	/* Where ticks in all of them wait for the memory of their counters. */
	struct prf_hist_waiting *waiting;
};

struct prf_profile *prf_profile_new(void);          /* NULL: out of memory */
void prf_profile_free(struct prf_profile *profile); /* takes NULL */

/* --- Counting */

/* The binary of FILE, which has been read.  NULL: out of memory. */
struct prf_binary *prf_profile_binary_of(struct prf_profile *profile,
					 struct prf_file *file);
/* The one of a KIND that has no file.  NULL: out of memory. */
struct prf_binary *prf_profile_binary(struct prf_profile *profile,
				      enum prf_binary_kind kind);
/* The one that is the same as LIKE; NULL: there is none. */
struct prf_binary *prf_profile_find(const struct prf_profile *profile,
				    const struct prf_binary *like);
/* BINARY, taken over (NULL: out of memory), or the same one that was there, to which it
 * is added.  NULL: out of memory. */
struct prf_binary *prf_profile_take(struct prf_profile *profile,
				    struct prf_binary *binary);

/* The one of the JIT code of process PID.  NULL: out of memory. */
struct prf_binary *prf_profile_jit_of(struct prf_profile *profile, pid_t pid);

/* Counts SAMPLE at LOCATION of its process; what is in no text is [unknown], and so
 * is what there is no room to count.
 * -ENOMEM: not counted. */
int prf_profile_count(struct prf_profile *profile,
		      const struct prf_location *location,
		      const struct prf_sample *sample) PRF_MUST_CHECK;
/* Counts SAMPLE in the kernel: in its function there, or, if that is not known, in
 * its system call, by the name that it has on MACHINE (EM_...; 0: this one).
 * -ENOMEM: not counted. */
int prf_profile_count_call(struct prf_profile *profile, uint16_t machine,
			   const struct prf_sample *sample) PRF_MUST_CHECK;
/* Counts SAMPLE of PROC where it is, and in the call tree, if one is kept.
 * KERNEL_APART: what is in the kernel is not counted where the program called
 * it.  -ENOMEM: not counted. */
int prf_profile_count_stack(struct prf_profile *profile,
			    struct prf_procs *procs,
			    const struct prf_proc *proc, bool kernel_apart,
			    const struct prf_sample *sample) PRF_MUST_CHECK;
/* *END: where FRAME of PROC is, as it is counted; nothing is.  -ENOMEM. */
int prf_profile_locate(struct prf_profile *profile, struct prf_procs *procs,
		       const struct prf_proc *proc, struct prf_frame frame,
		       struct prf_arc_end *end) PRF_MUST_CHECK;
/* Calls ENTER with ARG for the system call that SAMPLE is in, by its name on
 * MACHINE, and then for each function of the kernel that is known, from the
 * outside in, as they are counted; nothing is.  ENTER returns 0 or -ENOMEM, which
 * ends it.  -ENOMEM. */
typedef int prf_profile_enter(void *arg, const struct prf_arc_end *end);
int prf_profile_enter_kernel(struct prf_profile *profile, uint16_t machine,
			     const struct prf_sample *sample,
			     prf_profile_enter *enter,
			     void *arg) PRF_MUST_CHECK;
/* Begins the call tree, if there is none, with what was counted so far.
 * -ENOMEM. */
int prf_profile_begin_calls(struct prf_profile *profile) PRF_MUST_CHECK;
/* Adds to CALLS, or takes out again, the ticks of FROM, which has no call tree;
 * see prf_calls_add(). */
int prf_profile_add_flat_calls(struct prf_calls *calls,
			       const struct prf_profile *from,
			       prf_calls_translate *translate,
			       void *arg) PRF_MUST_CHECK;
int prf_profile_take_flat_calls(struct prf_calls *calls,
				const struct prf_profile *from,
				prf_calls_translate *translate,
				void *arg) PRF_MUST_CHECK;
bool prf_profile_has_jit(const struct prf_profile *profile, pid_t pid);
/* The JIT code of process PID, if it has ticks, waits for the names of MAP, which is
 * held (NULL: there is none); what is counted of PID later is another's.  When there
 * are many, or their maps are large, all of them are given their names; -ENOMEM:
 * they go on to wait. */
int prf_profile_end_jit(struct prf_profile *profile, pid_t pid,
			struct prf_perfmap *map) PRF_MUST_CHECK;
/* Gives all JIT code that waits for names the names that it has: its call tree is
 * made anew, if any of it is there.  -ENOMEM: none has them, all go on to wait. */
int prf_profile_name_jit(struct prf_profile *profile) PRF_MUST_CHECK;

/* --- Whole profiles */

/* Adds all of OTHER.  -EINVAL: their units or machines differ, or their
 * histograms do not fit; -EOVERFLOW; -ENOMEM: perhaps a part. */
int prf_profile_add(struct prf_profile *profile,
		    const struct prf_profile *other,
		    struct prf_error *err) PRF_MUST_CHECK;
/* Binaries without a build-id are told apart by path and extent from now on, as in
 * a gmon.out, which knows no inodes.  Done to what is added and to the sum, that is
 * the same in any order. */
void prf_profile_forget_inodes(struct prf_profile *profile);
/* Takes all of EARLIER, a part of it such as an earlier snapshot, out of what
 * binaries, programs, calls and arcs have; processes and threads stay.  -ERANGE: it is
 * no part of it; -ENOMEM.  PROFILE is then good for nothing. */
int prf_profile_subtract(struct prf_profile *profile,
			 const struct prf_profile *earlier) PRF_MUST_CHECK;
/* Ticks are of UNIT.  -EINVAL: they were of another before. */
int prf_profile_set_unit(struct prf_profile *profile,
			 const struct prf_profile_unit *unit,
			 struct prf_error *err) PRF_MUST_CHECK;
/* Ticks are of CLOCK, which is static, or NULL, and then anything.  -EINVAL: they were
 * of another before. */
int prf_profile_set_clock(struct prf_profile *profile, const char *clock,
			  struct prf_error *err) PRF_MUST_CHECK;
/* Addresses are of such a machine.  -EINVAL: of another before. */
int prf_profile_set_machine(struct prf_profile *profile, uint8_t addr_bytes,
			    bool big_endian,
			    struct prf_error *err) PRF_MUST_CHECK;
/* Adds HIST, of another scale.  -EINVAL: it overlaps others. */
int prf_profile_add_hist(struct prf_profile *profile,
			 const struct prf_gmon_hist *hist,
			 struct prf_error *err) PRF_MUST_CHECK;
/* Needs no file of a run any more.  -ENOMEM. */
int prf_profile_detach(struct prf_profile *profile) PRF_MUST_CHECK;

/* Ticks of it that no counter could hold. */
uint64_t prf_profile_saturated(const struct prf_profile *profile);
/* Ticks of it in nothing that was mapped. */
uint64_t prf_profile_unknown(const struct prf_profile *profile);

#endif
