/* debug_info.h - the DWARF of an ELF file, wherever it is, in the hands of
 * libdw.
 *
 * libdw believes what it reads.  What would make it wait, unpack without end or
 * work for ever is found out before it is asked, or its time is up: see
 * prf_debug_info_is_late(). */
#ifndef PRF_IMAGE_DEBUG_INFO_H
#define PRF_IMAGE_DEBUG_INFO_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "image/debugfile.h"
#include "image/debuginfod.h"
#include "image/dwarf_bytes.h"
#include "image/layout.h"
#include "image/debug_way.h"
#include "image/names.h"
#include "image/object.h"

/* All zero: there is none. */
struct prf_debug_info {
	Dwarf *dwarf; /* NULL: there is no debug information */
	struct prf_layout layout;
	struct prf_error warning; /* the first; code 0: none */

	struct prf_names names;
	char *path;
	char *dwarf_path; /* of the file that has the DWARF; NULL: not known */
	struct prf_object object;
	bool has_object;
	struct prf_debugfile debugfile;
	bool has_debugfile;
	Elf_Scn *line_section; /* or NULL */
	bool has_good_package; /* FILE.dwp does no harm, if it is there */
	struct prf_debug_way way;
	uint64_t used_ns; /* CPU time, since the clock last stopped */
	uint64_t started_ns;
	size_t n_steps;
};

/* Opens the debug information of the file at FD, which stays the caller's and
 * may then be closed; PATH is for messages, and for finding debug files beside
 * it.  It is in the file itself, or in a separate one, found by WAY (NULL: no
 * server is asked, nothing is too large).  That there is none is no failure.
 * -ENOEXEC, -EINVAL: no ELF file; -ENOMEM.  After an error it is closed. */
int prf_debug_info_open_fd(struct prf_debug_info *info, int fd,
			   const char *path, const struct prf_debug_way *way,
			   struct prf_error *err) PRF_MUST_CHECK;
/* The same from SIZE bytes in memory, which are copied. */
int prf_debug_info_open_memory(struct prf_debug_info *info, const void *bytes,
			       size_t size, const char *path,
			       struct prf_error *err) PRF_MUST_CHECK;
void prf_debug_info_close(struct prf_debug_info *info);

/* Is VADDR text of the file?  What the linker has thrown away is described,
 * too, and lies at 0 or 1 or at the end of the address space. */
bool prf_debug_info_is_text(const struct prf_debug_info *info, uint64_t vaddr);
/* The unit that DIE is the head of, or its other half in a file of its own
 * (split DWARF), which becomes *DIE; that stays where there is no such file. */
void prf_debug_info_join(struct prf_debug_info *info, Dwarf_Die *die);

/* Has the unit that DIE is the head of a line table, of a size that libdw can be
 * given?  It begins where *TABLE does. */
bool prf_debug_info_lines(const struct prf_debug_info *info, Dwarf_Die *die,
			  struct prf_dwarf_bytes *table);

/* Work begins and ends; all of it may take half a minute of CPU time. */
void prf_debug_info_start_clock(struct prf_debug_info *info);
void prf_debug_info_stop_clock(struct prf_debug_info *info);
/* The time is up: what was not read by now will not be. */
bool prf_debug_info_is_late(const struct prf_debug_info *info);
/* The same before each of many small steps: the clock is read for one of a
 * thousand. */
bool prf_debug_info_steps_late(struct prf_debug_info *info);

/* Notes what could not be read, "PATH: " and the text; the first one stays. */
void prf_debug_info_warn(struct prf_debug_info *info, const char *text);

#endif
