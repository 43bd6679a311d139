/* made.h - ELF files that are made up, and mappings of them. */
#ifndef PRF_TESTS_SUPPORT_MADE_H
#define PRF_TESTS_SUPPORT_MADE_H

#include <stddef.h>
#include <stdint.h>

#include "core/sample.h"
#include "space/file.h"
#include "support/elf_builder.h"

/* Where the text of a made file begins: as linked and in the file. */
#define MADE_TEXT 0x1000

/* A directory of the test's own; a fixture of every test that makes files. */
void made_begin(void);
void made_end(void);
/* The path of NAME in it; static, good for the next 8 calls. */
const char *made_path(const char *name);

/* Writes the ELF file NAME with 0x1000 bytes of text and N symbols in it. */
void made_elf(const char *name, const struct elf_symbol *symbols, size_t n);
/* The same, of another class or byte order. */
void made_elf_kind(const char *name, const struct elf_kind *kind,
		   const struct elf_symbol *symbols, size_t n);

/* The files that made_file() takes from; gone with made_end(). */
struct prf_files *made_files(void);
/* That file, read; to be dropped. */
struct prf_file *made_file(const char *name);

/* That file's text, mapped at ADDR; static path as above. */
struct prf_mapping made_mapping(const char *name, uint64_t addr);

#endif
