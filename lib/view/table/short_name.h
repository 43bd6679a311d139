/* short_name.h - a name of C++, Rust or D without what makes it long. */
#ifndef PRF_VIEW_TABLE_SHORT_NAME_H
#define PRF_VIEW_TABLE_SHORT_NAME_H

#include <stddef.h>

/* NAME, as a demangler writes it, without its return type, its parameters, its
 * template arguments and its qualifiers: "ns::f<int>(char) const" is "ns::f".
 * What tells functions apart stays: "(anonymous namespace)", operators, what a
 * conversion converts to, "<T as Trait>", "{lambda#1}", the receiver of
 * "main.(*T).f", "[abi:cxx11]"; a clone is "f.cold" again.  A name that cannot
 * be read in this way stays whole.  The caller's to free(); NULL: out of
 * memory. */
char *prf_short_name(const char *name);
/* How much of NAME is the type that the function returns, and the blank behind it;
 * 0 also where that is not known. */
size_t prf_short_name_begin(const char *name);

#endif
