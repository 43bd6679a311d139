/* vdso.h - the vDSO of this process. */
#ifndef PRF_IMAGE_VDSO_H
#define PRF_IMAGE_VDSO_H

#include <stddef.h>

/* The kernel maps one vDSO into all processes of a class, this one too: an ELF
 * file of SIZE bytes, whole pages.  NULL: the kernel has none. */
const void *prf_vdso(size_t *size);

#endif
