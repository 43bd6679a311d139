#include "image/debugfile.h"

#include <elfutils/libdwelf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/scope.h"
#include "image/xz.h"

static bool
write_all(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, bytes, size);

		if (n <= 0)
			return false;
		bytes += n;
		size -= (size_t)n;
	}
	return true;
}

bool
prf_minidebug_open(struct prf_object *mini, struct prf_object *object)
{
	uint64_t size;
	GElf_Shdr header;
	Elf_Scn *section =
		prf_object_section_named(object, ".gnu_debugdata", &header);
	if (!section)
		return false;
	Elf_Data *data = prf_object_section_data(object, section, &header);
	if (!data)
		return false;
	if (!prf_xz_size(data->d_buf, data->d_size, &size) ||
	    size > PRF_OBJECT_DATA_MAX) {
		prf_object_warn(object, ".gnu_debugdata cannot be read");
		return false;
	}

	/* libdw decompresses files, and only files. */
	PRF_AUTO(prf_auto_close)
	int fd = memfd_create("gnu_debugdata", MFD_CLOEXEC);
	Elf *elf = NULL;
	if (fd >= 0 && write_all(fd, data->d_buf, data->d_size)) {
		elf_version(EV_CURRENT);
		elf = dwelf_elf_begin(fd);
	}
	if (!elf) {
		prf_object_warn(object, ".gnu_debugdata: %s", elf_errmsg(-1));
		return false;
	}
	return prf_object_open_elf(mini, elf, object->path, size, NULL) == 0;
}
