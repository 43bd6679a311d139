#include "image/debugfile.h"

#include "image/xz.h"

/* Symbol tables become a fourth or a tenth of their size; what becomes less is
 * no symbol table. */
static size_t
most_unpacked(size_t packed)
{
	enum { RATIO = 64, ANYHOW = 1 << 20 };

	return packed < PRF_OBJECT_DATA_MAX / RATIO ? packed * RATIO + ANYHOW
						    : PRF_OBJECT_DATA_MAX;
}

bool
prf_minidebug_open(struct prf_object *mini, struct prf_object *object)
{
	struct prf_error why = {0};
	void *bytes;
	size_t size;
	GElf_Shdr header;
	Elf_Scn *section =
		prf_object_section_named(object, ".gnu_debugdata", &header);

	if (!section)
		return false;
	Elf_Data *data = prf_object_section_data(object, section, &header);
	if (!data)
		return false;
	if (prf_xz_unpack(data->d_buf, data->d_size,
			  most_unpacked(data->d_size), &bytes, &size, &why)) {
		prf_object_warn(object, ".gnu_debugdata cannot be read: %s",
				why.text);
		return false;
	}
	if (prf_object_take_memory(mini, bytes, size, object->path, NULL)) {
		prf_object_warn(object, ".gnu_debugdata holds no ELF file");
		return false;
	}
	return true;
}
