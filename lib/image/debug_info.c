#include "image/debug_info.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <elfutils/version.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/byteorder.h"
#include "core/scope.h"

/* No unit of a compiler takes longer than a second. */
static const uint64_t patience_ns = 30000000000;
enum { STEPS_A_LOOK = 1024 };

/* libdw makes 60 bytes of each one in the program of a line table. */
enum { LINE_PROGRAM_MAX = 1 << 24 };

void
prf_debug_info_warn(struct prf_debug_info *info, const char *text)
{
	if (info->warning.code == 0)
		prf_error_set(&info->warning, -EINVAL, "%s: %s", info->path,
			      text);
}

/* --- Before libdw is asked */

/* Is a section with HEADER, called NAME, one that libdw may read? */
static bool
is_debug_section(const GElf_Shdr *header, const char *name)
{
	static const char *const beginnings[] = {
		".debug_", ".zdebug_", ".gnu.debuglto_", ".gnu_debugaltlink"};

	if (header->sh_type == SHT_NOBITS || header->sh_flags & SHF_GROUP)
		return false;
	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

/* How large a section says it is when it is unpacked; 0: it is not packed. */
static uint64_t
unpacked_size(const struct prf_object *object, const GElf_Shdr *header,
	      const char *name)
{
	bool is_big = object->ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	size_t n_head = sizeof(Elf32_Chdr), at = 4;
	unsigned n = 4;
	uint8_t head[sizeof(Elf64_Chdr)];

	if (header->sh_flags & SHF_COMPRESSED) {
		if (object->ehdr.e_ident[EI_CLASS] == ELFCLASS64) {
			n_head = sizeof(Elf64_Chdr);
			at = n = 8;
		}
	} else if (strncmp(name, ".zdebug_", 8) == 0) {
		n = 8; /* "ZLIB" and a number */
		is_big = true;
	} else {
		return 0;
	}
	if (header->sh_size < n_head ||
	    prf_object_read(object, header->sh_offset, head, n_head) < n_head)
		return UINT64_MAX;
	return prf_byteorder_get(head + at, n, is_big);
}

/* The sections of DWARF that an object has. */
struct sections {
	bool are_honest; /* all can and may be read */
	bool have_info;
	uint64_t n_unpacked;    /* bytes of those that are packed */
	Elf_Scn *lines;         /* or NULL */
	uint64_t n_split_lines; /* bytes of the line tables of split units */
};

static bool
is_called(const char *name, const char *wanted)
{
	return !strcmp(name, wanted) ||
	       (!strncmp(name, ".z", 2) && !strcmp(name + 2, wanted + 1));
}

/* Adds SECTION to what is FOUND; libdw takes the first of a name, but another if
 * it cannot unpack that. */
static void
add_section(struct sections *found, struct prf_object *object, Elf_Scn *section,
	    const GElf_Shdr *header, const char *name)
{
	uint64_t size = unpacked_size(object, header, name);
	bool are_lines = is_called(name, ".debug_line") && header->sh_size > 0;

	if (!prf_object_take_section(object, section, header) ||
	    size > PRF_OBJECT_DATA_MAX ||
	    size / PRF_OBJECT_SWELL_MAX > header->sh_size ||
	    (are_lines && found->lines)) {
		found->are_honest = false;
		return;
	}
	found->have_info |= is_called(name, ".debug_info");
	if (are_lines)
		found->lines = section;
	if (is_called(name, ".debug_line.dwo"))
		found->n_split_lines += size ? size : header->sh_size;
	found->n_unpacked += size;
}

static struct sections
find_sections(struct prf_object *object)
{
	struct sections found = {.are_honest = true};
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (found.are_honest &&
	       (section = prf_object_next_section(object, section, &header))) {
		const char *name = prf_object_section_name(object, &header);

		if (is_debug_section(&header, name))
			add_section(&found, object, section, &header, name);
	}
	return found;
}

/* Has OBJECT DWARF, all of which can and may be read?  Notes where its line tables
 * are. */
static bool
has_good_sections(struct prf_debug_info *info, struct prf_object *object)
{
	const struct sections found = find_sections(object);

	if (!found.are_honest)
		prf_debug_info_warn(info, "the sections of its debug "
					  "information are broken");
	info->line_section = found.lines;
	return found.are_honest && found.have_info &&
	       found.n_unpacked <= info->way.unpack_max;
}

/* --- Other files, which libdw opens by itself */

static bool
may_be_silent(const struct prf_debug_info *info, const char *path)
{
	const struct prf_debug_way *way = &info->way;

	return way->may_be_silent && way->may_be_silent(way->arg, path);
}

/* libdw would open whatever is at PATH, wait where that is a FIFO or does not
 * answer, and believe all that it finds there; the line tables of split units are to
 * have no more than LINES_MAX bytes. */
static bool
can_be_opened(const struct prf_debug_info *info, const char *path,
	      uint64_t lines_max)
{
	struct prf_object object;
	struct stat st;

	if (may_be_silent(info, path))
		return false;
	if (stat(path, &st) != 0)
		return true; /* nor can libdw */
	if (!S_ISREG(st.st_mode))
		return false;
	PRF_AUTO(prf_auto_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return true;
	if (prf_object_open_fd(&object, fd, path, NULL) != 0)
		return false;
	const struct sections found = find_sections(&object);
	bool has_names = object.section_names != 0;
	prf_object_close(&object);
	return has_names && found.are_honest &&
	       found.n_unpacked <= info->way.unpack_max &&
	       found.n_split_lines <= lines_max;
}

/* Notes the path of OBJECT's file, which libdw asks for as long as that is open.
 * False: nobody may answer there. */
static bool
note_path(struct prf_debug_info *info, const struct prf_object *object)
{
	char link[64], path[PATH_MAX];

	free(PRF_TAKE(info->dwarf_path));
	if (object->fd < 0)
		return true;
	snprintf(link, sizeof link, "/proc/self/fd/%d", object->fd);
	ssize_t n = readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	if (may_be_silent(info, path))
		return false;
	info->dwarf_path = realpath(link, NULL);
	return true;
}

/* Can NAME be opened where libdw looks for it?  That is in DIR, which, if it is not
 * absolute, is itself in the directory of the file whose DWARF is read. */
static bool
can_be_opened_in(const struct prf_debug_info *info, const char *dir,
		 const char *name, uint64_t lines_max)
{
	bool has_root = name[0] == '/' || dir[0] == '/';
	const char *own = has_root ? "" : info->dwarf_path;
	char path[PATH_MAX];

	if (!own)
		return true; /* libdw does not know where to look, either */
	const char *slash = strrchr(own, '/');
	int n_own = slash ? (int)(slash + 1 - own) : 0;
	if (name[0] == '/')
		dir = "";
	int n = snprintf(path, sizeof path, "%.*s%s%s%s", n_own, own, dir,
			 *dir ? "/" : "", name);
	return (size_t)n < sizeof path && can_be_opened(info, path, lines_max);
}

/* What dwz(1) has moved to a file that several share. */
static bool
is_alternate_good(const struct prf_debug_info *info, Dwarf *dwarf)
{
	const char *name;
	const void *id;

	return dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id) <= 0 ||
	       can_be_opened_in(info, "", name, UINT64_MAX);
}

/* elfutils looks for the other halves of all split units in one file since 0.191. */
static const bool knows_packages = _ELFUTILS_PREREQ(0, 191);

/* The path of that file; is it short enough? */
static bool
package_path(const struct prf_debug_info *info, char path[PATH_MAX])
{
	const char *own = info->dwarf_path ? info->dwarf_path : "";

	return snprintf(path, PATH_MAX, "%s.dwp", own) < PATH_MAX;
}

static bool
is_package_good(const struct prf_debug_info *info)
{
	char path[PATH_MAX];

	return !knows_packages || (package_path(info, path) &&
				   can_be_opened(info, path, UINT64_MAX));
}

static const char *
string_of(Dwarf_Die *die, unsigned int code)
{
	Dwarf_Attribute attribute;
	const char *text = dwarf_formstring(dwarf_attr(die, code, &attribute));

	return text ? text : "";
}

/* The file that has the other half of the unit that DIE is the head of. */
static const char *
split_name(Dwarf_Die *die)
{
	const char *name = string_of(die, DW_AT_dwo_name);

	return *name ? name : string_of(die, DW_AT_GNU_dwo_name);
}

static bool
is_split_good(const struct prf_debug_info *info, Dwarf_Die *die)
{
	const char *name = split_name(die);

	return info->has_good_package &&
	       can_be_opened_in(info, "", name, LINE_PROGRAM_MAX) &&
	       can_be_opened_in(info, string_of(die, DW_AT_comp_dir), name,
				LINE_PROGRAM_MAX);
}

/* The unit has lines, from its first half, and no more. */
static void
warn_of_no_split(struct prf_debug_info *info, Dwarf_Die *die)
{
	char path[PATH_MAX], text[200];
	bool is_package = package_path(info, path) &&
			  !may_be_silent(info, path) && access(path, F_OK) == 0;

	snprintf(text, sizeof text,
		 "%.80s, which tells what is inlined, is not found%s",
		 split_name(die),
		 !is_package      ? ""
		 : knows_packages ? ", nor in its .dwp"
				  : ", and its .dwp is not read: that needs "
				    "elfutils 0.191");
	prf_debug_info_warn(info, text);
}

void
prf_debug_info_join(struct prf_debug_info *info, Dwarf_Die *die)
{
	Dwarf_Die split;
	uint8_t kind;

	if (dwarf_cu_info(die->cu, NULL, &kind, NULL, NULL, NULL, NULL, NULL) !=
		    0 ||
	    kind != DW_UT_skeleton)
		return;
	if (!is_split_good(info, die)) {
		prf_debug_info_warn(info, "a file with the other half of its "
					  "debug information cannot be used");
		return;
	}
	if (dwarf_cu_info(die->cu, NULL, NULL, NULL, &split, NULL, NULL,
			  NULL) == 0 &&
	    split.addr)
		*die = split;
	else
		warn_of_no_split(info, die);
}

bool
prf_debug_info_lines(const struct prf_debug_info *info, Dwarf_Die *die,
		     struct prf_dwarf_bytes *table)
{
	Dwarf_Attribute attribute;
	Dwarf_Word at;
	bool is_big = info->object.ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	/* Unpacked by libdw, if it was packed. */
	const Elf_Data *data = info->line_section
				       ? elf_rawdata(info->line_section, NULL)
				       : NULL;

	if (!data || !data->d_buf ||
	    dwarf_formudata(dwarf_attr(die, DW_AT_stmt_list, &attribute),
			    &at) != 0 ||
	    at > data->d_size || data->d_size - at < 12)
		return false;
	const uint8_t *bytes = (const uint8_t *)data->d_buf + at;
	uint64_t length = prf_byteorder_get(bytes, 4, is_big);
	if (length == UINT32_MAX)
		length = prf_byteorder_get(bytes + 4, 8, is_big);
	*table = (struct prf_dwarf_bytes){
		.at = bytes,
		.end = bytes + (data->d_size - at),
		.big_endian = is_big,
	};
	return length <= LINE_PROGRAM_MAX;
}

/* --- Opening */

static void
begin_dwarf(struct prf_debug_info *info, struct prf_object *object)
{
	if (!has_good_sections(info, object) || !note_path(info, object))
		return;
	info->has_good_package = is_package_good(info);
	Dwarf *dwarf = dwarf_begin_elf(object->elf, DWARF_C_READ, NULL);
	if (!dwarf)
		prf_debug_info_warn(info, dwarf_errmsg(-1));
	else if (!is_alternate_good(info, dwarf))
		prf_debug_info_warn(info, "its alternate debug information "
					  "cannot be used");
	else
		info->dwarf = PRF_TAKE(dwarf);
	if (dwarf)
		dwarf_end(dwarf);
}

/* In a file of its own, if there is one. */
static void
begin_separate(struct prf_debug_info *info)
{
	struct prf_object *object = &info->object;
	struct prf_debugfile *debugfile = &info->debugfile;

	info->has_debugfile = prf_debugfile_open(
		debugfile, object, PRF_DEBUG_ROOT, &info->way, &info->names);
	if (!info->has_debugfile)
		info->has_debugfile = prf_debugfile_ask(
			debugfile, object, info->way.servers, &info->names);
	if (info->has_debugfile)
		begin_dwarf(info, &debugfile->object);
}

/* INFO's object is open. */
static int
read_info(struct prf_debug_info *info, struct prf_error *err)
{
	info->has_object = true;
	int rc = prf_layout_read(&info->layout, &info->object, &info->names,
				 err);

	if (rc != 0) {
		prf_debug_info_close(info);
		return rc;
	}
	begin_dwarf(info, &info->object);
	if (!info->dwarf)
		begin_separate(info);
	if (info->warning.code == 0)
		info->warning = info->object.warning;
	/* libdw has read all sections that it ever will. */
	elf_cntl(info->object.elf, ELF_C_FDDONE);
	return 0;
}

static int
begin(struct prf_debug_info *info, const char *path,
      const struct prf_debug_way *way, struct prf_error *err)
{
	static const struct prf_debug_way all = {.unpack_max = UINT64_MAX};

	*info = (struct prf_debug_info){
		.path = strdup(path),
		.way = way ? *way : all,
	};
	return info->path ? 0 : prf_error_set(err, -ENOMEM, "%s: %m", path);
}

int
prf_debug_info_open_fd(struct prf_debug_info *info, int fd, const char *path,
		       const struct prf_debug_way *way, struct prf_error *err)
{
	int rc = begin(info, path, way, err);

	if (rc == 0)
		rc = prf_object_open_fd(&info->object, fd, info->path, err);
	if (rc == 0)
		return read_info(info, err);
	prf_debug_info_close(info);
	return rc;
}

int
prf_debug_info_open_memory(struct prf_debug_info *info, const void *bytes,
			   size_t size, const char *path, struct prf_error *err)
{
	int rc = begin(info, path, NULL, err);

	if (rc == 0)
		rc = prf_object_open_memory(&info->object, bytes, size,
					    info->path, err);
	if (rc == 0)
		return read_info(info, err);
	prf_debug_info_close(info);
	return rc;
}

void
prf_debug_info_close(struct prf_debug_info *info)
{
	if (info->dwarf)
		dwarf_end(info->dwarf);
	if (info->has_debugfile)
		prf_debugfile_close(&info->debugfile);
	if (info->has_object)
		prf_object_close(&info->object);
	prf_layout_free(&info->layout);
	prf_names_free(&info->names);
	free(info->path);
	free(info->dwarf_path);
	*info = (struct prf_debug_info){0};
}

bool
prf_debug_info_is_text(const struct prf_debug_info *info, uint64_t vaddr)
{
	return prf_layout_code_at(&info->layout, vaddr) != NULL;
}

/* --- Its time */

static uint64_t
cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void
prf_debug_info_start_clock(struct prf_debug_info *info)
{
	info->started_ns = cpu_ns();
}

void
prf_debug_info_stop_clock(struct prf_debug_info *info)
{
	info->used_ns += cpu_ns() - info->started_ns;
}

bool
prf_debug_info_is_late(const struct prf_debug_info *info)
{
	return cpu_ns() - info->started_ns + info->used_ns > patience_ns;
}

bool
prf_debug_info_steps_late(struct prf_debug_info *info)
{
	return ++info->n_steps % STEPS_A_LOOK == 0 &&
	       prf_debug_info_is_late(info);
}
