#include "image/frames_header.h"

#include <dwarf.h>

enum { VERSION, FRAMES_ENCODING, COUNT_ENCODING, TABLE_ENCODING };
/* HEAD_BYTES: up to the end of the first row, however pointers are written. */
enum { ENCODINGS_BYTES = 4, HEAD_BYTES = ENCODINGS_BYTES + 4 * 8 };

static bool
find_segment(struct prf_object *object, uint32_t type, GElf_Phdr *phdr)
{
	for (size_t i = 0; i < object->n_segments; i++)
		if (gelf_getphdr(object->elf, (int)i, phdr) &&
		    phdr->p_type == type)
			return true;
	return false;
}

/* Reads the pointer at *AT in the header, and moves *AT past it. */
static bool
read_pointer(const struct prf_frames_header *header,
	     const struct prf_object *object, size_t *at, uint8_t encoding,
	     const uint64_t *base, uint64_t *pointer)
{
	const uint8_t *bytes = header->header.data->d_buf;
	const uint8_t *from = bytes + *at;

	if (!prf_frames_pointer(object, &header->header, &from,
				bytes + header->header.data->d_size, encoding,
				base, pointer))
		return false;
	*at = (size_t)(from - bytes);
	return true;
}

/* Where the table is.  A row has the same size as every other. */
static void
find_table(struct prf_frames_header *header, const struct prf_object *object,
	   size_t at)
{
	const uint64_t *base = &header->header.vaddr;
	size_t end = at, room = header->header.data->d_size - at;
	uint64_t ignored;

	if (!read_pointer(header, object, &end, header->encoding, base,
			  &ignored) ||
	    !read_pointer(header, object, &end, header->encoding, base,
			  &ignored))
		return;
	header->table_at = at;
	header->row_bytes = end - at;
	header->n_rows = room / header->row_bytes;
	if (header->n_rows > header->n_fdes)
		header->n_rows = (size_t)header->n_fdes;
}

/* Takes the bytes of the header apart. */
static bool
read_bytes(struct prf_frames_header *header, const struct prf_object *object)
{
	const uint8_t *bytes = header->header.data->d_buf;
	size_t at = ENCODINGS_BYTES;

	if (header->header.data->d_size < ENCODINGS_BYTES ||
	    !prf_frames_need(&header->header, 0, HEAD_BYTES) ||
	    bytes[VERSION] != 1 ||
	    !read_pointer(header, object, &at, bytes[FRAMES_ENCODING],
			  &header->header.vaddr, &header->frames_vaddr))
		return false;
	if (!read_pointer(header, object, &at, bytes[COUNT_ENCODING], NULL,
			  &header->n_fdes))
		return true;
	header->encoding = bytes[TABLE_ENCODING];
	if (header->encoding != DW_EH_PE_omit)
		find_table(header, object, at);
	return true;
}

bool
prf_frames_header_read(struct prf_frames_header *header,
		       struct prf_object *object, struct prf_lazy *lazy)
{
	GElf_Phdr phdr;

	*header = (struct prf_frames_header){0};
	if (!find_segment(object, PT_GNU_EH_FRAME, &phdr))
		return false;
	if (phdr.p_offset < object->size &&
	    phdr.p_filesz > object->size - phdr.p_offset)
		phdr.p_filesz = object->size - phdr.p_offset;
	header->header.vaddr = phdr.p_vaddr;
	if (!prf_frames_open(&header->header, object, phdr.p_offset,
			     phdr.p_filesz, lazy))
		return false;
	if (!read_bytes(header, object)) {
		prf_object_warn(object, ".eh_frame_hdr cannot be read");
		return false;
	}
	return true;
}

/* The pointer of ROW that says what is claimed; *AT is then before the other. */
static bool
read_claimed(const struct prf_frames_header *header,
	     const struct prf_object *object, size_t row, size_t *at,
	     uint64_t *vaddr)
{
	*at = header->table_at + row * header->row_bytes;
	return prf_frames_need(&header->header, *at, header->row_bytes) &&
	       read_pointer(header, object, at, header->encoding,
			    &header->header.vaddr, vaddr);
}

bool
prf_frames_header_find(const struct prf_frames_header *header,
		       const struct prf_object *object, uint64_t vaddr,
		       uint64_t *fde)
{
	size_t lo = 0, hi = header->n_rows; /* rows [lo, hi) may be behind it */
	uint64_t claimed;
	size_t at;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (!read_claimed(header, object, mid, &at, &claimed))
			return false;
		if (claimed <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > 0 && read_claimed(header, object, lo - 1, &at, &claimed) &&
	       read_pointer(header, object, &at, header->encoding,
			    &header->header.vaddr, fde);
}
