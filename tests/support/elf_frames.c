#include "support/elf_frames.h"

#include <check.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

void
elf_put(const struct elf_kind *kind, uint8_t *at, uint64_t number, size_t n)
{
	bool big_endian = kind->order == ELFDATA2MSB;

	for (size_t i = 0; i < n; i++, number >>= 8)
		at[big_endian ? n - 1 - i : i] = (uint8_t)number;
}

/* Bytes that an .eh_frame is made of. */
struct frame_bytes {
	const struct elf_kind *kind;
	const struct elf_frames *frames;
	uint8_t *bytes;
	size_t size;
	size_t entry; /* where the last one begins */
};

static void
put(struct frame_bytes *out, uint64_t number, size_t n)
{
	elf_put(out->kind, out->bytes + out->size, number, n);
	out->size += n;
}

static void
put_pointer(struct frame_bytes *out, uint64_t pointer, uint8_t encoding)
{
	static const uint8_t sizes[8] = {0, 1, 2, 4, 8, 4, 4, 4};
	size_t n = sizes[encoding & 7];

	if (n == 0)
		n = out->kind->class == ELFCLASS64 ? 8 : 4;
	if ((encoding & 0x70) == DW_EH_PE_pcrel)
		pointer -= out->frames->vaddr + out->size;
	put(out, pointer, n);
}

/* Begins an entry; its CIE_ID is 0, or the way back to the CIE at 0.  In
 * .debug_frame it is all ones, or where the CIE is. */
static void
begin_entry(struct frame_bytes *out, bool cie)
{
	out->entry = out->size;
	if (out->frames->wide)
		put(out, UINT32_MAX, 4);
	put(out, 0, out->frames->wide ? 8 : 4);
	uint64_t id = cie ? 0 : out->size;
	if (out->frames->is_debug)
		id = cie ? UINT64_MAX : 0;
	put(out, id, out->frames->wide ? 8 : 4);
}

static void
end_entry(struct frame_bytes *out)
{
	uint8_t *length = out->bytes + out->entry;
	size_t n = out->frames->wide ? 8 : 4;

	while (out->size % 4 != 0)
		put(out, DW_CFA_nop, 1);
	if (out->frames->wide)
		length += 4;
	elf_put(out->kind, length,
		out->size - (size_t)(length - out->bytes) - n, n);
}

static void
put_bytes(struct frame_bytes *out, const void *bytes, size_t n)
{
	if (n > 0)
		memcpy(out->bytes + out->size, bytes, n);
	out->size += n;
}

static void
put_cie(struct frame_bytes *out)
{
	const struct elf_frames *frames = out->frames;
	const char *augmentation =
		frames->augmentation ? frames->augmentation : "zR";
	const void *data =
		frames->augmentation ? frames->data : &frames->encoding;
	size_t n = frames->augmentation ? frames->data_size : 1;

	begin_entry(out, true);
	put(out, 1, 1); /* version */
	put_bytes(out, augmentation, strlen(augmentation) + 1);
	if (strcmp(augmentation, "eh") == 0)
		put_pointer(out, 0, DW_EH_PE_absptr);
	put(out, 1, 1);    /* code alignment */
	put(out, 0x78, 1); /* data alignment: -8 */
	put(out, 16, 1);   /* return address */
	if (augmentation[0] == 'z') {
		put(out, n, 1);
		put_bytes(out, data, n);
	}
	put_bytes(out, frames->common, frames->common_size);
	end_entry(out);
}

uint8_t *
elf_frames_build(const struct elf_kind *kind, const struct elf_frames *frames,
		 size_t *size)
{
	size_t room = 128 + frames->data_size + frames->common_size +
		      (48 + frames->own_size) * frames->n_fdes;
	struct frame_bytes out = {
		.kind = kind, .frames = frames, .bytes = calloc(1, room)};

	ck_assert_ptr_nonnull(out.bytes);
	put_cie(&out);
	for (size_t i = 0; i < frames->n_fdes; i++) {
		const struct elf_fde *fde = &frames->fdes[i];

		begin_entry(&out, false);
		put_pointer(&out, fde->vaddr, frames->encoding);
		put_pointer(&out, fde->size, frames->encoding & 0x0f);
		if (!frames->is_debug)
			put(&out, 0, 1); /* no augmentation data */
		put_bytes(&out, frames->own, frames->own_size);
		end_entry(&out);
	}
	if (!frames->endless)
		put(&out, 0, 4);
	ck_assert_uint_le(out.size, room);
	*size = out.size;
	return out.bytes;
}
