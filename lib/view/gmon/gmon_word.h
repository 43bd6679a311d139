/* gmon_word.h - any text as one word of a list of symbols: see PATH in
 * gmon.syms(5). */
#ifndef PRF_VIEW_GMON_GMON_WORD_H
#define PRF_VIEW_GMON_GMON_WORD_H

#include <stddef.h>
#include <stdio.h>

/* The first MAX bytes of TEXT. */
void prf_gmon_word_write(const char *text, size_t max, FILE *out);
/* What the N bytes of WORD stand for; to be free()d.  NULL: out of memory. */
char *prf_gmon_word_decode(const char *word, size_t n);

#endif
