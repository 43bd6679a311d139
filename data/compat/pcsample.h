/* <pcsample.h> of Solaris: pcsample(2). */
#ifndef PRF_COMPAT_PCSAMPLE_H
#define PRF_COMPAT_PCSAMPLE_H
#pragma GCC system_header

#include <stdint.h>
#include <profrun/profil.h>

#define pcsample prf_pcsample

#endif
