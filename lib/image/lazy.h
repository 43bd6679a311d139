/* lazy.h - a part of a file, of which each block is read when it is first
 * needed.
 *
 * Blocks that were not needed take no memory.  Nothing of the file is mapped:
 * one that is cut short gives an error, not a SIGBUS. */
#ifndef PRF_IMAGE_LAZY_H
#define PRF_IMAGE_LAZY_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/attr.h"

/* {0} is closed. */
struct prf_lazy {
	Elf_Data data; /* as if all of it were there */
	int fd;
	uint64_t off;
	uint8_t *has_block; /* a bit for each */
};

/* SIZE bytes of the file at FD from OFF on.  FD must stay open until they are
 * closed.  -ENOMEM. */
int prf_lazy_open(struct prf_lazy *lazy, int fd, uint64_t off,
		  uint64_t size) PRF_MUST_CHECK;
void prf_lazy_close(struct prf_lazy *lazy);

/* The N bytes at AT are to be looked at; false: they cannot be read. */
bool prf_lazy_need(struct prf_lazy *lazy, uint64_t at, uint64_t n);

#endif
