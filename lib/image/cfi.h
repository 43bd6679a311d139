/* cfi.h - call frame information (CFI) of one ELF file: how, from an
 * instruction, the caller and its registers are found.
 *
 * Nothing is decoded before it is asked for.  Every address is a vaddr. Files
 * are hostile: what is damaged has no row. */
#ifndef PRF_IMAGE_CFI_H
#define PRF_IMAGE_CFI_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "image/cfi_cache.h"
#include "image/cfi_row.h"
#include "image/debug_way.h"
#include "image/object.h"

/* Not for two threads at once. */
struct prf_cfi;

/* Reads the CFI of the file at FD: .eh_frame, by the table in .eh_frame_hdr if
 * there is one, then .debug_frame, then that of its separate debug file (which is
 * looked for, beside PATH too, when nothing else has an answer).  WAY, whose arg
 * must live as long, tells which files may not answer; NULL: all do.  CACHE has
 * the rows of several files; NULL: each is made when it is asked for.  FD must
 * stay open, and the cache there, until it is closed: a block is read when it is
 * needed.  A file without CFI is none that fails.  -ENOEXEC: not ELF; -EINVAL:
 * broken; -ENOMEM. */
int prf_cfi_open_fd(int fd, const char *path, const struct prf_debug_way *way,
		    struct prf_cfi_cache *cache, struct prf_cfi **out,
		    struct prf_error *err) PRF_MUST_CHECK;
/* The same for SIZE bytes in memory: a vDSO. */
int prf_cfi_open_memory(const void *bytes, size_t size, const char *name,
			struct prf_cfi_cache *cache, struct prf_cfi **out,
			struct prf_error *err) PRF_MUST_CHECK;
void prf_cfi_close(struct prf_cfi *cfi); /* takes NULL */

/* The row of the instruction at VADDR, which lasts until the next call for this
 * file, or another of the same cache; NULL: there is no CFI for it, or it is
 * damaged. */
const struct prf_cfi_row *prf_cfi_row(struct prf_cfi *cfi, uint64_t vaddr);

/* The file's, as CFI has it open. */
struct prf_object *prf_cfi_object(struct prf_cfi *cfi);
/* EM_..., of which registers have their numbers. */
uint16_t prf_cfi_machine(const struct prf_cfi *cfi);

struct prf_cfi_stats {
	uint64_t n_lookups;
	uint64_t n_cached;  /* of them: answered by the cache */
	uint64_t n_damaged; /* of them: there is an FDE, but it makes no row */
	uint64_t n_program_bytes; /* of instructions that were read for them */
};
struct prf_cfi_stats prf_cfi_stats(const struct prf_cfi *cfi);

#endif
