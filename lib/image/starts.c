#include "image/starts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

/* No file has more functions, or text in more segments. */
enum { BLOCK_BYTES = 1 << 16, STARTS_MAX = 1 << 22, SEGMENTS_MAX = 64 };

struct reading {
	struct prf_starts *starts;
	const struct prf_object *object;
	const struct prf_layout *layout;
	uint8_t *block;  /* BLOCK_BYTES */
	size_t n_sorted; /* of the starts, when text is searched */
};

static bool
is_text(const struct prf_layout *layout, uint64_t vaddr)
{
	for (size_t i = 0; i < layout->n_segments && i < SEGMENTS_MAX; i++)
		if (vaddr - layout->segments[i].vaddr <
		    layout->segments[i].size)
			return true;
	return false;
}

static int
add(struct reading *reading, uint64_t vaddr)
{
	struct prf_starts *starts = reading->starts;

	if (starts->n == STARTS_MAX || !is_text(reading->layout, vaddr))
		return 0;
	if (starts->n == starts->capacity) {
		size_t capacity = starts->capacity * 2 + 64;
		uint64_t *all =
			reallocarray(starts->all, capacity, sizeof *all);
		if (!all)
			return -ENOMEM;
		starts->all = all;
		starts->capacity = capacity;
	}
	starts->all[starts->n++] = vaddr;
	return 0;
}

static int
by_vaddr(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static void
sort(struct prf_starts *starts)
{
	size_t n = 0;

	if (starts->n == 0)
		return;
	qsort(starts->all, starts->n, sizeof *starts->all, by_vaddr);
	for (size_t i = 0; i < starts->n; i++)
		if (n == 0 || starts->all[n - 1] != starts->all[i])
			starts->all[n++] = starts->all[i];
	starts->n = n;
	uint64_t *fitting = reallocarray(starts->all, n, sizeof *fitting);
	if (!fitting)
		return;
	starts->all = fitting;
	starts->capacity = n;
}

/* --- Symbols */

static bool
is_32_bit(const struct prf_object *object)
{
	return object->ehdr.e_ident[EI_CLASS] == ELFCLASS32;
}

/* The symbol at BYTES, of this machine's byte order. */
static GElf_Sym
symbol_at(const struct prf_object *object, const uint8_t *bytes)
{
	Elf32_Sym small;
	GElf_Sym symbol;

	if (!is_32_bit(object)) {
		memcpy(&symbol, bytes, sizeof symbol);
		return symbol;
	}
	memcpy(&small, bytes, sizeof small);
	return (GElf_Sym){
		.st_info = small.st_info,
		.st_shndx = small.st_shndx,
		.st_value = small.st_value,
	};
}

static bool
is_function(const GElf_Sym *symbol)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) &&
	       symbol->st_shndx != SHN_UNDEF;
}

/* Adds the functions of the symbol table in [off, end). */
static int
add_symbols(struct reading *reading, uint64_t off, uint64_t end)
{
	const struct prf_object *object = reading->object;
	size_t entry =
		is_32_bit(object) ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
	size_t room = BLOCK_BYTES / entry * entry;
	int rc = 0;

	while (rc == 0 && off < end) {
		size_t n = prf_object_read(object, off, reading->block,
					   end - off < room ? end - off : room);

		for (size_t at = 0; rc == 0 && at + entry <= n; at += entry) {
			GElf_Sym symbol =
				symbol_at(object, reading->block + at);

			if (is_function(&symbol))
				rc = add(reading, symbol.st_value);
		}
		if (n < entry)
			break;
		off += n / entry * entry;
	}
	return rc;
}

/* Adds those of the first table of TYPE; *FOUND: there is one. */
static int
add_table(struct reading *reading, uint32_t type, bool *found)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	*found = false;
	while ((section = prf_object_next_section(reading->object, section,
						  &header))) {
		if (header.sh_type != type ||
		    header.sh_size > PRF_OBJECT_DATA_MAX ||
		    header.sh_offset > reading->object->size)
			continue;
		*found = true;
		return add_symbols(reading, header.sh_offset,
				   header.sh_offset + header.sh_size);
	}
	return 0;
}

/* --- Calls and jumps */

static uint32_t
number_at(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
	       (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* A direct call, or a jump, or what else has the address of a function. */
struct branch {
	/* Are the bytes at BYTES, which are VADDR's, one? */
	bool (*is)(const uint8_t *bytes, uint64_t vaddr, uint64_t *target);
	uint8_t first_byte; /* of each; 0: it may be any */
};

enum { X86_CALL = 0xe8, X86_JUMP = 0xe9, X86_BYTES = 5 };
enum { X86_LEA = 0x8d, X86_MOVE = 0xc7, BRANCH_BYTES = 6 };
enum { AARCH64_CALL = 0x25, AARCH64_JUMP = 0x05 };

static uint64_t
x86_target(const uint8_t *bytes, uint64_t vaddr)
{
	return vaddr + X86_BYTES + (uint64_t)(int32_t)number_at(bytes + 1);
}

static uint64_t
aarch64_target(const uint8_t *bytes, uint64_t vaddr)
{
	int32_t words = (int32_t)(number_at(bytes) << 6) >> 6;

	return vaddr + (uint64_t)((int64_t)words * 4);
}

static bool
is_x86_call(const uint8_t *bytes, uint64_t vaddr, uint64_t *target)
{
	*target = x86_target(bytes, vaddr);
	return bytes[0] == X86_CALL;
}

static bool
is_x86_jump(const uint8_t *bytes, uint64_t vaddr, uint64_t *target)
{
	*target = x86_target(bytes, vaddr);
	return bytes[0] == X86_JUMP;
}

/* lea TARGET(%rip), but for a prefix: a function may be called by that only. */
static bool
is_x86_64_lea(const uint8_t *bytes, uint64_t vaddr, uint64_t *target)
{
	*target = vaddr + 6 + (uint64_t)(int32_t)number_at(bytes + 2);
	return bytes[0] == X86_LEA && (bytes[1] & 0xc7) == 5;
}

/* mov $TARGET, likewise; linkers make it of others in what is not moved. */
static bool
is_x86_64_move(const uint8_t *bytes, uint64_t vaddr, uint64_t *target)
{
	(void)vaddr;
	*target = (uint64_t)(int32_t)number_at(bytes + 2);
	return bytes[0] == X86_MOVE && bytes[1] >> 3 == 0x18;
}

static bool
is_aarch64_call(const uint8_t *bytes, uint64_t vaddr, uint64_t *target)
{
	*target = aarch64_target(bytes, vaddr);
	return vaddr % 4 == 0 && number_at(bytes) >> 26 == AARCH64_CALL;
}

static bool
is_aarch64_jump(const uint8_t *bytes, uint64_t vaddr, uint64_t *target)
{
	*target = aarch64_target(bytes, vaddr);
	return vaddr % 4 == 0 && number_at(bytes) >> 26 == AARCH64_JUMP;
}

enum { OTHERS = 3 };

struct code_of {
	uint16_t machine;
	struct branch call, others[OTHERS];
};

static const struct code_of codes[] = {
	{EM_X86_64,
	 {is_x86_call, X86_CALL},
	 {{is_x86_jump, X86_JUMP},
	  {is_x86_64_lea, X86_LEA},
	  {is_x86_64_move, X86_MOVE}}},
	{EM_386, {is_x86_call, X86_CALL}, {{is_x86_jump, X86_JUMP}}},
	{EM_AARCH64, {is_aarch64_call, 0}, {{is_aarch64_jump, 0}}},
};

/* A target of a call is a start. */
static int
add_called(struct reading *reading, uint64_t from, uint64_t target)
{
	(void)from;
	return add(reading, target);
}

/* So is that of a jump from one function into another, where functions begin: the
 * last call of a function may be one.  Or it has its address, to call it later. */
static int
add_other(struct reading *reading, uint64_t from, uint64_t target)
{
	enum { ALIGNMENT = 16 };
	struct prf_starts known = *reading->starts;
	uint64_t here = 0, there = 0;

	known.n = reading->n_sorted;
	if (target % ALIGNMENT != 0)
		return 0;
	prf_starts_at(&known, from, &here);
	prf_starts_at(&known, target, &there);
	return here == there ? 0 : add(reading, target);
}

typedef int take_branch(struct reading *reading, uint64_t from,
			uint64_t target);

/* Calls TAKE for all that look as if they were a BRANCH in the N bytes of the
 * block, which are VADDR's.  Other bytes may, but they seldom lead into the
 * text. */
static int
search_block(struct reading *reading, size_t n, uint64_t vaddr,
	     const struct branch *branch, take_branch *take)
{
	const uint8_t *at = reading->block, *end = at + n - BRANCH_BYTES + 1;
	uint64_t target;
	int rc = 0;

	for (; rc == 0 && at < end; at++) {
		if (branch->first_byte)
			at = memchr(at, branch->first_byte, (size_t)(end - at));
		if (!at)
			break;
		uint64_t from = vaddr + (uint64_t)(at - reading->block);
		if (branch->is(at, from, &target))
			rc = take(reading, from, target);
	}
	return rc;
}

static int
search_segment(struct reading *reading, const struct prf_segment *segment,
	       const struct branch *branch, take_branch *take)
{
	uint64_t at = 0;
	int rc = 0;

	while (rc == 0 && at < segment->size) {
		uint64_t left = segment->size - at;
		size_t n = prf_object_read(
			reading->object, segment->off + at, reading->block,
			left < BLOCK_BYTES ? left : BLOCK_BYTES);

		if (n < BRANCH_BYTES)
			break;
		rc = search_block(reading, n, segment->vaddr + at, branch,
				  take);
		at += n - (BRANCH_BYTES - 1);
	}
	return rc;
}

static int
search_text(struct reading *reading, const struct branch *branch,
	    take_branch *take)
{
	const struct prf_layout *layout = reading->layout;
	uint64_t size = 0;
	int rc = 0;

	for (size_t i = 0; i < layout->n_segments; i++)
		size += layout->segments[i].size;
	if (size > PRF_STARTS_TEXT_MAX)
		return 0;
	for (size_t i = 0; rc == 0 && i < layout->n_segments; i++)
		rc = search_segment(reading, &layout->segments[i], branch,
				    take);
	sort(reading->starts);
	reading->n_sorted = reading->starts->n;
	return rc;
}

static int
add_all_called(struct reading *reading)
{
	const struct code_of *code = codes;
	const uint16_t machine = reading->object->ehdr.e_machine;

	while (code < codes + sizeof codes / sizeof *codes &&
	       code->machine != machine)
		code++;
	if (code == codes + sizeof codes / sizeof *codes)
		return 0;
	int rc = add(reading, reading->object->ehdr.e_entry);
	if (rc == 0)
		rc = search_text(reading, &code->call, add_called);
	for (int i = 0; rc == 0 && i < OTHERS && code->others[i].is; i++)
		rc = search_text(reading, &code->others[i], add_other);
	return rc;
}

/* --- All of them */

int
prf_starts_read(struct prf_starts *starts, const struct prf_object *object,
		const struct prf_layout *layout)
{
	PRF_AUTO(prf_auto_free) uint8_t *block = malloc(BLOCK_BYTES);
	struct reading reading = {starts, object, layout, block, 0};
	bool has_all, ignored;

	*starts = (struct prf_starts){0};
	if (!block)
		return -ENOMEM;
	if (object->ehdr.e_ident[EI_DATA] != ELFDATA2LSB)
		return 0;
	int rc = add_table(&reading, SHT_SYMTAB, &has_all);
	if (rc == 0 && !has_all)
		rc = add_table(&reading, SHT_DYNSYM, &ignored);
	if (rc == 0 && !has_all)
		rc = add_all_called(&reading);
	if (rc != 0)
		prf_starts_free(starts);
	sort(starts);
	return rc;
}

void
prf_starts_free(struct prf_starts *starts)
{
	free(starts->all);
	*starts = (struct prf_starts){0};
}

bool
prf_starts_at(const struct prf_starts *starts, uint64_t vaddr, uint64_t *start)
{
	size_t lo = 0, hi = starts->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (starts->all[mid] <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0)
		return false;
	*start = starts->all[lo - 1];
	return true;
}
