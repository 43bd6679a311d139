/* page_samples.h - whose the samples of a page are, and when they were: sums small
 * enough to be told in it.
 *
 * An owner is a thread; of many threads those with the fewest ticks are the
 * others of their process, or of their program.  All sums are right: where they
 * would be too many there are fewer owners, and where times would be too many,
 * samples that follow each other are told as one. */
#ifndef PRF_VIEW_PAGE_PAGE_SAMPLES_H
#define PRF_VIEW_PAGE_PAGE_SAMPLES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "profile/named_counts.h"
#include "view/export/stack_table.h"
#include "view/page/page_tree.h"

enum {
	PRF_PAGE_THREADS_MAX = 1000,
	PRF_PAGE_SUMS_MAX = 150000,
	PRF_PAGE_TIMES_MAX = 150000,
	PRF_PAGE_UNITS_MAX = 50000, /* of time */
};

struct prf_page_owner {
	uint32_t program; /* the number of its name */
	pid_t pid;        /* 0: other processes of the program */
	pid_t tid;        /* 0: other threads */
	const char *name; /* of the thread; "": not known; the stacks' */
	uint32_t n_threads;
	struct prf_count count;
	uint32_t begin, end; /* in units of time */
};

struct prf_page_sum {
	uint32_t owner, at; /* at: unit of time; 0 where it does not matter */
	uint32_t node;
	uint64_t ticks;
};

struct prf_page_samples {
	struct prf_page_owner *owners;
	size_t n_owners; /* 0: there is no choice */
	struct prf_named_counts programs;
	/* By owner and node; none where there is one owner. */
	struct prf_page_sum *sums;
	size_t n_sums;
	/* By owner, time and node; none where there are no times. */
	struct prf_page_sum *times;
	size_t n_times;
	uint64_t unit_ns;
	uint32_t n_units;
	uint32_t n_in_one; /* samples, for want of room; 1: all are there */
};

/* Of STACKS, of which TREE is made.  -ENOMEM. */
int prf_page_samples_of(const struct prf_stack_table *stacks,
			const struct prf_page_tree *tree,
			struct prf_page_samples *samples) PRF_MUST_CHECK;
void prf_page_samples_clear(struct prf_page_samples *samples);

#endif
