/* image.h - one ELF file: what it is, where its text lies, what it is called.
 *
 * Every address here is a vaddr, as linked.  ELF class and byte order are the
 * file's, never this machine's.  Files are hostile: every offset, size and
 * count is checked against the file before it is believed. */
#ifndef PRF_IMAGE_IMAGE_H
#define PRF_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "image/debug_way.h"
#include "image/text.h"

#define PRF_BUILD_ID_MAX 64

struct prf_image_info {
	uint8_t addr_bytes; /* 4 or 8 */
	bool big_endian;
	uint16_t machine; /* EM_... */
	uint16_t type;    /* ET_... */
	uint64_t entry;   /* vaddr of a program's first instruction; or 0 */
	uint64_t dev, inode;
	uint8_t build_id[PRF_BUILD_ID_MAX];
	size_t build_id_size;   /* 0: none */
	const char *names_from; /* where the symbols came from: ".symtab",
				 * ".dynsym" (also by way of PT_DYNAMIC),
				 * ".gnu_debugdata", a debug file's path, or
				 * ""; the image's */
};

struct prf_image;

/* Opens the file at PATH.  -ENOENT and the like from open(2); -ENOEXEC: not
 * ELF, or no regular file; -EINVAL: ELF, but broken (what and where is in ERR)
 * or neither a program nor a shared library.  An image whose symbols are
 * broken opens nevertheless: see prf_image_warning.
 *
 * Without a .symtab, a separate debug file is looked for under
 * /usr/lib/debug/.build-id and by .gnu_debuglink, then .gnu_debugdata is read.
 * Everything needed is copied: the file
 * may change, shrink or go away afterwards. */
int prf_image_open(const char *path, struct prf_image **out,
		   struct prf_error *err) PRF_MUST_CHECK;
/* The same from an open file (FD stays the caller's; PATH is for messages and
 * for finding debug files beside it, by WAY; NULL: nothing is fetched over a
 * network, and all files are thought to answer). */
int prf_image_open_fd(int fd, const char *path, const struct prf_debug_way *way,
		      struct prf_image **out,
		      struct prf_error *err) PRF_MUST_CHECK;
/* The same from SIZE bytes in memory, which are copied: a vDSO. */
int prf_image_open_memory(const void *bytes, size_t size, const char *name,
			  struct prf_image **out,
			  struct prf_error *err) PRF_MUST_CHECK;
void prf_image_close(struct prf_image *image); /* takes NULL */

const struct prf_image_info *prf_image_info(const struct prf_image *image);
/* One line on what could not be read (there are then fewer names or pieces), or
 * NULL. */
const char *prf_image_warning(const struct prf_image *image);

/* The pieces of the file's executable text, ascending; together they cover
 * every executable segment byte for byte, as far as the file has bytes for it
 * (ends rounded outward to even).
 *
 * A function reaches from its symbol to symbol + st_size; where the size is 0,
 * to the next symbol or FDE (see below); never beyond its section.  Where
 * symbols overlap the one that begins later has the text; when it ends, the
 * outer one goes on in a second piece of the same name and vaddr.  In 2 bytes
 * that two share the later one's are.  A label without type and size inside a
 * function whose size is known names nothing.
 *
 * Of several names of an address this is the name: a symbol rather than a
 * stub; not a local one; one that has a type; one that has a size; the fewest
 * leading underscores; not a weak one; the shortest; the first in the order
 * of strcmp.
 *
 * What no symbol claims is cut by .eh_frame, of which stripping leaves all: the
 * text of each frame description entry (FDE) is a function without a name, and
 * so is each part of it between symbols.  An FDE within a function of known
 * size changes nothing.  What neither claims are gaps; but one shorter than 16
 * bytes is the padding of the function before it in its section, and that one
 * reaches over it.  The name of both is their section in brackets, "[.text]",
 * or "[text]" where there is no section; lo tells them apart.  A stripped file
 * is its .dynsym, its PLT, functions without names and gaps.  The image's; made
 * at open. */
const struct prf_text *prf_image_texts(const struct prf_image *image,
				       size_t *n);
/* The index of the piece that holds VADDR, or (size_t)-1.  O(log n). */
size_t prf_image_text_at(const struct prf_image *image, uint64_t vaddr);

/* Where in the file the byte at VADDR is.  -ENOENT: no executable segment has
 * it; *OFF is as it was. */
int prf_image_off(const struct prf_image *image, uint64_t vaddr, uint64_t *off);

/* The bias (addr - vaddr) of a mapping of this file: the bytes from FILE_OFF
 * on, SIZE of them, are mapped at ADDR.  The executable PT_LOAD segment
 * decides whose pages these are, else the one that has most of the bytes.
 * -ENOENT: no executable segment has any. */
int prf_image_bias(const struct prf_image *image, uint64_t addr, uint64_t size,
		   uint64_t file_off, uint64_t *bias) PRF_MUST_CHECK;

#endif
