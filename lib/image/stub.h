/* stub.h - the instructions of linkage stubs: where they jump to. */
#ifndef PRF_IMAGE_STUB_H
#define PRF_IMAGE_STUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stub jumps through a slot of the global offset table, or pushes the
 * number of its relocation and jumps on (the lazy half of a pair). */
struct prf_stub {
	uint64_t vaddr;
	uint32_t size_bytes;
	bool by_number;  /* else by slot */
	uint64_t target; /* vaddr of the slot, or the relocation's number */
	const char *name;
};

/* What reading them takes. */
struct prf_stub_context {
	uint16_t machine;     /* EM_... */
	uint64_t entry_bytes; /* as the section header says; 0: it does not */
	uint64_t got_vaddr;   /* what i386 code has in %ebx */
};

/* Reads a stub at the start of SIZE bytes of CODE, linked at VADDR.  False:
 * there is none. */
bool prf_stub_decode(const struct prf_stub_context *context,
		     const uint8_t *code, size_t size, uint64_t vaddr,
		     struct prf_stub *stub);
/* How far to go on where there is none; 0: a machine that is not known. */
size_t prf_stub_step(uint16_t machine);

#endif
