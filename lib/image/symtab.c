/* symtab.c - a symbol table as it lies in a file. */
#include "image/symtab.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

int
prf_symtab_copy_strings(struct prf_symtab *symtab, const Elf_Data *data,
			struct prf_names *names, struct prf_object *object,
			struct prf_error *err)
{
	const char *bytes = data->d_buf;
	/* A last string without its NUL is none. */
	const char *last = memrchr(bytes, '\0', data->d_size);

	if (!last) {
		prf_object_warn(object, "a string table without an end");
		return 0;
	}
	symtab->strings_size = (size_t)(last - bytes) + 1;
	char *copy = prf_names_alloc(names, symtab->strings_size);
	if (!copy)
		return prf_error_set(err, -ENOMEM, "%s: %m", object->path);
	symtab->strings = memcpy(copy, bytes, symtab->strings_size);
	return 0;
}

/* Takes the section at SECTION as a symbol table.  What is wrong with it is a
 * warning of OBJECT, and the table is empty. */
static int
open_table(struct prf_symtab *symtab, struct prf_object *object,
	   Elf_Scn *section, struct prf_names *names, struct prf_error *err)
{
	size_t entry = gelf_fsize(object->elf, ELF_T_SYM, 1, EV_CURRENT);
	GElf_Shdr header, strings_header;

	*symtab = (struct prf_symtab){.section = elf_ndxscn(section)};
	if (!gelf_getshdr(section, &header) || header.sh_size == 0 ||
	    header.sh_type == SHT_NOBITS)
		return 0;
	if (header.sh_entsize != entry) {
		prf_object_warn(object,
				"symbol table in section %zu: entries of "
				"%" PRIu64 " bytes, not %zu",
				symtab->section, header.sh_entsize, entry);
		return 0;
	}
	Elf_Scn *strings = elf_getscn(object->elf, header.sh_link);
	if (!strings || !gelf_getshdr(strings, &strings_header) ||
	    strings_header.sh_type != SHT_STRTAB) {
		prf_object_warn(object,
				"symbol table in section %zu: section %u is no "
				"string table",
				symtab->section, header.sh_link);
		return 0;
	}
	Elf_Data *string_data =
		prf_object_section_data(object, strings, &strings_header);
	Elf_Data *data = prf_object_section_data(object, section, &header);
	if (!string_data || !data)
		return 0;
	int rc = prf_symtab_copy_strings(symtab, string_data, names, object,
					 err);
	if (rc == 0 && symtab->strings) {
		symtab->data = data;
		symtab->n = data->d_size / entry;
	}
	return rc;
}

int
prf_symtab_find(struct prf_symtab *symtab, struct prf_object *object,
		uint32_t type, struct prf_names *names, struct prf_error *err)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	*symtab = (struct prf_symtab){0};
	while ((section = prf_object_next_section(object, section, &header)))
		if (header.sh_type == type)
			return open_table(symtab, object, section, names, err);
	return 0;
}

const char *
prf_symtab_name(const struct prf_symtab *symtab, const GElf_Sym *symbol)
{
	if (symbol->st_name >= symtab->strings_size)
		return NULL;
	return symtab->strings + symbol->st_name;
}
