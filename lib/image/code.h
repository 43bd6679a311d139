/* code.h - what an unwinder asks of one ELF file: its CFI, how far a mapping has
 * moved it; and where it has no CFI, its instructions and where functions begin.
 *
 * Names are not read, which take longer than all of it. */
#ifndef PRF_IMAGE_CODE_H
#define PRF_IMAGE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "image/cfi.h"
#include "image/debug_way.h"

/* Not for two threads at once. */
struct prf_code;

/* As prf_cfi_open_fd() and prf_cfi_open_memory(). */
int prf_code_open_fd(int fd, const char *path, const struct prf_debug_way *way,
		     struct prf_cfi_cache *cache, struct prf_code **out,
		     struct prf_error *err) PRF_MUST_CHECK;
int prf_code_open_memory(const void *bytes, size_t size, const char *name,
			 struct prf_cfi_cache *cache, struct prf_code **out,
			 struct prf_error *err) PRF_MUST_CHECK;
void prf_code_close(struct prf_code *code); /* takes NULL */

/* The code's, until it is closed; never NULL. */
struct prf_cfi *prf_code_cfi(const struct prf_code *code);

/* As prf_image_bias(). */
int prf_code_bias(const struct prf_code *code, uint64_t addr, uint64_t size,
		  uint64_t file_off, uint64_t *bias) PRF_MUST_CHECK;

/* Reads at most N bytes of executable text from VADDR on.  Returns how many
 * there are.  A few blocks that were read are kept: most of what is asked for
 * lies in these. */
size_t prf_code_text(struct prf_code *code, uint64_t vaddr, void *to, size_t n);
/* Where the function begins that VADDR may be in (image/starts.h; they are read
 * at the first call); false: it is not known. */
bool prf_code_function(struct prf_code *code, uint64_t vaddr, uint64_t *start);
/* The row that was made of the instructions before the one at VADDR, where there
 * is no CFI, and kept: *ROW, which lasts as one of prf_cfi_row(); NULL: none can
 * be made.  False: none was kept. */
bool prf_code_kept_row(const struct prf_code *code, uint64_t vaddr,
		       const struct prf_cfi_row **row);
/* Keeps ROW (NULL: none can be made), in the cache that CFI has; without one
 * nothing is kept. */
void prf_code_keep_row(struct prf_code *code, uint64_t vaddr,
		       const struct prf_cfi_row *row);
/* Where the program begins; 0: it is none. */
uint64_t prf_code_entry(const struct prf_code *code);

#endif
