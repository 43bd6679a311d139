/* made_gmon.h - a profile that is made up, by address, as lists of other files have
 * it; and what is written of one, in memory. */
#ifndef PRF_TESTS_VIEW_MADE_GMON_H
#define PRF_TESTS_VIEW_MADE_GMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"
#include "view/gmon/gmon_layout.h"

/* Without any ticks, which are of 100 Hz; to be freed as others are. */
struct prf_profile *made_profile(void);
/* Adds a binary at [LO, HI), which is the profile's. */
struct prf_binary *made_add_binary(struct prf_profile *profile,
				   const char *path, uint64_t lo, uint64_t hi);
void made_name_address(struct prf_binary *binary, uint64_t vaddr,
		       const char *name);
void made_count(struct prf_profile *profile, struct prf_binary *binary,
		uint64_t vaddr, uint32_t ticks);
void made_count_name(struct prf_profile *profile, struct prf_binary *binary,
		     const char *name, uint64_t ticks);

/* Its bytes are to be free()d; a NUL is behind them. */
struct made_file {
	char *bytes;
	size_t size;
};

struct prf_gmon_layout *made_layout(const struct prf_profile *profile);
struct made_file made_write_ticks(const struct prf_gmon_layout *layout);
struct made_file made_write_syms(const struct prf_gmon_layout *layout,
				 bool all);

#endif
