/* elf_frames.h - .eh_frame and .debug_frame of any class, byte order and
 * encoding. */
#ifndef PRF_TESTS_ELF_FRAMES_H
#define PRF_TESTS_ELF_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/elf_builder.h"

struct elf_fde {
	uint64_t vaddr, size;
};

/* An .eh_frame of one CIE. */
struct elf_frames {
	uint64_t vaddr;           /* where it is to lie */
	uint8_t encoding;         /* of the FDEs' pointers, DW_EH_PE_... */
	const char *augmentation; /* NULL: "zR", with the encoding as data */
	const void *data;         /* of the augmentation */
	size_t data_size;
	bool wide;     /* in the 64-bit format */
	bool endless;  /* without the entry of length 0 behind the last */
	bool is_debug; /* .debug_frame; with the augmentation "" */
	/* Instructions of the CIE and of each FDE. */
	const void *common;
	size_t common_size;
	const void *own;
	size_t own_size;
	const struct elf_fde *fdes;
	size_t n_fdes;
};

/* The bytes of FRAMES, for a file of KIND; the caller's to free.  Any encoding
 * is written: those that are not pcrel as if they counted from 0. */
uint8_t *elf_frames_build(const struct elf_kind *kind,
			  const struct elf_frames *frames, size_t *size);
/* Writes NUMBER into N bytes at AT, in the byte order of KIND. */
void elf_put(const struct elf_kind *kind, uint8_t *at, uint64_t number,
	     size_t n);

#endif
