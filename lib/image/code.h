/* code.h - what an unwinder asks of one ELF file: its CFI, and how far a
 * mapping has moved it.
 *
 * Names are not read, which take longer than all of it. */
#ifndef PRF_IMAGE_CODE_H
#define PRF_IMAGE_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "image/cfi.h"

/* Not for two threads at once. */
struct prf_code;

/* As prf_cfi_open_fd() and prf_cfi_open_memory(). */
int prf_code_open_fd(int fd, const char *path, struct prf_code **out,
		     struct prf_error *err) PRF_MUST_CHECK;
int prf_code_open_memory(const void *bytes, size_t size, const char *name,
			 struct prf_code **out,
			 struct prf_error *err) PRF_MUST_CHECK;
void prf_code_close(struct prf_code *code); /* takes NULL */

/* The code's, until it is closed; never NULL. */
struct prf_cfi *prf_code_cfi(const struct prf_code *code);

/* As prf_image_bias(). */
int prf_code_bias(const struct prf_code *code, uint64_t addr, uint64_t size,
		  uint64_t file_off, uint64_t *bias) PRF_MUST_CHECK;

#endif
