/* symbols.c - which symbols name code, and which name of it is the best. */
#include "image/symtab.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The names of a file may share their ends, but in an honest one they are not
 * much longer together than its string table. */
#define NAME_BYTES_MAX ((uint64_t)1 << 28)
#define UNDERSCORES_MAX 100

/* GELF_ST_TYPE of an indirect function. */
#define IS_FUNCTION(type) ((type) == STT_FUNC || (type) == STT_GNU_IFUNC)

/* Machines whose assemblers mark code and data in between by symbols. */
static bool
has_mapping_symbols(uint16_t machine)
{
	return machine == EM_ARM || machine == EM_AARCH64 ||
	       machine == EM_RISCV || machine == EM_CSKY;
}

/* $a, $d, $t, $x, also with a suffix: "$d.7", "$xrv64i2p1". */
static bool
is_mapping_symbol(const char *name)
{
	return name[0] == '$' && name[1] != '\0' && strchr("adtx", name[1]) &&
	       (name[2] == '\0' || name[2] == '.' ||
		strncmp(name, "$xrv", 4) == 0);
}

/* Labels that tools leave behind and no one wrote. */
static bool
is_tool_label(const char *name)
{
	static const char *const prefixes[] = {".L", ".annobin"};

	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* A linker puts some names where a section ends (etext): they name nothing. */
static bool
lies_in_its_section(const struct prf_object *object, const GElf_Sym *symbol)
{
	GElf_Shdr header;

	if (symbol->st_shndx == SHN_XINDEX || symbol->st_shndx == 0)
		return symbol->st_shndx != 0;
	if (symbol->st_shndx >= SHN_LORESERVE)
		return false;
	if (!object->has_sections)
		return true;
	Elf_Scn *section = elf_getscn(object->elf, symbol->st_shndx);
	return section && gelf_getshdr(section, &header) &&
	       symbol->st_value >= header.sh_addr &&
	       symbol->st_value - header.sh_addr < header.sh_size;
}

static uint32_t
rank_of(const GElf_Sym *symbol, const char *name)
{
	uint32_t underscores = 0;
	uint32_t rank = 0;

	while (name[underscores] == '_' && underscores < UNDERSCORES_MAX)
		underscores++;
	rank += underscores * PRF_RANK_UNDERSCORE;
	if (GELF_ST_BIND(symbol->st_info) == STB_LOCAL)
		rank += PRF_RANK_LOCAL;
	if (GELF_ST_BIND(symbol->st_info) == STB_WEAK)
		rank += PRF_RANK_WEAK;
	if (GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE)
		rank += PRF_RANK_UNTYPED;
	if (symbol->st_size == 0)
		rank += PRF_RANK_UNSIZED;
	return rank;
}

/* Whether SYMBOL can be the name of code; this is cheap, and excludes most
 * symbols. */
static bool
may_be_code(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF &&
	       symbol->st_shndx != SHN_COMMON &&
	       (IS_FUNCTION(type) || type == STT_NOTYPE);
}

static bool
is_label_of_interest(const struct prf_object *object, const GElf_Sym *symbol,
		     const char *name)
{
	if (has_mapping_symbols(object->ehdr.e_machine) &&
	    is_mapping_symbol(name))
		return false;
	return !is_tool_label(name) && lies_in_its_section(object, symbol);
}

int
prf_symbols_add_table(struct prf_symbols *symbols,
		      const struct prf_symtab *symtab,
		      struct prf_object *object,
		      const struct prf_layout *layout, struct prf_error *err)
{
	size_t n_nameless = 0;

	for (size_t i = 1; i < symtab->n; i++) {
		GElf_Sym symbol;

		if (!gelf_getsym(symtab->data, (int)i, &symbol) ||
		    !may_be_code(&symbol))
			continue;
		if (object->ehdr.e_machine == EM_ARM &&
		    IS_FUNCTION(GELF_ST_TYPE(symbol.st_info)))
			symbol.st_value &= ~(uint64_t)1; /* Thumb */
		if (!prf_layout_code_at(layout, symbol.st_value))
			continue;
		const char *name = prf_symtab_name(symtab, &symbol);
		if (!name) {
			n_nameless++;
			continue;
		}
		if (name[0] == '\0' ||
		    (GELF_ST_TYPE(symbol.st_info) == STT_NOTYPE &&
		     !is_label_of_interest(object, &symbol, name)))
			continue;

		int rc = prf_symbols_add(symbols,
					 &(struct prf_symbol){
						 .vaddr = symbol.st_value,
						 .size = symbol.st_size,
						 .name = name,
						 .rank = rank_of(&symbol, name),
					 });
		if (rc == -E2BIG) {
			prf_object_warn(object,
					"the names of symbols from %zu on are "
					"longer than is believed",
					i);
			break;
		}
		if (rc != 0)
			return prf_error_set(err, rc, "%s: %m", object->path);
	}
	if (n_nameless > 0)
		prf_object_warn(object,
				"%zu symbols have names outside of the string "
				"table",
				n_nameless);
	return 0;
}

bool
prf_symbols_take_name(struct prf_symbols *symbols, const char *name,
		      uint32_t *name_size)
{
	size_t room = (size_t)(NAME_BYTES_MAX - symbols->name_bytes);
	size_t size = strnlen(name, room + 1);

	if (size >= room) {
		symbols->name_bytes = NAME_BYTES_MAX;
		return false;
	}
	symbols->name_bytes += size + 1;
	*name_size = (uint32_t)size;
	return true;
}

int
prf_symbols_add(struct prf_symbols *symbols, const struct prf_symbol *symbol)
{
	if (symbols->n == symbols->capacity) {
		size_t capacity = symbols->capacity * 2 + 64;
		struct prf_symbol *all =
			reallocarray(symbols->all, capacity, sizeof *all);
		if (!all)
			return -ENOMEM;
		symbols->all = all;
		symbols->capacity = capacity;
	}

	struct prf_symbol *added = &symbols->all[symbols->n];
	*added = *symbol;
	if (!prf_symbols_take_name(symbols, symbol->name, &added->name_size))
		return -E2BIG;
	symbols->n++;
	return 0;
}

/* Of names of one address. */
static int
by_rank(const void *a, const void *b)
{
	const struct prf_symbol *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->name_size != y->name_size)
		return x->name_size < y->name_size ? -1 : 1;
	if (x->name != y->name) {
		int order = memcmp(x->name, y->name, x->name_size);
		if (order != 0)
			return order;
	}
	/* The largest first, so that what is chosen never depends on qsort. */
	return (x->size < y->size) - (x->size > y->size);
}

static int
by_vaddr(const void *a, const void *b)
{
	const struct prf_symbol *x = a, *y = b;

	if (x->vaddr != y->vaddr)
		return x->vaddr < y->vaddr ? -1 : 1;
	return by_rank(a, b);
}

void
prf_symbols_sort(struct prf_symbols *symbols)
{
	if (symbols->n_sorted < symbols->n)
		qsort(symbols->all, symbols->n, sizeof *symbols->all, by_vaddr);
	symbols->n_sorted = symbols->n;
}

const struct prf_symbol *
prf_symbols_at(const struct prf_symbols *symbols, uint64_t vaddr)
{
	size_t lo = 0, hi = symbols->n_sorted;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (symbols->all[mid].vaddr < vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < symbols->n_sorted && symbols->all[lo].vaddr == vaddr)
		return &symbols->all[lo];
	return NULL;
}

void
prf_symbols_free(struct prf_symbols *symbols)
{
	free(symbols->all);
	*symbols = (struct prf_symbols){0};
}
