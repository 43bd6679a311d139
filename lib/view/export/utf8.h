/* utf8.h - names are bytes; formats that want UTF-8 get it. */
#ifndef PRF_VIEW_EXPORT_UTF8_H
#define PRF_VIEW_EXPORT_UTF8_H

#include <stddef.h>

/* How many bytes the character has that TEXT begins with; 0: it is none, or
 * TEXT is at its end. */
size_t prf_utf8_bytes(const char *text);

/* TEXT with U+FFFD for each byte that belongs to no character; to be free()d.
 * NULL: out of memory. */
char *prf_utf8_mended(const char *text);

#endif
