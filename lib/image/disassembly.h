/* disassembly.h - the instructions of an ELF file as text, by libopcodes. */
#ifndef PRF_IMAGE_DISASSEMBLY_H
#define PRF_IMAGE_DISASSEMBLY_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"

struct prf_instruction {
	uint64_t vaddr;
	unsigned n_bytes;
	const char *text; /* good until the next one */
};

/* Who wants them.  VISIT gets each; what it returns ends all unless it is 0.
 * NAME_OF tells which symbol an address that is an operand is in, and where that
 * begins; NULL: none is known. */
struct prf_disassembly {
	int (*visit)(void *arg, const struct prf_instruction *instruction);
	const char *(*name_of)(void *arg, uint64_t vaddr, uint64_t *begin);
	void *arg;
};

/* Disassembles [LO, HI) of the file at FD, which stays the caller's; PATH is for
 * messages.  Bytes that are no instruction are one each.  -ENOTSUP: libopcodes
 * does not know the machine; -EINVAL: the file does not have these bytes, or is
 * broken; -ENOMEM; or what VISIT has returned. */
int prf_disassemble(int fd, const char *path, uint64_t lo, uint64_t hi,
		    const struct prf_disassembly *disassembly,
		    struct prf_error *err) PRF_MUST_CHECK;

#endif
