/* command_line.h - the command of a process, in what room there is. */
#ifndef PRF_VIEW_TABLE_COMMAND_LINE_H
#define PRF_VIEW_TABLE_COMMAND_LINE_H

#include <stddef.h>
#include <stdio.h>

/* COMMAND, words with a blank after each but the last, in WIDTH characters
 * (>= 8).  Where it is longer, the program and the names of files in its folder,
 * which a person is likely to have written, stay; then its first words; all in
 * their order, and "..." for what is left out. */
void prf_command_line_print(const char *command, size_t width, FILE *out);

#endif
