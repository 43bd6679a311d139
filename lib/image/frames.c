/* frames.c - entries are taken apart here, not by libdw, which believes what the
 * letters of an augmentation say of its data, and reads on behind their end. */
#include "image/frames.h"

#include <dwarf.h>
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

/* No compiler writes more of an augmentation: "zPLR", and what it needs of
 * "SBG". */
enum { LETTERS_MAX = 15 };

/* An entry, of which it is known what it is. */
struct entry {
	bool is_cie;
	uint64_t cie_at; /* of an FDE, in the section */
	struct prf_dwarf_bytes left;
};

/* What a CIE has, the entry that several have in common, but for what it says of
 * their instructions. */
struct cie {
	uint64_t at;      /* in the section */
	uint8_t encoding; /* of the FDE's pointers; DW_EH_PE_omit: not known */
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

/* Takes what LETTERS, which follow the 'z' of an augmentation, say of its DATA:
 * the data of each, one after the other.  From a letter on that is not known, or
 * has too few, there is nothing to know. */
static void
read_letters(const struct prf_object *object, const char *letters,
	     struct prf_dwarf_bytes data, struct prf_frames_entry *cie)
{
	bool has_encoding = false;

	for (; *letters != '\0'; letters++) {
		int n = letter_bytes(object, *letters, data.at,
				     (size_t)(data.end - data.at));

		if (n < 0)
			return;
		if (*letters == 'R' && !has_encoding) {
			cie->encoding = *data.at;
			has_encoding = true;
		}
		cie->signal_frame |= *letters == 'S';
		prf_dwarf_skip(&data, (uint64_t)n);
	}
	if (!has_encoding)
		cie->encoding = DW_EH_PE_absptr;
}

/* The letters at LEFT, which is then behind them; NULL: they have no end. */
static const char *
take_letters(struct prf_dwarf_bytes *left)
{
	const uint8_t *letters = left->at;
	size_t room = (size_t)(left->end - left->at);
	const uint8_t *end = memchr(
		letters, '\0', room <= LETTERS_MAX ? room : LETTERS_MAX + 1);

	if (!end)
		return NULL;
	left->at = end + 1;
	return (const char *)letters;
}

/* Does the head of a CIE of VERSION say that its addresses are those of OBJECT? */
static bool
has_our_addresses(const struct prf_object *object, uint64_t version,
		  struct prf_dwarf_bytes *left)
{
	if (version < 4)
		return true;
	uint64_t n_address = prf_dwarf_number(left, 1);
	uint64_t n_segment = prf_dwarf_number(left, 1);
	return n_address == address_bytes(object) && n_segment == 0;
}

/* Reads the CIE of which LEFT is what follows its id: what CIE has of it, and
 * whether its FDEs have data of the augmentation, too. */
static bool
read_cie(const struct prf_object *object, struct prf_dwarf_bytes left,
	 struct prf_frames_entry *cie, bool *is_sized)
{
	uint64_t version = prf_dwarf_number(&left, 1);
	const char *letters = take_letters(&left);

	if ((version != 1 && version != 3 && version != 4) || !letters ||
	    !has_our_addresses(object, version, &left))
		return false;
	bool is_old = strcmp(letters, "eh") == 0;
	if (is_old)
		prf_dwarf_skip(&left, address_bytes(object));
	*cie = (struct prf_frames_entry){.encoding = is_old || *letters == '\0'
							     ? DW_EH_PE_absptr
							     : DW_EH_PE_omit};
	cie->code_factor = prf_dwarf_uleb(&left);
	cie->data_factor = prf_dwarf_sleb(&left);
	cie->return_register = version == 1 ? prf_dwarf_number(&left, 1)
					    : prf_dwarf_uleb(&left);
	*is_sized = *letters == 'z';
	if (*is_sized) {
		uint64_t n = prf_dwarf_uleb(&left);
		struct prf_dwarf_bytes data = left;

		prf_dwarf_skip(&left, n);
		data.end = left.at;
		read_letters(object, letters + 1, data, cie);
	}
	cie->common = left.at;
	cie->common_end = left.end;
	return !left.failed;
}

/* Adds the CIE at AT, of which LEFT is what follows its id; false if it cannot
 * be read. */
static bool
add_cie(struct walk *walk, uint64_t at, struct prf_dwarf_bytes left, int *rc)
{
	struct prf_frames_entry cie;
	bool is_sized;

	if (!read_cie(walk->object, left, &cie, &is_sized))
		return false;
	if (walk->n_cies == walk->capacity) {
		size_t capacity = walk->capacity * 2 + 16;
		struct cie *cies =
			reallocarray(walk->cies, capacity, sizeof *cies);
		if (!cies) {
			*rc = -ENOMEM;
			return true;
		}
		walk->cies = cies;
		walk->capacity = capacity;
	}
	walk->cies[walk->n_cies++] =
		(struct cie){.at = at, .encoding = cie.encoding};
	return true;
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

/* Takes from LEFT what an FDE claims, with the way its CIE writes pointers. */
static bool
take_claim(const struct prf_object *object, const struct prf_frames *frames,
	   struct prf_dwarf_bytes *left, uint8_t encoding, uint64_t *vaddr,
	   uint64_t *size)
{
	return prf_frames_pointer(object, frames, &left->at, left->end,
				  encoding, NULL, vaddr) &&
	       prf_frames_pointer(object, frames, &left->at, left->end,
				  encoding & FORMAT_MASK, NULL, size);
}

/* Takes what FDE, which is at AT, says; false if it cannot be read. */
static bool
read_fde(struct walk *walk, uint64_t at, struct entry *fde, int *rc)
{
	const struct cie *cie = find_cie(walk, fde->cie_at);
	uint64_t vaddr, size;

	if (!cie || !take_claim(walk->object, walk->frames, &fde->left,
				cie->encoding, &vaddr, &size))
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

/* Finds out what the entry in [at, end) is. */
static bool
split_entry(const struct prf_object *object, const struct prf_frames *frames,
	    uint64_t at, uint64_t end, struct entry *entry)
{
	const uint8_t *bytes = frames->data->d_buf;
	struct prf_dwarf_bytes left = {
		.at = bytes + at,
		.end = bytes + end,
		.big_endian = object->ehdr.e_ident[EI_DATA] == ELFDATA2MSB,
	};
	unsigned n = 4;

	if (prf_dwarf_number(&left, n) == UINT32_MAX) {
		n = 8;
		prf_dwarf_skip(&left, n);
	}
	uint64_t id_at = (uint64_t)(left.at - bytes);
	uint64_t id = prf_dwarf_number(&left, n);
	uint64_t of_cie = n == 4 ? UINT32_MAX : UINT64_MAX;
	if (!frames->is_debug)
		of_cie = 0;
	*entry = (struct entry){
		.is_cie = id == of_cie,
		/* How far back it is; or where. */
		.cie_at = frames->is_debug ? id : id_at - id,
		.left = left,
	};
	return !left.failed &&
	       (entry->is_cie || frames->is_debug || id <= id_at);
}

/* Reads the entry in [at, end); false if it cannot be read. */
static bool
read_entry(struct walk *walk, uint64_t at, uint64_t end, int *rc)
{
	struct entry entry;

	if (!split_entry(walk->object, walk->frames, at, end, &entry))
		return false;
	return entry.is_cie ? add_cie(walk, at, entry.left, rc)
			    : read_fde(walk, at, &entry, rc);
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

/* The same of the entry at AT, wherever that comes from. */
static bool
split_entry_at(const struct prf_object *object, const struct prf_frames *frames,
	       uint64_t at, struct entry *entry)
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
	struct entry fde, cie;
	bool is_sized;

	if (!split_entry_at(object, frames, at, &fde) || fde.is_cie ||
	    !split_entry_at(object, frames, fde.cie_at, &cie) || !cie.is_cie ||
	    !read_cie(object, cie.left, entry, &is_sized) ||
	    !take_claim(object, frames, &fde.left, entry->encoding,
			&entry->vaddr, &entry->size))
		return false;
	if (is_sized)
		prf_dwarf_skip(&fde.left, prf_dwarf_uleb(&fde.left));
	entry->own = fde.left.at;
	entry->own_end = fde.left.end;
	return !fde.left.failed;
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
