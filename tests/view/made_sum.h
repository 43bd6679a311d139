/* made_sum.h - gmon.outs that are made up, with their lists, and what they add up
 * to. */
#ifndef PRF_TESTS_VIEW_MADE_SUM_H
#define PRF_TESTS_VIEW_MADE_SUM_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "profile/profile.h"
#include "view/gmon/gmon_source.h"

/* A file and its list, in memory. */
struct made {
	char *gmon, *syms; /* no list: NULL */
	size_t n_gmon, n_syms;
};

void made_clear(struct made *made);

/* Of TICKS at VADDR, RATE_HZ of them a second; and an arc. */
struct made made_plain(uint64_t vaddr, uint64_t ticks, uint32_t rate_hz,
		       uint64_t calls);
/* Of one tick at VADDR, with the list SYMS. */
struct made made_listed(uint64_t vaddr, const char *syms);

struct sum {
	struct prf_profile *profile;
	struct prf_gmon_source *source;
};

struct sum sum_new(void);
void sum_clear(struct sum *sum);
/* Returns what prf_gmon_source_add() does. */
int sum_add(struct sum *sum, const struct made *made, struct prf_error *err);

/* The file that is written of the sum of all. */
struct made sum_of(const struct made *const *files, size_t n);
struct made sum_of_two(const struct made *a, const struct made *b);

/* Fails the test unless they are the same, byte by byte. */
void made_assert_same(const struct made *a, const struct made *b);

#endif
