#include "support/elf_builder.h"

#include <check.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEGMENTS_MAX = 8, PAGE = 0x1000 };

const struct elf_kind elf_kinds[4] = {
	{ELFCLASS64, ELFDATA2LSB, EM_X86_64, ET_DYN},
	{ELFCLASS64, ELFDATA2MSB, EM_PPC64, ET_DYN},
	{ELFCLASS32, ELFDATA2LSB, EM_386, ET_EXEC},
	{ELFCLASS32, ELFDATA2MSB, EM_PPC, ET_EXEC},
};

/* A string table that grows. */
struct strings {
	char *bytes;
	size_t size, capacity;
};

struct elf_builder {
	int fd;
	Elf *elf;
	struct elf_kind kind;
	uint64_t next_off;
	struct strings section_names;
	GElf_Phdr segments[SEGMENTS_MAX];
	size_t n_segments;
	void *owned[64]; /* what libelf points to until the end */
	size_t n_owned;
};

static void *
own(struct elf_builder *builder, void *memory)
{
	ck_assert_ptr_nonnull(memory);
	ck_assert_uint_lt(builder->n_owned,
			  sizeof builder->owned / sizeof *builder->owned);
	builder->owned[builder->n_owned++] = memory;
	return memory;
}

static uint32_t
add_string(struct strings *strings, const char *string)
{
	size_t n = strlen(string) + 1, at = strings->size ? strings->size : 1;

	if (at + n > strings->capacity) {
		strings->capacity = 2 * (at + n);
		strings->bytes = realloc(strings->bytes, strings->capacity);
		ck_assert_ptr_nonnull(strings->bytes);
	}
	strings->bytes[0] = '\0';
	memcpy(strings->bytes + at, string, n);
	strings->size = at + n;
	return (uint32_t)at;
}

struct elf_builder *
elf_builder_new(const struct elf_kind *kind)
{
	struct elf_builder *builder = calloc(1, sizeof *builder);
	GElf_Ehdr ehdr;

	ck_assert_ptr_nonnull(builder);
	elf_version(EV_CURRENT);
	builder->fd = memfd_create("elf_builder", MFD_CLOEXEC);
	ck_assert_int_ge(builder->fd, 0);
	builder->elf = elf_begin(builder->fd, ELF_C_WRITE, NULL);
	ck_assert_msg(builder->elf != NULL, "%s", elf_errmsg(-1));
	builder->kind = *kind;
	builder->next_off = PAGE;
	elf_flagelf(builder->elf, ELF_C_SET, ELF_F_LAYOUT);
	ck_assert_ptr_nonnull((void *)gelf_newehdr(builder->elf, kind->class));
	gelf_getehdr(builder->elf, &ehdr);
	ehdr.e_ident[EI_DATA] = (unsigned char)kind->order;
	ehdr.e_machine = kind->machine;
	ehdr.e_type = kind->type;
	ehdr.e_version = EV_CURRENT;
	ck_assert(gelf_update_ehdr(builder->elf, &ehdr));
	return builder;
}

void
elf_builder_free(struct elf_builder *builder)
{
	elf_end(builder->elf);
	close(builder->fd);
	for (size_t i = 0; i < builder->n_owned; i++)
		free(builder->owned[i]);
	free(builder->section_names.bytes);
	free(builder);
}

/* Adds a section whose data are of TYPE, in this machine's byte order. */
static uint16_t
add_section(struct elf_builder *builder, const struct elf_section *section,
	    Elf_Type type)
{
	Elf_Scn *scn = elf_newscn(builder->elf);
	Elf_Data *data = elf_newdata(scn);
	GElf_Shdr header;
	void *bytes = own(builder, calloc(1, section->size + 1));

	if (section->bytes)
		memcpy(bytes, section->bytes, section->size);
	builder->next_off = (builder->next_off + 15) & ~(uint64_t)15;
	if (section->vaddr)
		builder->next_off = section->vaddr % 0x10000;
	gelf_getshdr(scn, &header);
	header.sh_name = add_string(&builder->section_names, section->name);
	header.sh_type = section->type ? section->type : SHT_PROGBITS;
	header.sh_flags = section->flags;
	header.sh_addr = section->vaddr;
	header.sh_offset = builder->next_off;
	header.sh_size = section->size;
	header.sh_link = section->link;
	header.sh_info = section->info;
	header.sh_entsize = section->entry_bytes;
	header.sh_addralign = 1;
	ck_assert(gelf_update_shdr(scn, &header));
	data->d_buf = bytes;
	data->d_size = section->size;
	data->d_type = type;
	data->d_align = 1;
	data->d_version = EV_CURRENT;
	if (header.sh_type != SHT_NOBITS)
		builder->next_off += section->size;
	return (uint16_t)elf_ndxscn(scn);
}

uint16_t
elf_builder_section(struct elf_builder *builder,
		    const struct elf_section *section)
{
	Elf_Type type = ELF_T_BYTE;

	if (section->type == SHT_DYNAMIC)
		type = ELF_T_DYN;
	if (section->type == SHT_HASH)
		type = ELF_T_WORD;
	if (section->type == SHT_NOTE)
		type = ELF_T_NHDR;
	return add_section(builder, section, type);
}

GElf_Shdr
elf_builder_header(const struct elf_builder *builder, uint16_t index)
{
	GElf_Shdr header;

	ck_assert_ptr_nonnull(
		gelf_getshdr(elf_getscn(builder->elf, index), &header));
	return header;
}

uint16_t
elf_builder_symbols(struct elf_builder *builder, uint32_t type, uint64_t vaddr,
		    const struct elf_symbol *symbols, size_t n)
{
	size_t entry = gelf_fsize(builder->elf, ELF_T_SYM, 1, EV_CURRENT);
	struct strings strings = {0};
	struct elf_section table = {
		.name = type == SHT_DYNSYM ? ".dynsym" : ".symtab",
		.type = type,
		.flags = type == SHT_DYNSYM ? SHF_ALLOC : 0,
		.vaddr = vaddr,
		.size = (n + 1) * entry,
		.info = 1,
		.entry_bytes = entry,
	};
	uint16_t index = add_section(builder, &table, ELF_T_SYM);
	Elf_Scn *scn = elf_getscn(builder->elf, index);
	Elf_Data *data = elf_getdata(scn, NULL);

	add_string(&strings, "");
	for (size_t i = 0; i < n; i++) {
		GElf_Sym symbol = {
			.st_name = add_string(&strings, symbols[i].name),
			.st_info =
				GELF_ST_INFO(symbols[i].bind, symbols[i].type),
			.st_shndx = symbols[i].section,
			.st_value = symbols[i].vaddr,
			.st_size = symbols[i].size,
		};
		ck_assert(gelf_update_sym(data, (int)i + 1, &symbol));
	}
	uint16_t link = add_section(
		builder,
		&(struct elf_section){
			.name = type == SHT_DYNSYM ? ".dynstr" : ".strtab",
			.type = SHT_STRTAB,
			.flags = table.flags,
			.vaddr = vaddr ? vaddr + table.size : 0,
			.bytes = strings.bytes,
			.size = strings.size,
		},
		ELF_T_BYTE);
	free(strings.bytes);

	GElf_Shdr header = elf_builder_header(builder, index);
	header.sh_link = link;
	ck_assert(gelf_update_shdr(scn, &header));
	return index;
}

uint16_t
elf_builder_relas(struct elf_builder *builder, const char *name, uint16_t link,
		  const GElf_Rela *relas, size_t n)
{
	size_t entry = gelf_fsize(builder->elf, ELF_T_RELA, 1, EV_CURRENT);
	uint16_t index =
		add_section(builder,
			    &(struct elf_section){.name = name,
						  .type = SHT_RELA,
						  .flags = SHF_ALLOC,
						  .link = link,
						  .size = n * entry,
						  .entry_bytes = entry},
			    ELF_T_RELA);
	Elf_Data *data = elf_getdata(elf_getscn(builder->elf, index), NULL);

	for (size_t i = 0; i < n; i++) {
		GElf_Rela rela = relas[i];

		ck_assert(gelf_update_rela(data, (int)i, &rela));
	}
	return index;
}

void
elf_builder_segment(struct elf_builder *builder, const GElf_Phdr *phdr)
{
	ck_assert_uint_lt(builder->n_segments, SEGMENTS_MAX);
	builder->segments[builder->n_segments++] = *phdr;
}

void
elf_builder_text(struct elf_builder *builder)
{
	elf_builder_section(builder, &(struct elf_section){
					     .name = ".text",
					     .flags = SHF_ALLOC | SHF_EXECINSTR,
					     .vaddr = 0x1000,
					     .size = 0x100});
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_flags = PF_X,
						  .p_offset = 0x1000,
						  .p_vaddr = 0x1000,
						  .p_filesz = 0x100});
}

static void
add_segments(struct elf_builder *builder, GElf_Ehdr *ehdr)
{
	if (builder->n_segments == 0)
		return;
	ck_assert_ptr_nonnull(
		(void *)gelf_newphdr(builder->elf, builder->n_segments));
	gelf_getehdr(builder->elf, ehdr);
	ehdr->e_phoff = gelf_fsize(builder->elf, ELF_T_EHDR, 1, EV_CURRENT);
	for (size_t i = 0; i < builder->n_segments; i++)
		ck_assert(gelf_update_phdr(builder->elf, (int)i,
					   &builder->segments[i]));
}

char *
elf_builder_finish(struct elf_builder *builder, size_t *size)
{
	GElf_Ehdr ehdr;

	add_string(&builder->section_names, ".shstrtab");
	uint16_t names = add_section(
		builder,
		&(struct elf_section){.name = ".shstrtab",
				      .type = SHT_STRTAB,
				      .bytes = builder->section_names.bytes,
				      .size = builder->section_names.size},
		ELF_T_BYTE);
	/* The name of .shstrtab itself was added twice; the first is in. */
	Elf_Scn *scn = elf_getscn(builder->elf, names);
	GElf_Shdr header = elf_builder_header(builder, names);
	header.sh_name = (uint32_t)(header.sh_size - sizeof ".shstrtab");
	ck_assert(gelf_update_shdr(scn, &header));

	gelf_getehdr(builder->elf, &ehdr);
	add_segments(builder, &ehdr);
	ehdr.e_shstrndx = names;
	ehdr.e_shoff = (builder->next_off + 15) & ~(uint64_t)15;
	ck_assert(gelf_update_ehdr(builder->elf, &ehdr));
	ck_assert_msg(elf_update(builder->elf, ELF_C_WRITE) > 0, "%s",
		      elf_errmsg(-1));

	struct stat st;
	ck_assert_int_eq(fstat(builder->fd, &st), 0);
	*size = (size_t)st.st_size;
	char *bytes = malloc(*size);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_eq(pread(builder->fd, bytes, *size, 0), st.st_size);
	return bytes;
}

char *
elf_build_simple(const struct elf_kind *kind, size_t text_size,
		 const struct elf_symbol *symbols, size_t n, size_t *size)
{
	struct elf_builder *builder = elf_builder_new(kind);

	elf_builder_section(builder, &(struct elf_section){
					     .name = ".text",
					     .flags = SHF_ALLOC | SHF_EXECINSTR,
					     .vaddr = PAGE,
					     .size = text_size});
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_flags = PF_R | PF_X,
						  .p_offset = PAGE,
						  .p_vaddr = PAGE,
						  .p_filesz = text_size,
						  .p_memsz = text_size});
	elf_builder_symbols(builder, SHT_SYMTAB, 0, symbols, n);
	char *bytes = elf_builder_finish(builder, size);
	elf_builder_free(builder);
	return bytes;
}

void
elf_drop_sections(char *bytes)
{
	if (bytes[EI_CLASS] == ELFCLASS64) {
		Elf64_Ehdr *ehdr = (void *)bytes;

		ehdr->e_shoff = 0;
		ehdr->e_shnum = ehdr->e_shstrndx = 0;
	} else {
		Elf32_Ehdr *ehdr = (void *)bytes;

		ehdr->e_shoff = 0;
		ehdr->e_shnum = ehdr->e_shstrndx = 0;
	}
}

void
elf_write(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
	close(fd);
}
