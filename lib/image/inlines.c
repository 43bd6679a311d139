#include "image/inlines.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

/* No compiler nests as deep; one that does shall not have our stack. */
enum { DEPTH_MAX = 200, FUNCTIONS_MAX = 1 << 22 };

/* The clock is read once for so many entries. */
enum { ENTRIES_A_LOOK = 64 };

static const char too_long[] = "its debug information takes too long to read; "
			       "some lines are missing";

struct walk {
	struct prf_inlines *inlines;
	struct prf_debug_info *info;
	Dwarf_Off latest; /* entry; they ascend, so there is an end */
	size_t n_entries;
	bool is_over;
	int rc;
};

static void
end_walk(struct walk *walk, int rc, const char *why)
{
	walk->is_over = true;
	walk->rc = rc;
	if (why)
		prf_debug_info_warn(walk->info, why);
}

/* Is DIE one that may follow the latest? */
static bool
take_entry(struct walk *walk, Dwarf_Die *die)
{
	Dwarf_Off off = dwarf_dieoffset(die);

	if (off <= walk->latest)
		end_walk(walk, 0, "its debug information is damaged");
	else if (++walk->n_entries % ENTRIES_A_LOOK == 0 &&
		 prf_debug_info_is_late(walk->info))
		end_walk(walk, 0, too_long);
	walk->latest = off;
	return !walk->is_over;
}

static uint32_t
number_of(Dwarf_Die *die, unsigned int code)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;

	return dwarf_formudata(dwarf_attr(die, code, &attribute), &number) ==
				       0 &&
			       number <= INT32_MAX
		       ? (uint32_t)number
		       : 0;
}

static int
grow(struct prf_inlines *inlines)
{
	size_t room = inlines->room * 2 + 64;
	struct prf_inline *grown =
		reallocarray(inlines->all, room, sizeof *grown);

	if (!grown)
		return -ENOMEM;
	inlines->all = grown;
	inlines->room = room;
	return 0;
}

/* Adds DIE, which has text; returns its number. */
static uint32_t
add_function(struct walk *walk, Dwarf_Die *die, uint32_t outer)
{
	struct prf_inlines *inlines = walk->inlines;
	struct prf_inline added = {.die = *die, .outer = PRF_NESTED_NONE};

	if (dwarf_tag(die) == DW_TAG_inlined_subroutine) {
		added.outer = outer;
		added.call_file = number_of(die, DW_AT_call_file);
		added.call_line = number_of(die, DW_AT_call_line);
	}
	if (inlines->n == FUNCTIONS_MAX) {
		end_walk(walk, 0,
			 "its debug information has too many "
			 "functions");
		return outer;
	}
	if (inlines->n == inlines->room && grow(inlines) != 0) {
		end_walk(walk, -ENOMEM, NULL);
		return outer;
	}
	inlines->all[inlines->n] = added;
	return (uint32_t)inlines->n++;
}

/* Adds the ranges of DIE as those of number FUNCTION. */
static void
add_ranges(struct walk *walk, Dwarf_Die *die, uint32_t function)
{
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;
	int rc = 0;

	while (!walk->is_over && rc == 0 &&
	       (at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0)
		if (prf_debug_info_steps_late(walk->info))
			rc = -ETIME;
		else if (prf_debug_info_is_text(walk->info, lo))
			rc = prf_nested_add(&walk->inlines->ranges, lo, hi,
					    function);
	if (rc == -ETIME)
		end_walk(walk, 0, too_long);
	else if (rc == -E2BIG)
		end_walk(walk, 0, "its debug information has too many ranges");
	else if (rc != 0)
		end_walk(walk, rc, NULL);
}

/* Has DIE text of its own?  Declarations and what is only ever inlined have
 * not. */
static bool
has_text(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_low_pc) ||
	       dwarf_hasattr(die, DW_AT_ranges);
}

static void walk_children(struct walk *walk, Dwarf_Die *parent, uint32_t outer,
			  unsigned depth);

static void
visit(struct walk *walk, Dwarf_Die *die, uint32_t outer, unsigned depth)
{
	uint32_t function;

	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
		if (!has_text(die))
			break;
		function = add_function(walk, die, outer);
		add_ranges(walk, die, function);
		walk_children(walk, die, function, depth);
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_module:
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		walk_children(walk, die, outer, depth);
		break;
	default:
		break;
	}
}

/* Goes on from DIE to the next one beside it; false if there is none, or no time
 * is left.  Where DIE does not say where that is, libdw goes through all that is
 * below DIE, once more for each one that it is in. */
static bool
next_sibling(struct walk *walk, Dwarf_Die *die)
{
	if (dwarf_haschildren(die) && !dwarf_hasattr(die, DW_AT_sibling) &&
	    prf_debug_info_is_late(walk->info)) {
		end_walk(walk, 0, too_long);
		return false;
	}
	return dwarf_siblingof(die, die) == 0;
}

static void
walk_children(struct walk *walk, Dwarf_Die *parent, uint32_t outer,
	      unsigned depth)
{
	Dwarf_Die die;

	if (walk->is_over || depth == DEPTH_MAX ||
	    dwarf_child(parent, &die) != 0)
		return;
	do {
		if (!take_entry(walk, &die))
			return;
		visit(walk, &die, outer, depth + 1);
	} while (!walk->is_over && next_sibling(walk, &die));
}

int
prf_inlines_read(struct prf_inlines *inlines, struct prf_debug_info *info,
		 Dwarf_Die *die)
{
	struct walk walk = {.inlines = inlines, .info = info};
	struct prf_dwarf_bytes table;
	size_t n_files;

	*inlines = (struct prf_inlines){0};
	walk_children(&walk, die, PRF_NESTED_NONE, 0);
	/* The other half of a split unit has a table of files alone. */
	bool has_files = !dwarf_hasattr(die, DW_AT_stmt_list) ||
			 prf_debug_info_lines(info, die, &table);
	if (!has_files ||
	    dwarf_getsrcfiles(die, &inlines->files, &n_files) != 0)
		inlines->files = NULL;
	return walk.rc == 0 ? prf_nested_sort(&inlines->ranges) : walk.rc;
}

void
prf_inlines_free(struct prf_inlines *inlines)
{
	prf_nested_clear(&inlines->ranges);
	free(inlines->all);
	*inlines = (struct prf_inlines){0};
}

static const char *
find_name(Dwarf_Die *die)
{
	static const unsigned codes[] = {DW_AT_linkage_name,
					 DW_AT_MIPS_linkage_name, DW_AT_name};
	const char *name = NULL;

	for (size_t i = 0; !name && i < sizeof codes / sizeof *codes; i++) {
		Dwarf_Attribute attribute;

		name = dwarf_formstring(
			dwarf_attr_integrate(die, codes[i], &attribute));
	}
	return name;
}

const char *
prf_inlines_name(struct prf_inlines *inlines, uint32_t i)
{
	struct prf_inline *function = &inlines->all[i];

	if (!function->has_name) {
		function->name = find_name(&function->die);
		function->has_name = true;
	}
	return function->name;
}

const char *
prf_inlines_call_file(const struct prf_inlines *inlines, uint32_t i)
{
	return inlines->files
		       ? dwarf_filesrc(inlines->files,
				       inlines->all[i].call_file, NULL, NULL)
		       : NULL;
}
