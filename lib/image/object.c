#include "image/object.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/scope.h"

/* Whether N entries of ENTRY bytes from OFF on lie within SIZE bytes. */
static bool
table_fits(uint64_t off, uint64_t n, uint64_t entry, uint64_t size)
{
	return off <= size && n <= (size - off) / entry;
}

static int
check_segments(struct prf_object *object, struct prf_error *err)
{
	const GElf_Ehdr *ehdr = &object->ehdr;
	size_t entry = gelf_fsize(object->elf, ELF_T_PHDR, 1, EV_CURRENT);
	size_t n;

	if (ehdr->e_phnum == 0)
		return 0;
	if (ehdr->e_phentsize != entry)
		return prf_error_set(err, -EINVAL,
				     "%s: program headers of %u bytes, not %zu",
				     object->path, ehdr->e_phentsize, entry);
	if (elf_getphdrnum(object->elf, &n) != 0)
		return prf_error_set(err, -EINVAL, "%s: program headers: %s",
				     object->path, elf_errmsg(-1));
	if (ehdr->e_phnum != PN_XNUM)
		n = ehdr->e_phnum;
	if (!table_fits(ehdr->e_phoff, n, entry, object->size))
		return prf_error_set(
			err, -EINVAL,
			"%s: %zu program headers at offset %" PRIu64
			" lie outside of the file of %" PRIu64 " bytes",
			object->path, n, ehdr->e_phoff, object->size);
	object->n_segments = n;
	return 0;
}

/* Names that are packed libelf would unpack, a thousand times as large. */
static void
check_section_names(struct prf_object *object)
{
	Elf_Scn *names = elf_getscn(object->elf, object->section_names);
	GElf_Shdr header;

	if (object->section_names == 0)
		return;
	if (!names || !gelf_getshdr(names, &header) ||
	    header.sh_flags & SHF_COMPRESSED) {
		prf_object_warn(object, "the names of its sections cannot be "
					"read");
		object->section_names = 0;
	} else if (!prf_object_take_section(object, names, &header)) {
		object->section_names = 0;
	}
}

/* Section headers are a help, not a need: what is wrong is a warning. */
static void
check_sections(struct prf_object *object)
{
	const GElf_Ehdr *ehdr = &object->ehdr;
	size_t entry = gelf_fsize(object->elf, ELF_T_SHDR, 1, EV_CURRENT);
	size_t n;

	if (ehdr->e_shoff == 0)
		return;
	if (ehdr->e_shentsize != entry) {
		prf_object_warn(object, "section headers of %u bytes, not %zu",
				ehdr->e_shentsize, entry);
		return;
	}
	if (elf_getshdrnum(object->elf, &n) != 0) {
		prf_object_warn(object, "section headers: %s", elf_errmsg(-1));
		return;
	}
	if (ehdr->e_shnum > n)
		n = ehdr->e_shnum;
	if (!table_fits(ehdr->e_shoff, n, entry, object->size)) {
		prf_object_warn(object,
				"%zu section headers at offset %" PRIu64
				" lie outside of the file of %" PRIu64 " bytes",
				n, ehdr->e_shoff, object->size);
		return;
	}
	if (elf_getshdrstrndx(object->elf, &object->section_names) != 0) {
		prf_object_warn(object, "section names: %s", elf_errmsg(-1));
		object->section_names = 0;
	}
	object->has_sections = n > 0;
	check_section_names(object);
}

/* ELF is then the object's. */
static int
open_elf(struct prf_object *object, Elf *elf, const char *path, uint64_t size,
	 struct prf_error *err)
{
	*object = (struct prf_object){
		.elf = elf, .fd = -1, .path = path, .size = size};

	int rc = 0;
	if (elf_kind(elf) != ELF_K_ELF)
		rc = prf_error_set(err, -EINVAL,
				   "%s: an ELF header of no known class, byte "
				   "order or version",
				   path);
	else if (!gelf_getehdr(elf, &object->ehdr))
		rc = prf_error_set(err, -EINVAL, "%s: ELF header: %s", path,
				   elf_errmsg(-1));
	if (rc == 0)
		rc = check_segments(object, err);
	if (rc == 0)
		check_sections(object);
	else
		prf_object_close(object);
	return rc;
}

/* The magic number is checked before libelf is asked: all that libelf says of a
 * file with a broken header is "invalid". */
static int
check_magic(int fd, const char *path, struct prf_error *err)
{
	char magic[EI_NIDENT];
	ssize_t n = pread(fd, magic, sizeof magic, 0);

	if (n < 0)
		return prf_error_set(err, -errno, "%s: %m", path);
	if (n < SELFMAG || memcmp(magic, ELFMAG, SELFMAG) != 0)
		return prf_error_set(err, -ENOEXEC, "%s: not an ELF file",
				     path);
	if (n < EI_NIDENT)
		return prf_error_set(err, -EINVAL,
				     "%s: the file ends in the ELF header",
				     path);
	return 0;
}

int
prf_object_open_fd(struct prf_object *object, int fd, const char *path,
		   struct prf_error *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return prf_error_set(err, -errno, "%s: %m", path);
	if (!S_ISREG(st.st_mode))
		return prf_error_set(err, -ENOEXEC, "%s: not a regular file",
				     path);
	int rc = check_magic(fd, path, err);
	if (rc != 0)
		return rc;

	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf)
		return prf_error_set(err, -EINVAL, "%s: ELF header: %s", path,
				     elf_errmsg(-1));
	rc = open_elf(object, elf, path, (uint64_t)st.st_size, err);
	object->fd = fd;
	object->dev = st.st_dev;
	object->inode = st.st_ino;
	return rc;
}

int
prf_object_take_memory(struct prf_object *object, void *bytes, size_t size,
		       const char *path, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) void *memory = bytes;

	if (size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
		return prf_error_set(err, -ENOEXEC, "%s: not ELF", path);
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory(memory, size);
	if (!elf)
		return prf_error_set(err, -EINVAL, "%s: ELF header: %s", path,
				     elf_errmsg(-1));
	int rc = open_elf(object, elf, path, size, err);
	if (rc == 0)
		object->memory = PRF_TAKE(memory);
	return rc;
}

int
prf_object_open_memory(struct prf_object *object, const void *bytes,
		       size_t size, const char *path, struct prf_error *err)
{
	char *copy = malloc(size ? size : 1);

	if (!copy)
		return prf_error_set(err, -ENOMEM, "%s: %zu bytes: %m", path,
				     size);
	memcpy(copy, bytes, size);
	return prf_object_take_memory(object, copy, size, path, err);
}

void
prf_object_close(struct prf_object *object)
{
	elf_end(object->elf);
	free(object->memory);
	object->elf = NULL;
	object->memory = NULL;
}

void
prf_object_warn(struct prf_object *object, const char *fmt, ...)
{
	char text[sizeof object->warning.text];
	va_list args;

	if (object->warning.code != 0)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	prf_error_set(&object->warning, -EINVAL, "%s: %s", object->path, text);
}

Elf_Scn *
prf_object_next_section(const struct prf_object *object, Elf_Scn *after,
			GElf_Shdr *header)
{
	if (!object->has_sections)
		return NULL;
	Elf_Scn *section = elf_nextscn(object->elf, after);
	if (!section || !gelf_getshdr(section, header))
		return NULL;
	return section;
}

const char *
prf_object_section_name(const struct prf_object *object,
			const GElf_Shdr *header)
{
	const char *name = NULL;

	if (object->section_names != 0)
		name = elf_strptr(object->elf, object->section_names,
				  header->sh_name);
	return name ? name : "";
}

Elf_Scn *
prf_object_section_named(const struct prf_object *object, const char *name,
			 GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = prf_object_next_section(object, section, header)))
		if (strcmp(prf_object_section_name(object, header), name) == 0)
			return section;
	return NULL;
}

bool
prf_object_take_section(struct prf_object *object, Elf_Scn *section,
			const GElf_Shdr *header)
{
	if (header->sh_size > PRF_OBJECT_DATA_MAX ||
	    !table_fits(header->sh_offset, header->sh_size, 1, object->size)) {
		prf_object_warn(object,
				"section %zu (%" PRIu64
				" bytes at offset %" PRIu64
				") is not in the file or cannot be read",
				elf_ndxscn(section), header->sh_size,
				header->sh_offset);
		return false;
	}
	if ((object->n_taken + header->sh_size) / PRF_OBJECT_TIMES_MAX >
	    object->size) {
		prf_object_warn(object,
				"section %zu: the sections together are larger "
				"than the file",
				elf_ndxscn(section));
		return false;
	}
	object->n_taken += header->sh_size;
	return true;
}

Elf_Data *
prf_object_section_data(struct prf_object *object, Elf_Scn *section,
			const GElf_Shdr *header)
{
	size_t index = elf_ndxscn(section);

	if (header->sh_type == SHT_NOBITS || header->sh_size == 0)
		return NULL;
	if (header->sh_flags & SHF_COMPRESSED) {
		prf_object_warn(object, "section %zu is compressed", index);
		return NULL;
	}
	if (!prf_object_take_section(object, section, header))
		return NULL;
	Elf_Data *data = elf_getdata(section, NULL);
	if (!data || !data->d_buf) {
		prf_object_warn(object, "section %zu: %s", index,
				elf_errmsg(-1));
		return NULL;
	}
	return data;
}

Elf_Data *
prf_object_section_unpacked(struct prf_object *object, Elf_Scn *section,
			    const GElf_Shdr *header)
{
	GElf_Chdr packed;

	if (!(header->sh_flags & SHF_COMPRESSED))
		return prf_object_section_data(object, section, header);
	if (!prf_object_take_section(object, section, header) ||
	    !gelf_getchdr(section, &packed) ||
	    packed.ch_size > PRF_OBJECT_DATA_MAX ||
	    packed.ch_size / PRF_OBJECT_SWELL_MAX > header->sh_size ||
	    elf_compress(section, 0, 0) < 0) {
		prf_object_warn(object, "section %zu cannot be unpacked",
				elf_ndxscn(section));
		return NULL;
	}
	Elf_Data *data = elf_getdata(section, NULL);
	return data && data->d_buf ? data : NULL;
}

bool
prf_object_has(struct prf_object *object, uint64_t off, uint64_t size)
{
	if (size > 0 && size <= PRF_OBJECT_DATA_MAX &&
	    table_fits(off, size, 1, object->size))
		return true;
	prf_object_warn(object,
			"%" PRIu64 " bytes at offset %" PRIu64
			" are not in the file",
			size, off);
	return false;
}

Elf_Data *
prf_object_data_at(struct prf_object *object, uint64_t off, uint64_t size,
		   Elf_Type type)
{
	if (!prf_object_has(object, off, size))
		return NULL;
	Elf_Data *data = elf_getdata_rawchunk(object->elf, (int64_t)off,
					      (size_t)size, type);
	if (!data || !data->d_buf) {
		prf_object_warn(object, "offset %" PRIu64 ": %s", off,
				elf_errmsg(-1));
		return NULL;
	}
	return data;
}

size_t
prf_object_read(const struct prf_object *object, uint64_t off, void *to,
		size_t n)
{
	if (off >= object->size)
		return 0;
	if (n > object->size - off)
		n = (size_t)(object->size - off);
	if (object->fd < 0) {
		memcpy(to, (char *)object->memory + off, n);
		return n;
	}
	ssize_t n_read = pread(object->fd, to, n, (off_t)off);
	return n_read > 0 ? (size_t)n_read : 0;
}

bool
prf_object_offset_of(const struct prf_object *object, uint64_t vaddr,
		     uint64_t *off, uint64_t *room)
{
	GElf_Phdr phdr;

	for (size_t i = 0; i < object->n_segments; i++) {
		if (!gelf_getphdr(object->elf, (int)i, &phdr) ||
		    phdr.p_type != PT_LOAD || vaddr < phdr.p_vaddr)
			continue;
		uint64_t into = vaddr - phdr.p_vaddr;
		if (into >= phdr.p_filesz || phdr.p_offset >= object->size ||
		    into >= object->size - phdr.p_offset)
			continue;
		*off = phdr.p_offset + into;
		*room = phdr.p_filesz - into;
		if (*room > object->size - *off)
			*room = object->size - *off;
		return true;
	}
	return false;
}
