/* note.c - read past libelf, which keeps a copy of each section that it is asked
 * for: many headers may lie over the same bytes. */
#include "image/note.h"

#include <string.h>

#include "core/byteorder.h"

/* A linker puts the build-id before notes of other kinds, of which a program
 * has a handful. */
enum { NOTES_MAX = 64, NOTES_BYTES = 32 << 10 };

struct search {
	const struct prf_object *object;
	uint8_t *id;
	size_t max_bytes;
	size_t id_bytes;
	unsigned n_looks;
};

static size_t
align(size_t at, size_t alignment)
{
	return (at + alignment - 1) / alignment * alignment;
}

/* Looks through SIZE bytes from OFF on, whose notes are aligned to ALIGNMENT;
 * true when there is no reason to look on. */
static bool
look(struct search *search, uint64_t off, uint64_t size, size_t alignment)
{
	enum { HEAD_BYTES = 12 };
	static const char owner[] = "GNU";
	const bool is_big =
		search->object->ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	uint8_t bytes[NOTES_BYTES];
	size_t n = prf_object_read(search->object, off, bytes,
				   size < sizeof bytes ? size : sizeof bytes);
	size_t next;

	for (size_t at = 0; at < n && n - at >= HEAD_BYTES; at = next) {
		uint32_t name_bytes =
			(uint32_t)prf_byteorder_get(bytes + at, 4, is_big);
		uint32_t id_bytes =
			(uint32_t)prf_byteorder_get(bytes + at + 4, 4, is_big);
		uint64_t type = prf_byteorder_get(bytes + at + 8, 4, is_big);
		size_t name_at = at + HEAD_BYTES;

		if (name_bytes > n - name_at)
			break;
		size_t id_at = align(name_at + name_bytes, alignment);
		if (id_at > n || id_bytes > n - id_at)
			break;
		next = align(id_at + id_bytes, alignment);
		if (type != NT_GNU_BUILD_ID || name_bytes != sizeof owner ||
		    memcmp(bytes + name_at, owner, sizeof owner) != 0)
			continue;
		if (id_bytes <= search->max_bytes) {
			memcpy(search->id, bytes + id_at, id_bytes);
			search->id_bytes = id_bytes;
		}
		return true;
	}
	return ++search->n_looks == NOTES_MAX;
}

static size_t
alignment_of(uint64_t bytes)
{
	return bytes == 8 ? 8 : 4;
}

static void
look_through_sections(struct search *search)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = prf_object_next_section(search->object, section,
						  &header)))
		if (header.sh_type == SHT_NOTE &&
		    look(search, header.sh_offset, header.sh_size,
			 alignment_of(header.sh_addralign)))
			return;
}

static void
look_through_segments(struct search *search)
{
	const struct prf_object *object = search->object;
	GElf_Phdr phdr;

	for (size_t i = 0; i < object->n_segments; i++)
		if (gelf_getphdr(object->elf, (int)i, &phdr) &&
		    phdr.p_type == PT_NOTE &&
		    look(search, phdr.p_offset, phdr.p_filesz,
			 alignment_of(phdr.p_align)))
			return;
}

size_t
prf_note_build_id(const struct prf_object *object, uint8_t *id,
		  size_t max_bytes)
{
	struct search search = {
		.object = object,
		.id = id,
		.max_bytes = max_bytes,
	};

	/* The segments of a debug file are those of another file. */
	if (object->has_sections)
		look_through_sections(&search);
	else
		look_through_segments(&search);
	return search.id_bytes;
}
