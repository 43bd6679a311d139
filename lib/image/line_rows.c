#include "image/line_rows.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/scope.h"
#include "image/line_program.h"

/* As the table has them, which is by sequence. */
struct reading {
	struct told {
		struct prf_line_row row;
		uint32_t number; /* as they were told */
		bool is_end;
	} * all;
	size_t n, room;
};

static void
free_reading(struct reading *reading)
{
	free(reading->all);
}

static int
tell(struct reading *reading, const struct prf_line_program_row *row,
     size_t n_files)
{
	if (reading->n == reading->room) {
		size_t room = reading->room * 2 + 256;
		struct told *all =
			reallocarray(reading->all, room, sizeof *all);

		if (!all)
			return -ENOMEM;
		reading->all = all;
		reading->room = room;
	}
	bool has_file = !row->is_end && row->file < n_files;
	reading->all[reading->n] = (struct told){
		.row.vaddr = row->vaddr,
		.row.file =
			has_file ? (uint32_t)row->file : PRF_LINE_ROW_NO_FILE,
		.row.line = row->line <= INT32_MAX ? (uint32_t)row->line : 0,
		.number = (uint32_t)reading->n,
		.is_end = row->is_end,
	};
	reading->n++;
	return 0;
}

/* Reads the rows of PROGRAM, but for the sequences of functions that the linker has
 * thrown away: those begin outside of the text, mostly at 0, and reach over the
 * text of others where that begins soon after. */
static int
read_all(struct reading *reading, struct prf_line_program *program,
	 const struct prf_debug_info *info, size_t n_files)
{
	struct prf_line_program_row row;
	size_t first = 0; /* of the sequence */
	int rc = 0;

	while (rc == 0 && prf_line_program_next(program, &row)) {
		rc = tell(reading, &row, n_files);
		if (rc != 0 || !row.is_end)
			continue;
		if (!prf_debug_info_is_text(info,
					    reading->all[first].row.vaddr))
			reading->n = first;
		first = reading->n;
	}
	/* One without an end is damaged. */
	if (rc == 0)
		reading->n = first;
	return rc;
}

/* Where one sequence ends and another begins, the end comes first. */
static int
by_vaddr(const void *a, const void *b)
{
	const struct told *left = a, *right = b;

	if (left->row.vaddr != right->row.vaddr)
		return left->row.vaddr < right->row.vaddr ? -1 : 1;
	if (left->is_end != right->is_end)
		return left->is_end ? -1 : 1;
	return (left->number > right->number) - (left->number < right->number);
}

/* Of rows at one address the last counts; those that say the same again are
 * left out. */
static void
add(struct prf_line_rows *rows, struct prf_line_row row)
{
	struct prf_line_row *all = rows->all;

	if (rows->n > 0 && all[rows->n - 1].vaddr == row.vaddr)
		rows->n--;
	if (rows->n > 0 && all[rows->n - 1].file == row.file &&
	    all[rows->n - 1].line == row.line)
		return;
	all[rows->n++] = row;
}

int
prf_line_rows_read(struct prf_line_rows *rows,
		   const struct prf_debug_info *info, Dwarf_Die *die)
{
	PRF_AUTO(free_reading) struct reading reading = {0};
	struct prf_line_program program;
	struct prf_dwarf_bytes table;
	size_t n_files;

	*rows = (struct prf_line_rows){0};
	if (!prf_debug_info_lines(info, die, &table) ||
	    !prf_line_program_begin(&program, table))
		return 0;
	/* libdw has no number for it that others could know. */
	errno = 0;
	if (dwarf_getsrcfiles(die, &rows->files, &n_files) != 0)
		return errno == ENOMEM ? -ENOMEM : 0;
	int rc = read_all(&reading, &program, info, n_files);
	if (rc != 0 || reading.n == 0)
		return rc;
	qsort(reading.all, reading.n, sizeof *reading.all, by_vaddr);
	rows->all = calloc(reading.n, sizeof *rows->all);
	if (!rows->all)
		return -ENOMEM;
	for (size_t i = 0; i < reading.n; i++)
		add(rows, reading.all[i].row);
	struct prf_line_row *kept =
		reallocarray(rows->all, rows->n, sizeof *kept);
	if (kept)
		rows->all = kept;
	return 0;
}

void
prf_line_rows_free(struct prf_line_rows *rows)
{
	free(rows->all);
	*rows = (struct prf_line_rows){0};
}

const struct prf_line_row *
prf_line_rows_at(const struct prf_line_rows *rows, uint64_t vaddr)
{
	size_t lo = 0, n = rows->n; /* the first above is in [lo, lo + n] */

	while (n > 0) {
		size_t half = n / 2;

		if (rows->all[lo + half].vaddr <= vaddr) {
			lo += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	if (lo == 0 || rows->all[lo - 1].file == PRF_LINE_ROW_NO_FILE)
		return NULL;
	return &rows->all[lo - 1];
}

const char *
prf_line_rows_file(const struct prf_line_rows *rows,
		   const struct prf_line_row *row)
{
	return dwarf_filesrc(rows->files, row->file, NULL, NULL);
}
