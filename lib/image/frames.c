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
};

/* One pass over the entries of an .eh_frame. */
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

/* How the FDEs of CIE write their pointers.  The letters of the augmentation
 * tell what its data are, one after the other. */
static uint8_t
fde_encoding(const struct prf_object *object, const Dwarf_CIE *cie)
{
	const char *letter = cie->augmentation;
	const uint8_t *at = cie->augmentation_data;
	size_t left = cie->augmentation_data_size;

	if (*letter == '\0' || strcmp(letter, "eh") == 0) /* of old */
		return DW_EH_PE_absptr;
	if (*letter != 'z')
		return DW_EH_PE_omit;
	while (*++letter != '\0') {
		size_t n = 0;

		switch (*letter) {
		case 'R':
			return left > 0 ? *at : DW_EH_PE_omit;
		case 'L':
			n = 1;
			break;
		case 'P':
			if (left > 0)
				n = pointer_bytes(object, *at);
			if (n == 0 || (*at & BASE_MASK) == DW_EH_PE_aligned)
				return DW_EH_PE_omit;
			n += 1;
			break;
		case 'S': /* a signal's frame */
		case 'B': /* signed return addresses */
		case 'G': /* tagged memory */
			break;
		default:
			return DW_EH_PE_omit;
		}
		if (n > left)
			return DW_EH_PE_omit;
		at += n;
		left -= n;
	}
	return DW_EH_PE_absptr;
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
	walk->cies[walk->n_cies++] = (struct cie){
		.at = at,
		.encoding = fde_encoding(walk->object, cie),
	};
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

/* Takes what FDE says; false if it cannot be read. */
static bool
read_fde(struct walk *walk, const Dwarf_FDE *fde, int *rc)
{
	const struct cie *cie = find_cie(walk, fde->CIE_pointer);
	const uint8_t *at = fde->start;
	uint64_t vaddr, size;

	if (!cie ||
	    !prf_frames_pointer(walk->object, walk->frames, &at, fde->end,
				cie->encoding, NULL, &vaddr) ||
	    !prf_frames_pointer(walk->object, walk->frames, &at, fde->end,
				cie->encoding & FORMAT_MASK, NULL, &size))
		return false;
	*rc = walk->tell(walk->arg, vaddr, size);
	walk->n_fdes++;
	return true;
}

/* Where the entry at AT ends; AT if there is none, NO_END if the data end
 * before it does. */
static uint64_t
entry_end(const struct prf_object *object, const Elf_Data *data, uint64_t at)
{
	const uint8_t *bytes = (uint8_t *)data->d_buf + at;
	uint64_t room = data->d_size - at, head = 4;

	if (room < head)
		return at;
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

/* Reads the entry in [at, end); false if it cannot be read.  libdw is shown no
 * byte behind it. */
static bool
read_entry(struct walk *walk, uint64_t at, uint64_t end, int *rc)
{
	const unsigned char *ident = walk->object->ehdr.e_ident;
	Elf_Data data = *walk->frames->data;
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	data.d_size = end;
	if (dwarf_next_cfi(ident, &data, true, at, &next, &entry) != 0)
		return false;
	if (!dwarf_cfi_cie_p(&entry))
		return read_fde(walk, &entry.fde, rc);
	*rc = add_cie(walk, at, &entry.cie);
	return true;
}

/* Reads entry by entry.  What has no known end ends where no entry is. */
static int
walk_entries(struct walk *walk)
{
	const Elf_Data *data = walk->frames->data;
	uint64_t at = 0, end;
	int rc = 0;

	while (rc == 0 && (end = entry_end(walk->object, data, at)) > at &&
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
		prf_object_warn(
			walk->object,
			".eh_frame cannot be read from offset 0x%" PRIx64 " on",
			at);
	if (walk->n_unread > 0)
		prf_object_warn(walk->object,
				"%zu of %zu entries of .eh_frame cannot be "
				"read",
				walk->n_unread, walk->n_entries);
	return rc;
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
	int rc = walk_entries(&walk);

	free(walk.cies);
	*n_fdes = walk.n_fdes;
	return rc;
}
