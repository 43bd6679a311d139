/* demangle.h - names as their authors wrote them (C++, Rust, D, Ada). */
#ifndef PRF_IMAGE_DEMANGLE_H
#define PRF_IMAGE_DEMANGLE_H

/* The demangled NAME, the caller's to free(); a copy of NAME where it is not
 * mangled; NULL only when memory is short.  A symbol version (@GLIBC_2.2.5),
 * "@plt" and suffixes such as .cold or .constprop.0 are kept. */
char *prf_demangle(const char *name);

#endif
