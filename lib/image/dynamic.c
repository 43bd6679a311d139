/* dynamic.c - the symbol table that the program headers lead to, as the
 * dynamic loader finds it: PT_DYNAMIC, DT_SYMTAB, DT_STRTAB, DT_HASH. */
#include "image/symtab.h"

#include <errno.h>

/* The tags that are of interest; 0 where there is none. */
struct dynamic {
	uint64_t symtab, strtab, strtab_size, hash, gnu_hash;
};

/* SIZE bytes at VADDR; NULL with a warning. */
static Elf_Data *
data_at_vaddr(struct prf_object *object, uint64_t vaddr, uint64_t size,
	      Elf_Type type)
{
	uint64_t off, room;

	if (!prf_object_offset_of(object, vaddr, &off, &room) || size > room) {
		prf_object_warn(object,
				"the dynamic section points outside of the "
				"file");
		return NULL;
	}
	return prf_object_data_at(object, off, size, type);
}

static bool
read_tags(struct prf_object *object, struct dynamic *dynamic)
{
	size_t entry = gelf_fsize(object->elf, ELF_T_DYN, 1, EV_CURRENT);
	GElf_Phdr phdr = {0};
	GElf_Dyn dyn;
	size_t i = 0;

	while (i < object->n_segments &&
	       gelf_getphdr(object->elf, (int)i, &phdr) &&
	       phdr.p_type != PT_DYNAMIC)
		i++;
	if (i == object->n_segments || phdr.p_type != PT_DYNAMIC)
		return false;
	Elf_Data *data = prf_object_data_at(
		object, phdr.p_offset, phdr.p_filesz - phdr.p_filesz % entry,
		ELF_T_DYN);
	if (!data)
		return false;
	for (int at = 0; gelf_getdyn(data, at, &dyn) && dyn.d_tag != DT_NULL;
	     at++) {
		switch (dyn.d_tag) {
		case DT_SYMTAB:
			dynamic->symtab = dyn.d_un.d_ptr;
			break;
		case DT_STRTAB:
			dynamic->strtab = dyn.d_un.d_ptr;
			break;
		case DT_STRSZ:
			dynamic->strtab_size = dyn.d_un.d_val;
			break;
		case DT_HASH:
			dynamic->hash = dyn.d_un.d_ptr;
			break;
		case DT_GNU_HASH:
			dynamic->gnu_hash = dyn.d_un.d_ptr;
			break;
		default:
			break;
		}
	}
	return dynamic->symtab && dynamic->strtab && dynamic->strtab_size;
}

/* N words of 4 bytes at VADDR; NULL with a warning. */
static const uint32_t *
words_at(struct prf_object *object, uint64_t vaddr, uint64_t n)
{
	Elf_Data *data = data_at_vaddr(object, vaddr, n * 4, ELF_T_WORD);

	return data ? data->d_buf : NULL;
}

/* DT_GNU_HASH does not say how many symbols there are: the highest bucket
 * leads to the last chain, and the last of it has its lowest bit set. */
static uint64_t
count_by_gnu_hash(struct prf_object *object, uint64_t vaddr)
{
	const uint32_t *head = words_at(object, vaddr, 4);
	if (!head)
		return 0;
	uint32_t n_buckets = head[0], first = head[1];
	uint64_t bloom_size =
		(uint64_t)head[2] *
		(gelf_getclass(object->elf) == ELFCLASS64 ? 8 : 4);
	uint64_t buckets_at = vaddr + 16 + bloom_size;

	const uint32_t *buckets = words_at(object, buckets_at, n_buckets);
	if (!buckets)
		return 0;
	uint32_t last = 0;
	for (uint32_t i = 0; i < n_buckets; i++)
		if (buckets[i] > last)
			last = buckets[i];
	if (last < first)
		return first; /* only symbols that are not defined here */

	uint64_t chain_at = buckets_at + 4 * (uint64_t)n_buckets +
			    4 * (uint64_t)(last - first);
	uint64_t off, room;
	if (!prf_object_offset_of(object, chain_at, &off, &room)) {
		prf_object_warn(object, "DT_GNU_HASH leads out of the file");
		return 0;
	}
	if (room > PRF_OBJECT_DATA_MAX)
		room = PRF_OBJECT_DATA_MAX;
	const uint32_t *chain = words_at(object, chain_at, room / 4);
	if (!chain)
		return 0;
	for (uint64_t i = 0; i < room / 4; i++)
		if (chain[i] & 1)
			return last + i + 1;
	return 0;
}

static uint64_t
count_symbols(struct prf_object *object, const struct dynamic *dynamic)
{
	if (dynamic->hash) {
		const uint32_t *head = words_at(object, dynamic->hash, 2);

		return head ? head[1] : 0;
	}
	return dynamic->gnu_hash ? count_by_gnu_hash(object, dynamic->gnu_hash)
				 : 0;
}

int
prf_symtab_dynamic(struct prf_symtab *symtab, struct prf_object *object,
		   struct prf_names *names, struct prf_error *err)
{
	size_t entry = gelf_fsize(object->elf, ELF_T_SYM, 1, EV_CURRENT);
	struct dynamic dynamic = {0};

	*symtab = (struct prf_symtab){0};
	if (!read_tags(object, &dynamic))
		return 0;
	uint64_t n = count_symbols(object, &dynamic);
	if (n == 0)
		return 0;
	Elf_Data *data =
		data_at_vaddr(object, dynamic.symtab, n * entry, ELF_T_SYM);
	Elf_Data *strings = data_at_vaddr(object, dynamic.strtab,
					  dynamic.strtab_size, ELF_T_BYTE);
	if (!data || !strings)
		return 0;
	int rc = prf_symtab_copy_strings(symtab, strings, names, object, err);
	if (rc == 0 && symtab->strings) {
		symtab->data = data;
		symtab->n = (size_t)n;
	}
	return rc;
}
