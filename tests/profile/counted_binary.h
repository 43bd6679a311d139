/* counted_binary.h - binaries of files that are made up, and what is counted in
 * them, as text. */
#ifndef PRF_TESTS_PROFILE_COUNTED_BINARY_H
#define PRF_TESTS_PROFILE_COUNTED_BINARY_H

#include <stdint.h>

#include "profile/binary.h"
#include "support/made.h"
#include "support/suite.h"

/* The functions f and g, of 0x40 bytes each from MADE_TEXT on. */
extern const struct elf_symbol binary_fg[2];

/* The binary of the made file NAME; of "lib", which is made with these. */
struct prf_binary *binary_of(const char *name);
struct prf_binary *binary_of_fg(void);

/* It has TICKS more, of one sample. */
void binary_add(struct prf_binary *binary, uint64_t vaddr, uint32_t ticks);
void binary_add_name(struct prf_binary *binary, const char *name,
		     uint32_t ticks);

struct binary_points {
	char text[1024]; /* "vaddr=ticks " for each counter with ticks */
	uint64_t end, ticks;
};

/* Also fails the test unless ranges of counters ascend. */
struct binary_points binary_points_of(const struct prf_binary *binary);
/* Fails the test unless it has these. */
void binary_check_points(const struct prf_binary *binary, const char *text);
/* The same of each symbol of its list: "vaddr=name ". */
void binary_check_symbols(const struct prf_binary *binary, const char *text);

struct prf_count binary_sum_of_tally(const struct prf_tally *tally);

#endif
