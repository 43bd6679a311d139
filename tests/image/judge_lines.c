/* judge_lines FILE [DEBUGFILE]: libdw and bfd, slow and thorough, say of random
 * instructions of FILE what lib/image says: file, line, and what was inlined
 * there.  They read DEBUGFILE where that is given.
 *
 * Prints how many were compared; 1: something differs. */
#include "config.h" /* bfd.h insists */

#include <bfd.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image/image.h"
#include "image/lines.h"

enum { N_ADDRESSES = 500, CHAIN_MAX = 250, DIFFERENCES_SHOWN = 10 };

struct judge {
	struct prf_lines *lines;
	Dwarf *dwarf;
	bfd *bfd;
	asymbol **symbols;
	size_t n_lines, n_inlined, n_bfd_lines, n_bfd_inlined;
	size_t n_different, n_more, n_bfd_alone;
};

static void
fail(const char *what, const char *why)
{
	fprintf(stderr, "judge_lines: %s: %s\n", what, why);
	exit(2);
}

static void
differ(struct judge *judge, uint64_t vaddr, const char *who, const char *want,
       const char *have)
{
	if (judge->n_different++ < DIFFERENCES_SHOWN)
		fprintf(stderr, "0x%" PRIx64 ": %s says %s, we say %s\n", vaddr,
			who, want, have);
}

/* bfd and libdw make paths each in its way. */
static const char *
base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path ? path : "";
}

static void
check_line(struct judge *judge, uint64_t vaddr, const char *who,
	   const char *file, int line, const struct prf_line *ours)
{
	char want[1000], have[1000];

	snprintf(want, sizeof want, "%s:%d", base_name(file), line);
	snprintf(have, sizeof have, "%s:%u", base_name(ours->file), ours->line);
	if (strcmp(want, have) != 0)
		differ(judge, vaddr, who, want, have);
}

static void
check_name(struct judge *judge, uint64_t vaddr, const char *who,
	   const char *name, const struct prf_line *ours)
{
	if (name && (!ours->function || strcmp(name, ours->function) != 0))
		differ(judge, vaddr, who, name,
		       ours->function ? ours->function : "nothing");
}

/* --- libdw */

/* libdw finds units by .debug_aranges, which not every compiler writes. */
static bool
find_unit(Dwarf *dwarf, uint64_t vaddr, Dwarf_Die *die)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die split;

	while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, die, &split) ==
	       0) {
		if (dwarf_haspc(die, vaddr) == 1)
			return true;
	}
	return false;
}

static const char *
name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name = dwarf_formstring(
		dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));

	return name ? name : dwarf_diename(die);
}

/* The innermost DIE that holds VADDR, and all around it: what one call gives of
 * an inlined function is where it was written, not where it was inlined. */
static int
find_scopes(Dwarf_Die *unit, uint64_t vaddr, Dwarf_Die **scopes)
{
	Dwarf_Die *innermost = NULL;
	int n = dwarf_getscopes(unit, vaddr, &innermost);

	if (n > 0)
		n = dwarf_getscopes_die(&innermost[0], scopes);
	free(innermost);
	return n;
}

static bool
is_function(Dwarf_Die *scope)
{
	int tag = dwarf_tag(scope);

	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* How many of the N SCOPES are functions, up to the one that is not inlined. */
static size_t
count_functions(Dwarf_Die *scopes, int n)
{
	size_t n_functions = 0;

	for (int i = 0; i < n; i++) {
		n_functions += is_function(&scopes[i]);
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			break;
	}
	return n_functions;
}

/* Has SCOPE a list of ranges that ends at once?  gcc up to DWARF 4 begins that of an
 * inlined function with an empty range, and at a unit's first address this looks like
 * the end. */
static bool
ends_at_once(Dwarf_Die *scope)
{
	Dwarf_Addr base, begin, end;

	return dwarf_hasattr(scope, DW_AT_ranges) &&
	       dwarf_ranges(scope, 0, &base, &begin, &end) == 0;
}

/* Is there such a one below DIE?  libdw finds none of the functions inside of it. */
static bool
hides_some(Dwarf_Die *die)
{
	Dwarf_Die child;
	int rc = dwarf_child(die, &child);

	for (; rc == 0; rc = dwarf_siblingof(&child, &child))
		if (ends_at_once(&child) || hides_some(&child))
			return true;
	return false;
}

/* How many functions it has there. */
static size_t
check_scopes(struct judge *judge, Dwarf_Die *unit, uint64_t vaddr,
	     const struct prf_line *ours, size_t n_ours)
{
	Dwarf_Die *scopes = NULL, *files = unit, split;
	Dwarf_Files *table;
	size_t n_files, at = 0;

	if (dwarf_cu_info(unit->cu, NULL, NULL, NULL, &split, NULL, NULL,
			  NULL) == 0 &&
	    split.addr)
		files = &split;
	int n = find_scopes(files, vaddr, &scopes);
	size_t n_libdw = count_functions(scopes, n);
	if (n_libdw < n_ours && hides_some(files))
		at = n_ours - n_libdw;
	bool has_table = dwarf_getsrcfiles(files, &table, &n_files) == 0;
	for (int i = 0; i < n; i++) {
		Dwarf_Attribute attribute;
		Dwarf_Word file = 0, line = 0;

		if (!is_function(&scopes[i]))
			continue;
		if (at >= n_ours) {
			differ(judge, vaddr, "libdw", "more", "less");
			break;
		}
		check_name(judge, vaddr, "libdw", name_of(&scopes[i]),
			   &ours[at]);
		at++;
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			break;
		judge->n_inlined++;
		dwarf_formudata(
			dwarf_attr(&scopes[i], DW_AT_call_file, &attribute),
			&file);
		dwarf_formudata(
			dwarf_attr(&scopes[i], DW_AT_call_line, &attribute),
			&line);
		if (at < n_ours && has_table)
			check_line(judge, vaddr, "libdw (call)",
				   dwarf_filesrc(table, file, NULL, NULL),
				   (int)line, &ours[at]);
	}
	free(scopes);
	return at;
}

static size_t
ask_libdw(struct judge *judge, uint64_t vaddr, const struct prf_line *ours,
	  size_t n_ours)
{
	static const struct prf_line nothing;
	Dwarf_Die unit;

	if (!find_unit(judge->dwarf, vaddr, &unit)) {
		if (n_ours > 0)
			differ(judge, vaddr, "libdw", "nothing", "something");
		return 0;
	}
	Dwarf_Line *line = dwarf_getsrc_die(&unit, vaddr);
	int number = 0;
	if (line)
		dwarf_lineno(line, &number);
	check_line(judge, vaddr, "libdw",
		   line ? dwarf_linesrc(line, NULL, NULL) : "", number,
		   n_ours > 0 ? ours : &nothing);
	judge->n_lines += line != NULL;
	return check_scopes(judge, &unit, vaddr, ours, n_ours);
}

/* --- bfd */

static asection *
section_at(bfd *abfd, uint64_t vaddr)
{
	for (asection *section = abfd->sections; section;
	     section = section->next)
		if ((section->flags & SEC_ALLOC) && vaddr >= section->vma &&
		    vaddr - section->vma < bfd_section_size(section))
			return section;
	return NULL;
}

/* bfd has no line where it has 0, and now and then the first file in place of
 * another (templates.cpp:1152, which ends in line 15).  Of functions that were inlined
 * in inlined ones it leaves out some where clang has compiled them, so that it is not
 * asked to agree: libdw was.  libdw in turn finds
 * none where the compiler optimized at link time.  Returns how many functions it has,
 * of N_OURS. */
static size_t
ask_bfd(struct judge *judge, uint64_t vaddr, const struct prf_line *ours,
	size_t n_ours)
{
	asection *section = section_at(judge->bfd, vaddr);
	const char *file, *function;
	size_t i = 1;
	unsigned line;

	if (!section || !bfd_find_nearest_line(
				judge->bfd, section, judge->symbols,
				vaddr - section->vma, &file, &function, &line))
		return 0;
	if (file && line && n_ours > 0 && ours->line) {
		check_line(judge, vaddr, "bfd", ours->file, (int)line, ours);
		judge->n_bfd_alone +=
			strcmp(base_name(file), base_name(ours->file)) != 0;
		judge->n_bfd_lines++;
	} else if (file && line) {
		judge->n_bfd_alone++;
	}
	for (; i < n_ours; i++) {
		if (!bfd_find_inliner_info(judge->bfd, &file, &function, &line))
			break;
		if (!line || !ours[i].line)
			continue;
		judge->n_bfd_alone += line != ours[i].line;
		judge->n_bfd_inlined++;
	}
	return i;
}

/* --- All of them */

static void
open_judges(struct judge *judge, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	judge->dwarf = dwarf_begin(fd, DWARF_C_READ);
	if (!judge->dwarf)
		fail(path, dwarf_errmsg(-1));
	bfd_init();
	judge->bfd = bfd_openr(path, NULL);
	if (!judge->bfd)
		fail(path, bfd_errmsg(bfd_get_error()));
	judge->bfd->flags |= BFD_DECOMPRESS;
	if (!bfd_check_format(judge->bfd, bfd_object))
		fail(path, bfd_errmsg(bfd_get_error()));
	long room = bfd_get_symtab_upper_bound(judge->bfd);
	if (room > 0) {
		judge->symbols = malloc((size_t)room);
		if (!judge->symbols ||
		    bfd_canonicalize_symtab(judge->bfd, judge->symbols) < 0)
			fail(path, "symbols");
	}
}

/* A random instruction, or the middle of one, in a function. */
static uint64_t
random_address(const struct prf_text *texts, size_t n)
{
	for (;;) {
		const struct prf_text *text = &texts[(size_t)random() % n];

		if (text->kind == PRF_TEXT_FUNCTION)
			return text->lo +
			       (uint64_t)random() % (text->hi - text->lo);
	}
}

int
main(int argc, char **argv)
{
	struct judge judge = {0};
	struct prf_image *image;
	struct prf_error err = {0};
	size_t n;

	if (argc != 2 && argc != 3)
		fail("usage", "judge_lines FILE [DEBUGFILE]");
	int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (prf_image_open_fd(fd, argv[1], NULL, &image, &err) != 0 ||
	    prf_lines_open_fd(fd, argv[1], NULL, &judge.lines, &err) != 0)
		fail(argv[1], err.text);
	close(fd);
	open_judges(&judge, argv[argc - 1]);
	const struct prf_text *texts = prf_image_texts(image, &n);
	for (int i = 0; i < N_ADDRESSES; i++) {
		uint64_t vaddr = random_address(texts, n);
		const struct prf_line *ours;
		size_t n_ours = prf_lines_at(judge.lines, vaddr, &ours);

		size_t n_libdw = ask_libdw(&judge, vaddr, ours, n_ours);
		size_t n_bfd = ask_bfd(&judge, vaddr, ours, n_ours);
		/* A line of no function is one alone. */
		judge.n_more += n_ours > 0 && ours->function &&
				n_libdw < n_ours && n_bfd < n_ours;
	}
	if (prf_lines_warning(judge.lines))
		fprintf(stderr, "%s\n", prf_lines_warning(judge.lines));
	printf("%zu lines and %zu inlined as libdw has them, %zu and %zu as "
	       "bfd, which stands alone with %zu; %zu differ, %zu have more "
	       "functions\n",
	       judge.n_lines, judge.n_inlined, judge.n_bfd_lines,
	       judge.n_bfd_inlined, judge.n_bfd_alone, judge.n_different,
	       judge.n_more);
	prf_lines_close(judge.lines);
	prf_image_close(image);
	dwarf_end(judge.dwarf);
	bfd_close(judge.bfd);
	free(judge.symbols);
	return judge.n_different != 0;
}
