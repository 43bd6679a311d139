/* binary.h - one binary of a profile: a file that was mapped, the vDSO, JIT
 * code, the kernel; with the ticks that fell there.
 *
 * A binary counts in one of three forms:
 * - by text: its file was read here, and a histogram lies over its text;
 * - by address: its functions are a list of symbols, as a gmon.syms has them,
 *   or there is none; counters lie where ticks fell;
 * - by name: code that lies elsewhere in every run, and system calls; and the
 *   files of others' profiles that tell of inlined calls.
 * The first becomes the second when it is added to a binary of another
 * profile; no tick and no name is lost. */
#ifndef PRF_PROFILE_BINARY_H
#define PRF_PROFILE_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/hist.h"
#include "image/image.h"
#include "image/perfmap.h"
#include "profile/blocks.h"
#include "profile/count.h"
#include "profile/named_counts.h"
#include "profile/symbol_list.h"
#include "profile/tally.h"
#include "space/file.h"

enum prf_binary_kind {
	PRF_BINARY_FILE,
	PRF_BINARY_VDSO,
	PRF_BINARY_JIT,
	PRF_BINARY_KERNEL,
	PRF_BINARY_UNKNOWN, /* ticks in nothing that was mapped */
	PRF_N_BINARY_KINDS,
};

enum prf_binary_form {
	PRF_BINARY_BY_TEXT,
	PRF_BINARY_BY_ADDRESS,
	PRF_BINARY_BY_NAME,
};

/* Two binaries are one if their build-ids are the same; without one, if path
 * and extent of their text are (the inode, too, where both are known; in a sum of
 * several files it never is). */
struct prf_binary {
	enum prf_binary_kind kind;
	enum prf_binary_form form;
	char *path;       /* "" where there is none */
	const char *name; /* the path's last part, or "[kernel]" and the like */
	uint8_t build_id[PRF_BUILD_ID_MAX];
	size_t build_id_bytes;  /* 0: not known */
	uint64_t dev, inode;    /* 0: not known */
	bool is_offsets;        /* addresses are offsets in the file, which
				* could not be read; its extent may grow */
	size_t number;          /* among its profile's */
	bool is_program;        /* it was executed */
	bool by_function;       /* some was counted where its function begins,
				* and no line is known */
	uint64_t program_ticks; /* of the processes that ran it, wherever */
	struct prf_count total;
	/* Of the total: what no counter of those that were added could hold,
	 * nor any before it was detached. */
	uint64_t saturated;
	/* Of samples whose stack ends here, for there is no CFI to go on. */
	uint64_t no_cfi_ticks;
	uint64_t entry;  /* of a program; 0: not known */
	uint64_t lo, hi; /* all its text, [lo, hi); unless BY_NAME */

	/* BY_TEXT */
	struct prf_file *file; /* held; also of one that could not be read */
	struct prf_hist *hist;

	/* BY_ADDRESS */
	struct prf_blocks blocks;
	struct prf_symbol_list symbols;

	/* Both: ticks that came as several with one sample, by the number of
	 * the text or by the address; they are among the counters', too. */
	struct prf_tally lumps;

	/* BY_NAME */
	struct prf_named_counts names;
	/* JIT code of a process: by address, without names yet. */
	pid_t pid; /* 0: it is of none; below 0: of one that has ended */
	struct prf_tally addrs;
	/* The names of one that has ended; held; NULL: it has none. */
	struct prf_perfmap *map;
};

/* An empty binary of KIND without a file.  NULL: out of memory. */
struct prf_binary *prf_binary_new(enum prf_binary_kind kind, const char *path);
/* One of FILE, which has been read and is held.  NULL: out of memory. */
struct prf_binary *prf_binary_new_file(struct prf_file *file);
/* One that prf_binary_is_same() as OTHER, without a file and ticks.  NULL: out of
 * memory. */
struct prf_binary *prf_binary_new_like(const struct prf_binary *other);
void prf_binary_free(struct prf_binary *binary); /* takes NULL */

/* Is it the same binary, in two profiles or in one? */
bool prf_binary_is_same(const struct prf_binary *left,
			const struct prf_binary *right);
/* The kind that is called NAME in a list: "[kernel]"...; FILE: none is. */
enum prf_binary_kind prf_binary_kind_of(const char *name);

/* It has [LO, HI), too; LO == HI: nothing new. */
void prf_binary_widen(struct prf_binary *binary, uint64_t lo, uint64_t hi);
/* Is VADDR in its text, so far as that is known, and is there room to count it?  What
 * is counted elsewhere is refused.  BY_TEXT, BY_ADDRESS, or JIT code of a process. */
bool prf_binary_has(struct prf_binary *binary, uint64_t vaddr);
/* Where the piece of text, or the symbol, begins that VADDR is in, and 0 below the
 * first: all addresses of one are in one function.  BY_NAME it is VADDR. */
uint64_t prf_binary_begin_of(const struct prf_binary *binary, uint64_t vaddr);
/* CERTAIN of the TICKS are (see sample.h).  BY_TEXT, BY_ADDRESS, or JIT code of
 * a process.  -ERANGE: VADDR is in none of its text; -EFBIG: its profile has as
 * many counters as any may have; -ENOMEM; nothing was counted. */
int prf_binary_count(struct prf_binary *binary, uint64_t vaddr, uint32_t ticks,
		     uint32_t certain) PRF_MUST_CHECK;
/* BY_NAME.  -ENOMEM. */
int prf_binary_count_name(struct prf_binary *binary, const char *name,
			  const struct prf_count *count) PRF_MUST_CHECK;

/* Makes it BY_ADDRESS, if it is BY_TEXT; it needs its file no more.  -ENOMEM:
 * it is as it was. */
int prf_binary_detach(struct prf_binary *binary) PRF_MUST_CHECK;
/* Adds all of OTHER, which is the same.  -ENOMEM: perhaps a part. */
int prf_binary_merge(struct prf_binary *binary,
		     const struct prf_binary *other) PRF_MUST_CHECK;

/* Takes all of EARLIER, which is the same and a part of it, out again; BINARY
 * is detached.  -ERANGE: it is no part of it; -ENOMEM. */
int prf_binary_subtract(struct prf_binary *binary,
			const struct prf_binary *earlier) PRF_MUST_CHECK;

/* Counters side by side, of 32 bits or of 64: one for each
 * PRF_HIST_BIN_BYTES from VADDR on. */
struct prf_tick_range {
	uint64_t vaddr;
	const uint32_t *narrow; /* NULL: they are wide */
	const uint64_t *wide;
	size_t n;
};

static inline uint64_t
prf_tick_range_at(const struct prf_tick_range *range, size_t i)
{
	return range->narrow ? range->narrow[i] : range->wide[i];
}

/* Calls VISIT with all counters that may hold ticks, ascending, until it
 * returns something else than 0, which is returned; nothing BY_NAME.
 * -ENOMEM. */
int prf_binary_walk(const struct prf_binary *binary,
		    int (*visit)(void *arg, const struct prf_tick_range *range),
		    void *arg) PRF_MUST_CHECK;

/* Ticks that no counter could hold; they are in its total and nowhere else. */
uint64_t prf_binary_saturated(const struct prf_binary *binary);

#endif
