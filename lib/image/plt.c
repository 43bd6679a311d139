/* plt.c - a stub is known by the slot of the global offset table that it
 * jumps through: the relocation that fills the slot has the name.  That holds
 * for each way in which a linker begins them, where counting entries does not. */
#include "image/plt.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/stub.h"

struct stubs {
	struct prf_stub *all;
	size_t n, capacity;
};

#ifndef R_AARCH64_IRELATIVE /* musl */
#define R_AARCH64_IRELATIVE 1032
#endif

/* The relocations that fill slots, by machine. */
static const struct reloc_types {
	uint16_t machine;
	uint32_t jump_slot, glob_dat, irelative;
} reloc_types[] = {
	{EM_X86_64, R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_IRELATIVE},
	{EM_386, R_386_JMP_SLOT, R_386_GLOB_DAT, R_386_IRELATIVE},
	{EM_AARCH64, R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT,
	 R_AARCH64_IRELATIVE},
};

/* What naming needs at hand. */
struct naming {
	const struct reloc_types *types;
	struct stubs *stubs;
	size_t n_unnamed;
	struct prf_symbols *symbols;
	const struct prf_symtab *dynsym;
	bool has_symbols; /* the relocations at hand are those of DYNSYM */
	struct prf_object *object;
	struct prf_names *names;
};

static int
add_stub(struct stubs *stubs, const struct prf_stub *stub)
{
	if (stubs->n == stubs->capacity) {
		size_t capacity = stubs->capacity * 2 + 64;
		struct prf_stub *all =
			reallocarray(stubs->all, capacity, sizeof *all);
		if (!all)
			return -ENOMEM;
		stubs->all = all;
		stubs->capacity = capacity;
	}
	stubs->all[stubs->n++] = *stub;
	return 0;
}

static bool
is_plt(const char *section)
{
	return strncmp(section, ".plt", 4) == 0 ||
	       strncmp(section, ".iplt", 5) == 0;
}

/* What %ebx points to in i386 code: the table the stubs' slots are in. */
static uint64_t
got_vaddr(const struct prf_object *object)
{
	GElf_Shdr header;

	if (prf_object_section_named(object, ".got.plt", &header) ||
	    prf_object_section_named(object, ".got", &header))
		return header.sh_addr;
	return 0;
}

static int
find_in_section(struct stubs *stubs, struct prf_object *object,
		Elf_Scn *section, const GElf_Shdr *header, uint64_t got)
{
	const struct prf_stub_context context = {
		.machine = object->ehdr.e_machine,
		.entry_bytes = header->sh_entsize,
		.got_vaddr = got,
	};
	Elf_Data *data = prf_object_section_data(object, section, header);
	size_t step = prf_stub_step(context.machine);
	size_t at = 0;

	while (data && at < data->d_size) {
		struct prf_stub stub;
		int rc;

		if (!prf_stub_decode(&context, (uint8_t *)data->d_buf + at,
				     data->d_size - at, header->sh_addr + at,
				     &stub)) {
			at += step;
			continue;
		}
		rc = add_stub(stubs, &stub);
		if (rc != 0)
			return rc;
		at += stub.size_bytes;
	}
	return 0;
}

static int
by_target(const void *a, const void *b)
{
	const struct prf_stub *x = a, *y = b;

	if (x->by_number != y->by_number)
		return x->by_number ? 1 : -1;
	if (x->target != y->target)
		return x->target < y->target ? -1 : 1;
	return (x->vaddr > y->vaddr) - (x->vaddr < y->vaddr);
}

static int
find_stubs(struct stubs *stubs, struct prf_object *object)
{
	uint64_t got = got_vaddr(object);
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = prf_object_next_section(object, section, &header))) {
		if (header.sh_type != SHT_PROGBITS ||
		    !(header.sh_flags & SHF_EXECINSTR) ||
		    !is_plt(prf_object_section_name(object, &header)))
			continue;
		int rc = find_in_section(stubs, object, section, &header, got);
		if (rc != 0)
			return rc;
	}
	if (stubs->n > 0)
		qsort(stubs->all, stubs->n, sizeof *stubs->all, by_target);
	return 0;
}

/* The first stub of KEY's target in order, or the number of stubs. */
static size_t
first_stub(const struct stubs *stubs, bool by_number, uint64_t target)
{
	const struct prf_stub key = {.by_number = by_number, .target = target};
	size_t lo = 0, hi = stubs->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (by_target(&stubs->all[mid], &key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* What stubs that lead to NAME are called; NULL with *RC 0 if all names together
 * would take more room than they may. */
static const char *
stub_name(struct naming *naming, const char *name, int *rc)
{
	uint32_t name_size;

	if (!prf_symbols_take_name(naming->symbols, name, &name_size))
		return NULL;
	const char *joined = prf_names_join(naming->names, name, "@plt", "");
	*rc = joined ? 0 : -ENOMEM;
	return joined;
}

/* The same of an indirect function, known by where its resolver is. */
static const char *
resolver_name(struct naming *naming, uint64_t vaddr, int *rc)
{
	char absolute[32];

	prf_symbols_sort(naming->symbols);
	const struct prf_symbol *symbol =
		prf_symbols_at(naming->symbols, vaddr);
	if (symbol)
		return stub_name(naming, symbol->name, rc);
	snprintf(absolute, sizeof absolute, "*ABS*+0x%" PRIx64, vaddr);
	return stub_name(naming, absolute, rc);
}

/* The name that RELOC gives a stub; NULL with *RC 0 if none. */
static const char *
reloc_name(struct naming *naming, const GElf_Rela *reloc, bool has_addend,
	   int *rc)
{
	uint32_t type = (uint32_t)GELF_R_TYPE(reloc->r_info);
	const char *name = NULL;
	GElf_Sym symbol;

	if (type == naming->types->irelative)
		return has_addend ? resolver_name(naming,
						  (uint64_t)reloc->r_addend, rc)
				  : NULL;
	size_t index = GELF_R_SYM(reloc->r_info);
	if (naming->has_symbols && index < naming->dynsym->n &&
	    gelf_getsym(naming->dynsym->data, (int)index, &symbol))
		name = prf_symtab_name(naming->dynsym, &symbol);
	return name && name[0] != '\0' ? stub_name(naming, name, rc) : NULL;
}

/* Names the stubs of one TARGET by RELOC, if they have no name yet. */
static int
name_stubs(struct naming *naming, bool by_number, uint64_t target,
	   const GElf_Rela *reloc, bool has_addend)
{
	struct stubs *stubs = naming->stubs;
	size_t i = first_stub(stubs, by_number, target);
	int rc = 0;

	if (i == stubs->n || stubs->all[i].target != target ||
	    stubs->all[i].by_number != by_number || stubs->all[i].name)
		return 0;
	const char *name = reloc_name(naming, reloc, has_addend, &rc);
	if (!name)
		return rc;
	for (; i < stubs->n && stubs->all[i].target == target &&
	       stubs->all[i].by_number == by_number;
	     i++) {
		stubs->all[i].name = name;
		naming->n_unnamed--;
	}
	return 0;
}

/* Names stubs by the relocations in DATA; if they are those of the stubs
 * alone (JUMPS), by their number too. */
static int
name_by_relocs(struct naming *naming, Elf_Data *data, const GElf_Shdr *header,
	       bool jumps)
{
	const struct reloc_types *types = naming->types;
	bool rela = header->sh_type == SHT_RELA;
	size_t n = data->d_size / gelf_fsize(naming->object->elf,
					     rela ? ELF_T_RELA : ELF_T_REL, 1,
					     EV_CURRENT);
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0 && naming->n_unnamed > 0; i++) {
		GElf_Rela reloc = {0};

		/* An Elf_Rel is the beginning of an Elf_Rela. */
		if (rela ? !gelf_getrela(data, (int)i, &reloc)
			 : !gelf_getrel(data, (int)i,
					(GElf_Rel *)(void *)&reloc))
			continue;
		uint32_t type = (uint32_t)GELF_R_TYPE(reloc.r_info);
		if (type != types->jump_slot && type != types->glob_dat &&
		    type != types->irelative)
			continue;
		rc = name_stubs(naming, false, reloc.r_offset, &reloc, rela);
		if (rc == 0 && jumps)
			rc = name_stubs(naming, true, i, &reloc, rela);
	}
	return rc;
}

/* Of .rel.plt and .rela.plt if JUMPS, of all other tables if not: these can be
 * long, and are read only for stubs that still have no name. */
static int
name_by_sections(struct naming *naming, bool jumps)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int rc = 0;

	while (rc == 0 && naming->n_unnamed > 0 &&
	       (section = prf_object_next_section(naming->object, section,
						  &header))) {
		const char *name =
			prf_object_section_name(naming->object, &header);
		bool of_plt = strcmp(name, ".rela.plt") == 0 ||
			      strcmp(name, ".rel.plt") == 0;

		if (of_plt != jumps || !(header.sh_flags & SHF_ALLOC) ||
		    (header.sh_type != SHT_RELA && header.sh_type != SHT_REL))
			continue;
		naming->has_symbols = header.sh_link != 0 &&
				      header.sh_link == naming->dynsym->section;
		Elf_Data *data = prf_object_section_data(naming->object,
							 section, &header);
		if (data)
			rc = name_by_relocs(naming, data, &header, jumps);
	}
	return rc;
}

/* Stubs with names become symbols. */
static int
add_named(struct prf_symbols *symbols, const struct stubs *stubs)
{
	for (size_t i = 0; i < stubs->n; i++) {
		const struct prf_stub *stub = &stubs->all[i];

		if (!stub->name)
			continue;
		int rc = prf_symbols_add(symbols,
					 &(struct prf_symbol){
						 .vaddr = stub->vaddr,
						 .size = stub->size_bytes,
						 .name = stub->name,
						 .rank = PRF_RANK_STUB,
					 });
		if (rc == -E2BIG)
			return 0;
		if (rc != 0)
			return rc;
	}
	return 0;
}

static void
free_stubs(struct stubs *stubs)
{
	free(stubs->all);
}

int
prf_plt_add(struct prf_symbols *symbols, const struct prf_symtab *dynsym,
	    struct prf_object *object, struct prf_names *names,
	    struct prf_error *err)
{
	PRF_AUTO(free_stubs) struct stubs stubs = {0};
	const struct reloc_types *types = NULL;
	int rc;

	for (size_t i = 0; i < sizeof reloc_types / sizeof *reloc_types; i++)
		if (reloc_types[i].machine == object->ehdr.e_machine)
			types = &reloc_types[i];
	if (!types)
		return 0;
	rc = find_stubs(&stubs, object);
	if (rc == 0) {
		struct naming naming = {
			.types = types,
			.stubs = &stubs,
			.n_unnamed = stubs.n,
			.symbols = symbols,
			.dynsym = dynsym,
			.object = object,
			.names = names,
		};
		rc = name_by_sections(&naming, true);
		if (rc == 0)
			rc = name_by_sections(&naming, false);
	}
	if (rc == 0)
		rc = add_named(symbols, &stubs);
	return rc == 0 ? 0 : prf_error_set(err, rc, "%s: %m", object->path);
}
