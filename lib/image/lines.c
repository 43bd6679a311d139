#include "image/lines.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "core/scope.h"
#include "image/debug_info.h"
#include "image/inlines.h"
#include "image/line_rows.h"
#include "image/nested.h"

/* Bounds for all units of a file together; a unit that goes beyond is the last
 * that is read. */
enum { ROWS_MAX = 1 << 24, RANGES_MAX = 1 << 24, UNITS_MAX = 1 << 20 };

/* More than were inlined in each other by any compiler. */
enum { CHAIN_MAX = 250 };

struct unit {
	Dwarf_Die die;
	bool is_read;
	const char *directory; /* where it was compiled; or NULL */
	struct prf_line_rows rows;
	struct prf_inlines inlines;
};

struct prf_lines {
	struct prf_debug_info info;
	bool has_units;
	struct unit *units;
	size_t n_units, room;
	struct prf_nested map; /* whose text is where */
	struct prf_lines_stats stats;
	struct prf_line chain[CHAIN_MAX];
};

PRF_DEFINE_AUTO(prf_lines, prf_lines_close);

/* --- Units */

static int
add_unit_ranges(struct prf_lines *lines, Dwarf_Die *die, uint32_t number)
{
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;
	int rc = 0;

	while (rc == 0 && (at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0)
		if (prf_debug_info_steps_late(&lines->info))
			rc = -ETIME;
		else if (prf_debug_info_is_text(&lines->info, lo))
			rc = prf_nested_add(&lines->map, lo, hi, number);
	return rc;
}

static int
add_unit(struct prf_lines *lines, Dwarf_Die *die)
{
	if (lines->n_units == UNITS_MAX)
		return -E2BIG;
	if (lines->n_units == lines->room) {
		size_t room = lines->room * 2 + 16;
		struct unit *grown =
			reallocarray(lines->units, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		lines->units = grown;
		lines->room = room;
	}
	lines->units[lines->n_units] = (struct unit){.die = *die};
	return add_unit_ranges(lines, die, (uint32_t)lines->n_units++);
}

/* Units of types alone have no text. */
static bool
may_have_text(uint8_t kind)
{
	return kind == DW_UT_compile || kind == DW_UT_skeleton;
}

/* Maps the text of all units; what cannot be read any more is left out. */
static void
find_units(struct prf_lines *lines)
{
	struct prf_debug_info *info = &lines->info;
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t kind;
	int rc = 0, more = 0;

	lines->has_units = true;
	if (!info->dwarf)
		return;
	while (rc == 0 &&
	       (more = dwarf_get_units(info->dwarf, unit, &unit, NULL, &kind,
				       &die, NULL)) == 0) {
		if (may_have_text(kind))
			rc = add_unit(lines, &die);
		if (rc == 0 && prf_debug_info_is_late(info))
			rc = -ETIME;
	}
	int sorted = prf_nested_sort(&lines->map);
	if (rc != 0 || more != 1 || sorted != 0)
		prf_debug_info_warn(info, "some of its debug information "
					  "cannot be read");
	lines->stats.n_units = lines->n_units;
}

/* Reads a unit; what there is no memory for is missing. */
static void
read_unit(struct prf_lines *lines, struct unit *unit)
{
	struct prf_debug_info *info = &lines->info;
	struct prf_lines_stats *stats = &lines->stats;
	Dwarf_Die die = unit->die;

	unit->is_read = true;
	stats->n_read++;
	if (stats->n_rows > ROWS_MAX || stats->n_ranges > RANGES_MAX ||
	    prf_debug_info_is_late(info)) {
		prf_debug_info_warn(info, "its debug information is too large; "
					  "some lines are missing");
		return;
	}
	Dwarf_Attribute attribute;
	unit->directory =
		dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir, &attribute));
	int rc = prf_line_rows_read(&unit->rows, info, &die);
	prf_debug_info_join(info, &die);
	if (rc == 0)
		rc = prf_inlines_read(&unit->inlines, info, &die);
	if (rc != 0)
		prf_debug_info_warn(info, "memory is short; some lines are "
					  "missing");
	stats->n_rows += unit->rows.n;
	stats->n_functions += unit->inlines.n;
	stats->n_ranges += unit->inlines.ranges.n_steps;
}

/* The unit that VADDR is in, which has been read; NULL: there is none. */
static struct unit *
unit_at(struct prf_lines *lines, uint64_t vaddr)
{
	if (!lines->has_units) {
		prf_debug_info_start_clock(&lines->info);
		find_units(lines);
		prf_debug_info_stop_clock(&lines->info);
	}
	uint32_t number = prf_nested_at(&lines->map, vaddr);
	if (number == PRF_NESTED_NONE)
		return NULL;
	struct unit *unit = &lines->units[number];
	if (!unit->is_read) {
		prf_debug_info_start_clock(&lines->info);
		read_unit(lines, unit);
		prf_debug_info_stop_clock(&lines->info);
	}
	return unit;
}

/* --- Lookup */

/* Follows the chain of what was inlined from function NUMBER outwards. */
static size_t
follow(struct prf_lines *lines, struct unit *unit, uint32_t number)
{
	struct prf_inlines *inlines = &unit->inlines;
	struct prf_line *chain = lines->chain;
	size_t n = 0;

	for (;;) {
		const struct prf_inline *function = &inlines->all[number];

		chain[n++].function = prf_inlines_name(inlines, number);
		if (function->outer == PRF_NESTED_NONE || n == CHAIN_MAX)
			return n;
		chain[n] = (struct prf_line){
			.file = prf_inlines_call_file(inlines, number),
			.line = function->call_line,
			.directory = unit->directory,
		};
		number = function->outer;
	}
}

size_t
prf_lines_at(struct prf_lines *lines, uint64_t vaddr,
	     const struct prf_line **out)
{
	struct unit *unit = unit_at(lines, vaddr);

	*out = lines->chain;
	if (!unit)
		return 0;
	const struct prf_line_row *row = prf_line_rows_at(&unit->rows, vaddr);
	uint32_t number = prf_nested_at(&unit->inlines.ranges, vaddr);
	lines->chain[0] = (struct prf_line){.directory = unit->directory};
	if (row) {
		lines->chain[0].file = prf_line_rows_file(&unit->rows, row);
		lines->chain[0].line = row->line;
	}
	if (number != PRF_NESTED_NONE)
		return follow(lines, unit, number);
	return row ? 1 : 0;
}

/* --- Opening */

int
prf_lines_open_fd(int fd, const char *path, const struct prf_debug_way *way,
		  struct prf_lines **out, struct prf_error *err)
{
	PRF_AUTO(prf_lines_auto)
	struct prf_lines *lines = calloc(1, sizeof *lines);

	if (!lines)
		return prf_error_set(err, -ENOMEM, "%s: %m", path);
	int rc = prf_debug_info_open_fd(&lines->info, fd, path, way, err);
	if (rc == 0)
		*out = PRF_TAKE(lines);
	return rc;
}

int
prf_lines_open_memory(const void *bytes, size_t size, const char *name,
		      struct prf_lines **out, struct prf_error *err)
{
	PRF_AUTO(prf_lines_auto)
	struct prf_lines *lines = calloc(1, sizeof *lines);

	if (!lines)
		return prf_error_set(err, -ENOMEM, "%s: %m", name);
	int rc = prf_debug_info_open_memory(&lines->info, bytes, size, name,
					    err);
	if (rc == 0)
		*out = PRF_TAKE(lines);
	return rc;
}

void
prf_lines_close(struct prf_lines *lines)
{
	if (!lines)
		return;
	for (size_t i = 0; i < lines->n_units; i++) {
		prf_line_rows_free(&lines->units[i].rows);
		prf_inlines_free(&lines->units[i].inlines);
	}
	free(lines->units);
	prf_nested_clear(&lines->map);
	prf_debug_info_close(&lines->info);
	free(lines);
}

bool
prf_lines_are_known(const struct prf_lines *lines)
{
	return lines->info.dwarf != NULL;
}

const char *
prf_lines_warning(const struct prf_lines *lines)
{
	return lines->info.warning.code != 0 ? lines->info.warning.text : NULL;
}

struct prf_lines_stats
prf_lines_stats(const struct prf_lines *lines)
{
	return lines->stats;
}
