/* elf_builder.h - ELF files of any class and byte order, made to measure.
 *
 * What a test leaves out is 0.  Nothing here returns an error: a builder that
 * cannot do what it is told ends the test. */
#ifndef PRF_TESTS_ELF_BUILDER_H
#define PRF_TESTS_ELF_BUILDER_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

struct elf_builder;

struct elf_kind {
	int class; /* ELFCLASS32, ELFCLASS64 */
	int order; /* ELFDATA2LSB, ELFDATA2MSB */
	uint16_t machine;
	uint16_t type;
};

/* The four of class and order, for loop tests. */
extern const struct elf_kind elf_kinds[4];

struct elf_section {
	const char *name;
	uint32_t type; /* 0: SHT_PROGBITS */
	uint64_t flags, vaddr;
	const void *bytes; /* NULL: zeros */
	size_t size;
	uint32_t link, info;
	uint64_t entry_bytes;
};

struct elf_symbol {
	const char *name;
	uint64_t vaddr, size;
	int bind, type;
	uint16_t section; /* 0: undefined */
};

struct elf_builder *elf_builder_new(const struct elf_kind *kind);
void elf_builder_free(struct elf_builder *builder);
/* Adds a section and returns its index.  One with an address is placed at the
 * offset VADDR % 0x10000, so keep such addresses ascending; others follow. */
uint16_t elf_builder_section(struct elf_builder *builder,
			     const struct elf_section *section);
/* Adds a symbol table (SHT_SYMTAB, SHT_DYNSYM) with its string table, placed
 * at VADDR if that is not 0; the strings follow it.  Returns its index. */
uint16_t elf_builder_symbols(struct elf_builder *builder, uint32_t type,
			     uint64_t vaddr, const struct elf_symbol *symbols,
			     size_t n);
/* Where a section has come to lie. */
GElf_Shdr elf_builder_header(const struct elf_builder *builder, uint16_t index);
/* Adds .rela.plt or the like, with N entries that go with the symbols of
 * section LINK. */
uint16_t elf_builder_relas(struct elf_builder *builder, const char *name,
			   uint16_t link, const GElf_Rela *relas, size_t n);
void elf_builder_segment(struct elf_builder *builder, const GElf_Phdr *phdr);
/* Adds a .text of 0x100 bytes at 0x1000, and the segment that it is in. */
void elf_builder_text(struct elf_builder *builder);
/* The finished file: *SIZE bytes, the caller's to free.  Once only. */
char *elf_builder_finish(struct elf_builder *builder, size_t *size);

/* A small file with one executable segment at 0x1000, a .text of TEXT_SIZE
 * bytes there (section 1) and the SYMBOLS as .symtab. */
char *elf_build_simple(const struct elf_kind *kind, size_t text_size,
		       const struct elf_symbol *symbols, size_t n,
		       size_t *size);

/* Takes the section headers from a finished file, however that is done. */
void elf_drop_sections(char *bytes);

/* Writes SIZE bytes to the new file PATH. */
void elf_write(const char *path, const void *bytes, size_t size);

#endif
