/* demangle.h - names as their authors wrote them: C++, Rust, D, and Ada's
 * main programs. */
#ifndef PRF_IMAGE_DEMANGLE_H
#define PRF_IMAGE_DEMANGLE_H

/* The demangled NAME, the caller's to free(); a copy of NAME where it is not
 * mangled, is longer than compilers make them, or would expand to hundreds of
 * megabytes; NULL only when memory is short.  A symbol version (@GLIBC_2.2.5) and
 * "@plt" are kept as they are, a clone's suffix as "f() [clone .cold]"; names of
 * Rust lose it. */
char *prf_demangle(const char *name);

#endif
