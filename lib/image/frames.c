/* frames.c - libdw takes entries apart; how their pointers are written it
 * leaves to us.  It is shown one entry at a time: some of its searches go on to
 * the end of what it can see, for each entry anew. */
#include "image/frames.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "image/dwarf_bytes.h"

/* The halves of a pointer's encoding: how it is written, and what it counts
 * from. */
#define FORMAT_MASK 0x0f
#define SIZE_MASK 0x07
#define BASE_MASK 0x70

#define NO_END UINT64_MAX

/* What an FDE needs of its CIE, the entry that several have in common. */
struct cie {
	uint64_t at;      /* in the section */
	uint8_t encoding; /* of the FDE's pointers; DW_EH_PE_omit: not known */
	bool signal_frame;
};

/* One pass over the entries. */
struct walk {
	prf_frames_fde *tell;
	void *arg;
	struct prf_object *object;
	const struct prf_frames *frames;
	struct cie *cies; /* seen so far, ascending */
	size_t n_cies, capacity;
	size_t last_cie; /* the one that was asked for last */
	size_t n_entries, n_fdes, n_unread;
};

static size_t
address_bytes(const struct prf_object *object)
{
	return object->ehdr.e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8;
}

static uint64_t
read_number(const struct prf_object *object, const uint8_t *bytes, size_t n)
{
	bool big_endian = object->ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	uint64_t number = 0;

	for (size_t i = 0; i < n; i++)
		number = number << 8 | bytes[big_endian ? i : n - 1 - i];
	return number;
}

bool
prf_frames_open(struct prf_frames *frames, struct prf_object *object,
		uint64_t off, uint64_t size, struct prf_lazy *lazy)
{
	if (!lazy || object->fd < 0) {
		frames->data =
			prf_object_data_at(object, off, size, ELF_T_BYTE);
		return frames->data;
	}
	if (!prf_object_has(object, off, size) ||
	    prf_lazy_open(lazy, object->fd, off, size) != 0)
		return false;
	frames->lazy = lazy;
	frames->data = &lazy->data;
	return true;
}

bool
prf_frames_need(const struct prf_frames *frames, uint64_t at, uint64_t n)
{
	uint64_t size = frames->data->d_size;

	if (!frames->lazy)
		return true;
	if (at > size)
		at = size;
	return prf_lazy_need(frames->lazy, at, n < size - at ? n : size - at);
}

/* How many bytes a pointer has; 0 if that is not fixed or not known. */
static size_t
pointer_bytes(const struct prf_object *object, uint8_t encoding)
{
	switch (encoding & SIZE_MASK) {
	case DW_EH_PE_absptr:
		return address_bytes(object);
	case DW_EH_PE_udata2:
		return 2;
	case DW_EH_PE_udata4:
		return 4;
	case DW_EH_PE_udata8:
		return 8;
	default:
		return 0;
	}
}

bool
prf_frames_pointer(const struct prf_object *object,
		   const struct prf_frames *frames, const uint8_t **at,
		   const uint8_t *end, uint8_t encoding, const uint64_t *hdr,
		   uint64_t *pointer)
{
	size_t n = pointer_bytes(object, encoding);
	const uint8_t *bytes = *at;
	uint64_t base = 0;

	if (encoding & DW_EH_PE_indirect || n == 0 || n > (size_t)(end - bytes))
		return false;
	if ((encoding & BASE_MASK) == DW_EH_PE_pcrel)
		base = frames->vaddr +
		       (uint64_t)(bytes - (uint8_t *)frames->data->d_buf);
	else if ((encoding & BASE_MASK) == DW_EH_PE_datarel && hdr)
		base = *hdr;
	else if ((encoding & BASE_MASK) != DW_EH_PE_absptr)
		return false;

	uint64_t number = read_number(object, bytes, n);
	uint64_t sign = (uint64_t)1 << (n * 8 - 1);
	if (encoding & DW_EH_PE_signed)
		number = (number ^ sign) - sign;
	number += base; /* modulo 2^64 */
	*pointer = address_bytes(object) == 4 ? (uint32_t)number : number;
	*at = bytes + n;
	return true;
}

/* How many bytes of the LEFT at AT belong to LETTER of an augmentation; -1: it
 * is not known, or there are too few. */
static int
letter_bytes(const struct prf_object *object, char letter, const uint8_t *at,
	     size_t left)
{
	size_t n = 0;

	switch (letter) {
	case 'R':
	case 'L':
		n = 1;
		break;
	case 'P':
		if (left > 0)
			n = pointer_bytes(object, *at);
		if (n == 0 || (*at & BASE_MASK) == DW_EH_PE_aligned)
			return -1;
		n += 1;
		break;
	case 'S': /* a signal's frame */
	case 'B': /* signed return addresses */
	case 'G': /* tagged memory */
		break;
	default:
		return -1;
	}
	return n <= left ? (int)n : -1;
}

/* How the FDEs of ENTRY, the CIE at AT, write their pointers.  The letters of
 * the augmentation tell what its data are, one after the other. */
static struct cie
read_cie(const struct prf_object *object, uint64_t at, const Dwarf_CIE *entry)
{
	const char *letter = entry->augmentation;
	const uint8_t *data = entry->augmentation_data;
	size_t left = entry->augmentation_data_size;
	struct cie cie = {.at = at, .encoding = DW_EH_PE_omit};
	bool has_encoding = false;
	int n;

	if (*letter == '\0' || strcmp(letter, "eh") == 0) /* of old */
		cie.encoding = DW_EH_PE_absptr;
	if (*letter != 'z')
		return cie;
	for (; *++letter != '\0'; data += n, left -= (size_t)n) {
		n = letter_bytes(object, *letter, data, left);
		if (n < 0)
			return cie;
		if (*letter == 'R' && !has_encoding) {
			cie.encoding = *data;
			has_encoding = true;
		}
		cie.signal_frame |= *letter == 'S';
	}
	if (!has_encoding)
		cie.encoding = DW_EH_PE_absptr;
	return cie;
}

static int
add_cie(struct walk *walk, uint64_t at, const Dwarf_CIE *cie)
{
	if (walk->n_cies == walk->capacity) {
		size_t capacity = walk->capacity * 2 + 16;
		struct cie *cies =
			reallocarray(walk->cies, capacity, sizeof *cies);
		if (!cies)
			return -ENOMEM;
		walk->cies = cies;
		walk->capacity = capacity;
	}
	walk->cies[walk->n_cies++] = read_cie(walk->object, at, cie);
	return 0;
}

/* The CIE at AT; it stands before the FDEs that refer to it. */
static const struct cie *
find_cie(struct walk *walk, uint64_t at)
{
	size_t lo = 0, hi = walk->n_cies;

	if (hi > 0 && walk->cies[walk->last_cie].at == at)
		return &walk->cies[walk->last_cie];
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (walk->cies[mid].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == walk->n_cies || walk->cies[lo].at != at)
		return NULL;
	walk->last_cie = lo;
	return &walk->cies[lo];
}

/* Reads what FDE claims, with the way its CIE writes pointers; *AT is then
 * behind that. */
static bool
read_claim(const struct prf_object *object, const struct prf_frames *frames,
	   const Dwarf_FDE *fde, uint8_t encoding, const uint8_t **at,
	   uint64_t *vaddr, uint64_t *size)
{
	*at = fde->start;
	return prf_frames_pointer(object, frames, at, fde->end, encoding, NULL,
				  vaddr) &&
	       prf_frames_pointer(object, frames, at, fde->end,
				  encoding & FORMAT_MASK, NULL, size);
}

/* Takes what FDE, which is at AT, says; false if it cannot be read. */
static bool
read_fde(struct walk *walk, uint64_t at, const Dwarf_FDE *fde, int *rc)
{
	const struct cie *cie = find_cie(walk, fde->CIE_pointer);
	const uint8_t *behind;
	uint64_t vaddr, size;

	if (!cie || !read_claim(walk->object, walk->frames, fde, cie->encoding,
				&behind, &vaddr, &size))
		return false;
	*rc = walk->tell(walk->arg, at, vaddr, size);
	walk->n_fdes++;
	return true;
}

/* Where the entry at AT ends; AT if there is none, NO_END if the data end
 * before it does. */
static uint64_t
entry_end(const struct prf_object *object, const struct prf_frames *frames,
	  uint64_t at)
{
	const Elf_Data *data = frames->data;
	const uint8_t *bytes = (uint8_t *)data->d_buf + at;
	uint64_t room = data->d_size - at, head = 4;

	if (room < head)
		return at;
	if (!prf_frames_need(frames, at, 12))
		return NO_END;
	uint64_t length = read_number(object, bytes, 4);
	if (length == 0)
		return at;
	if (length == UINT32_MAX) { /* the 64-bit format of DWARF */
		head = 12;
		if (room < head)
			return NO_END;
		length = read_number(object, bytes + 4, 8);
	}
	return length <= room - head ? at + head + length : NO_END;
}

/* Takes the entry in [at, end) apart.  libdw is shown no byte behind it. */
static bool
split_entry(const struct prf_object *object, const struct prf_frames *frames,
	    uint64_t at, uint64_t end, Dwarf_CFI_Entry *entry)
{
	Elf_Data data = *frames->data;
	Dwarf_Off next;

	data.d_size = end;
	return dwarf_next_cfi(object->ehdr.e_ident, &data, !frames->is_debug,
			      at, &next, entry) == 0;
}

/* Reads the entry in [at, end); false if it cannot be read. */
static bool
read_entry(struct walk *walk, uint64_t at, uint64_t end, int *rc)
{
	Dwarf_CFI_Entry entry;

	if (!split_entry(walk->object, walk->frames, at, end, &entry))
		return false;
	if (!dwarf_cfi_cie_p(&entry))
		return read_fde(walk, at, &entry.fde, rc);
	*rc = add_cie(walk, at, &entry.cie);
	return true;
}

/* Reads entry by entry.  What has no known end ends where no entry is. */
static int
walk_entries(struct walk *walk)
{
	const char *name =
		walk->frames->is_debug ? ".debug_frame" : ".eh_frame";
	uint64_t at = 0, end;
	int rc = 0;

	while (rc == 0 &&
	       (end = entry_end(walk->object, walk->frames, at)) > at &&
	       end != NO_END) {
		walk->n_entries++;
		if (!read_entry(walk, at, end, &rc)) {
			if (!walk->frames->has_end)
				return 0;
			walk->n_unread++;
		}
		at = end;
	}
	if (rc == 0 && end == NO_END && walk->frames->has_end)
		prf_object_warn(walk->object,
				"%s cannot be read from offset 0x%" PRIx64
				" on",
				name, at);
	if (walk->n_unread > 0)
		prf_object_warn(walk->object,
				"%zu of %zu entries of %s cannot be read",
				walk->n_unread, walk->n_entries, name);
	return rc;
}

/* Takes the entry at AT apart, wherever that comes from. */
static bool
split_entry_at(const struct prf_object *object, const struct prf_frames *frames,
	       uint64_t at, Dwarf_CFI_Entry *entry)
{
	if (at >= frames->data->d_size)
		return false;
	uint64_t end = entry_end(object, frames, at);
	return end != at && end != NO_END &&
	       prf_frames_need(frames, at, end - at) &&
	       split_entry(object, frames, at, end, entry);
}

bool
prf_frames_entry_at(const struct prf_object *object,
		    const struct prf_frames *frames, uint64_t at,
		    struct prf_frames_entry *entry)
{
	Dwarf_CFI_Entry fde, cie;
	const uint8_t *behind;

	if (!split_entry_at(object, frames, at, &fde) ||
	    dwarf_cfi_cie_p(&fde) ||
	    !split_entry_at(object, frames, fde.fde.CIE_pointer, &cie) ||
	    !dwarf_cfi_cie_p(&cie))
		return false;
	struct cie its = read_cie(object, fde.fde.CIE_pointer, &cie.cie);
	*entry = (struct prf_frames_entry){
		.common = cie.cie.initial_instructions,
		.common_end = cie.cie.initial_instructions_end,
		.own_end = fde.fde.end,
		.code_factor = cie.cie.code_alignment_factor,
		.data_factor = cie.cie.data_alignment_factor,
		.return_register = cie.cie.return_address_register,
		.encoding = its.encoding,
		.signal_frame = its.signal_frame,
	};
	if (!read_claim(object, frames, &fde.fde, its.encoding, &behind,
			&entry->vaddr, &entry->size))
		return false;
	struct prf_dwarf_bytes left = {.at = behind, .end = fde.fde.end};
	if (cie.cie.augmentation[0] == 'z')
		prf_dwarf_skip(&left, prf_dwarf_uleb(&left));
	entry->own = left.at;
	return !left.failed;
}

int
prf_frames_read(const struct prf_frames *frames, struct prf_object *object,
		prf_frames_fde *fde, void *arg, size_t *n_fdes)
{
	struct walk walk = {
		.tell = fde,
		.arg = arg,
		.object = object,
		.frames = frames,
	};
	int rc = 0;

	if (prf_frames_need(frames, 0, frames->data->d_size))
		rc = walk_entries(&walk);
	free(walk.cies);
	*n_fdes = walk.n_fdes;
	return rc;
}
