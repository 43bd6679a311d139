/* gmon_layout.h - where the binaries of a profile are put in a gmon.out: in one
 * address space, which does not exist.  gmon.syms(5) describes it.
 *
 * One binary, a program, keeps its own vaddrs.  Each of the others gets a place
 * above it, in an order that does not depend on that of their ticks.
 *
 * Calls are arcs between the symbols that gprof will know, each with the samples
 * that have it in their stack.  Outermost functions are called by a root: gprof
 * divides the time of a function among its callers, and the root takes what none
 * of them called. */
#ifndef PRF_VIEW_GMON_GMON_LAYOUT_H
#define PRF_VIEW_GMON_GMON_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/call_graph.h"
#include "profile/profile.h"

/* Functions that are known by name alone are this far apart. */
enum { PRF_GMON_LAYOUT_NAME_BYTES = 16 };

struct prf_gmon_layout_place {
	const struct prf_binary *binary;
	uint64_t lo, hi; /* [lo, hi) */
	uint64_t shift;  /* to be added, modulo 2^64, to its own addresses */
	/* Of one that counts by name: the numbers of its names, ascending, and
	 * where each number is among them. */
	size_t *sorted, *positions;
	size_t n_names;
};

struct prf_gmon_layout {
	const struct prf_profile *profile;
	const struct prf_binary *program; /* keeps its vaddrs; NULL: none */
	uint8_t addr_bytes;               /* 4 or 8 */
	bool big_endian;
	bool has_list; /* else all is at addresses of no known binary */
	struct prf_gmon_layout_place *places; /* ascending */
	struct prf_gmon_layout_place **found; /* by their binaries */
	size_t n;
	uint64_t end;                /* above all of them */
	struct prf_call_graph calls; /* of symbols; empty without stacks */
	/* A program's entry; or [root], a made-up function of [unknown]. */
	struct prf_arc_end root;      /* no binary: nothing is called by it */
	struct prf_binary *made_root; /* the layout's; NULL: none */
	/* Of all arcs and calls, and the root: those in one binary together. */
	struct prf_arc_end *ends;
	size_t n_ends;
};

/* The program of PROFILE that keeps its vaddrs: the one that was asked for, if
 * its processes had ticks; else the one whose processes had the most.  NULL:
 * none is known. */
const struct prf_binary *
prf_gmon_layout_program(const struct prf_profile *profile);

/* All binaries of PROFILE, which must outlive the layout and not change, that
 * have ticks, calls or arcs.  -EOVERFLOW: they do not fit the program's pointers; -ENOMEM. */
int prf_gmon_layout_new(const struct prf_profile *profile,
			struct prf_gmon_layout **out,
			struct prf_error *err) PRF_MUST_CHECK;
/* BINARY of PROFILE alone, at its own addresses, with its own calls, also those
 * by way of others.  -ENOMEM. */
int prf_gmon_layout_new_single(const struct prf_profile *profile,
			       const struct prf_binary *binary,
			       struct prf_gmon_layout **out,
			       struct prf_error *err) PRF_MUST_CHECK;
void prf_gmon_layout_free(struct prf_gmon_layout *layout); /* takes NULL */

/* The end of arcs at function number FUNCTION of the calls.  No binary: gprof
 * does not see it. */
struct prf_arc_end prf_gmon_layout_end(const struct prf_gmon_layout *layout,
				       size_t function);
/* The ends of arcs and calls, *N, that are in BINARY. */
const struct prf_arc_end *
prf_gmon_layout_ends(const struct prf_gmon_layout *layout,
		     const struct prf_binary *binary, size_t *n);
/* Where an end of an arc of the profile is.  -ENOENT: its binary has no
 * place. */
int prf_gmon_layout_addr(const struct prf_gmon_layout *layout,
			 const struct prf_arc_end *end,
			 uint64_t *addr) PRF_MUST_CHECK;

#endif
