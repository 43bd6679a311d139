/* plain.h - text from outside, printed so that it cannot steer a terminal.
 *
 * UTF-8 passes where the locale has it.  Control characters, those of Unicode
 * and those that turn the direction of a line included, and bytes that are no
 * UTF-8 become '?'. */
#ifndef PRF_VIEW_TABLE_PLAIN_H
#define PRF_VIEW_TABLE_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

void prf_plain_print(const char *text, FILE *out);
/* The first N_BYTES of TEXT, which end with a character. */
void prf_plain_print_bytes(const char *text, size_t n_bytes, FILE *out);
/* For a program to read: UTF-8 passes in any locale. */
void prf_plain_print_utf8(const char *text, FILE *out);
/* At most WIDTH columns (>= 3); where it is longer, they end in "...". */
void prf_plain_print_cut(const char *text, size_t width, FILE *out);
/* The same, but the dots stand in the middle: the end of a name is what tells
 * it from its neighbours. */
void prf_plain_print_middle_cut(const char *text, size_t width, FILE *out);
/* In double quotes, for a program to read: UTF-8 passes in any locale; ESCAPE stands before each character that is in SPECIAL, both
 * of them ASCII. */
void prf_plain_print_quoted(const char *text, const char *special, char escape,
			    FILE *out);
/* Does TEXT begin with what is never printed as it is? */
bool prf_plain_steers(const char *text);
/* Is TEXT printed as it is? */
bool prf_plain_is_same(const char *text);
/* How many columns of a terminal prf_plain_print() fills: characters of East Asia
 * have two, and what is put upon another has none. */
size_t prf_plain_width(const char *text);
/* The bytes of TEXT that fill N columns, or all if it has fewer. */
size_t prf_plain_bytes(const char *text, size_t n);

#endif
