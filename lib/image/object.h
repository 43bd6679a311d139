/* object.h - an ELF file in the hands of libelf, asked before it is believed.
 *
 * libelf reads sections into its own memory when they are asked for; nothing
 * is mapped.  A file that is cut short while it is read gives an error, not a
 * SIGBUS, and after prf_object_close it may change as it likes. */
#ifndef PRF_IMAGE_OBJECT_H
#define PRF_IMAGE_OBJECT_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"

/* No section or segment is read that is larger. */
#define PRF_OBJECT_DATA_MAX ((uint64_t)1 << 30)
/* Nor one that grows by more when it is unpacked: debug information becomes four
 * times as large, now and then ten times; zeros a thousand times. */
enum { PRF_OBJECT_SWELL_MAX = 64 };
/* Nor more of all sections together than so many times the file: those of an
 * honest one have no bytes in common, and none is asked for more than twice. */
enum { PRF_OBJECT_TIMES_MAX = 4 };

struct prf_object {
	Elf *elf;
	int fd; /* the caller's; -1: it is in memory */
	GElf_Ehdr ehdr;
	const char *path; /* for messages; the caller's */
	uint64_t size;    /* of the file, in bytes */
	uint64_t dev, inode;
	uint64_t n_taken; /* bytes of it, in sections that were asked for */
	size_t n_segments;
	bool has_sections;        /* and their headers lie within the file */
	size_t section_names;     /* the section with their names; 0: they have
				   * none that may be read */
	struct prf_error warning; /* the first thing that could not be read */
	void *memory;             /* what an object in memory stands on */
};

/* Begins to read an ELF file.  FD must stay open until the object is closed.
 * -ENOEXEC: not a file, or not ELF; -EINVAL: broken.  After an error there is
 * nothing to close. */
int prf_object_open_fd(struct prf_object *object, int fd, const char *path,
		       struct prf_error *err) PRF_MUST_CHECK;
/* The same for SIZE bytes, which are copied. */
int prf_object_open_memory(struct prf_object *object, const void *bytes,
			   size_t size, const char *path,
			   struct prf_error *err) PRF_MUST_CHECK;
/* The same for SIZE bytes that malloc() gave; they are the object's, or freed
 * after an error. */
int prf_object_take_memory(struct prf_object *object, void *bytes, size_t size,
			   const char *path,
			   struct prf_error *err) PRF_MUST_CHECK;
void prf_object_close(struct prf_object *object);

/* Notes what could not be read, "PATH: " and the text; the first one stays. */
void prf_object_warn(struct prf_object *object, const char *fmt, ...)
	PRF_PRINTF(2, 3);

/* The next section after AFTER (NULL: the first) with its header, or NULL. */
Elf_Scn *prf_object_next_section(const struct prf_object *object,
				 Elf_Scn *after, GElf_Shdr *header);
/* The section called NAME with its header, or NULL. */
Elf_Scn *prf_object_section_named(const struct prf_object *object,
				  const char *name, GElf_Shdr *header);
/* The name, libelf's until the object is closed; "" if there is none. */
const char *prf_object_section_name(const struct prf_object *object,
				    const GElf_Shdr *header);
/* Whether the bytes of SECTION, which will be read, are in the file and not too
 * many, also together with those that were taken before; if not, that is a
 * warning. */
bool prf_object_take_section(struct prf_object *object, Elf_Scn *section,
			     const GElf_Shdr *header);
/* What is in SECTION, in this machine's byte order; NULL, with a warning, if
 * it is not in the file, is compressed or is too large. */
Elf_Data *prf_object_section_data(struct prf_object *object, Elf_Scn *section,
				  const GElf_Shdr *header);
/* The same of one that may be compressed. */
Elf_Data *prf_object_section_unpacked(struct prf_object *object,
				      Elf_Scn *section,
				      const GElf_Shdr *header);
/* SIZE bytes of the file from OFF on, converted as TYPE; NULL likewise. */
Elf_Data *prf_object_data_at(struct prf_object *object, uint64_t off,
			     uint64_t size, Elf_Type type);
/* Whether SIZE bytes from OFF on are in the file, and are not too many; if not,
 * that is a warning. */
bool prf_object_has(struct prf_object *object, uint64_t off, uint64_t size);
/* Reads at most N bytes of the file from OFF on, past libelf, which keeps what it
 * has read.  Returns how many there are. */
size_t prf_object_read(const struct prf_object *object, uint64_t off, void *to,
		       size_t n);
/* The offset of VADDR in the file and how many bytes follow it there, in its
 * segment; false if no PT_LOAD segment has bytes for it. */
bool prf_object_offset_of(const struct prf_object *object, uint64_t vaddr,
			  uint64_t *off, uint64_t *room);

#endif
