#include "image/line_rows.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

static struct prf_line_row
row_of(Dwarf_Line *line, Dwarf_Files **files)
{
	struct prf_line_row row = {.file = PRF_LINE_ROW_NO_FILE};
	bool is_end = true;
	size_t file;
	int number = 0;

	dwarf_lineaddr(line, &row.vaddr);
	dwarf_lineendsequence(line, &is_end);
	if (is_end || dwarf_line_file(line, files, &file) != 0)
		return row;
	dwarf_lineno(line, &number);
	row.file = (uint32_t)file;
	row.line = number > 0 ? (uint32_t)number : 0;
	return row;
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
prf_line_rows_read(struct prf_line_rows *rows, Dwarf_Die *die)
{
	Dwarf_Lines *lines;
	size_t n;

	*rows = (struct prf_line_rows){0};
	/* libdw has no number for it that others could know. */
	errno = 0;
	if (dwarf_getsrclines(die, &lines, &n) != 0)
		return errno == ENOMEM ? -ENOMEM : 0;
	if (n == 0)
		return 0;
	rows->all = calloc(n, sizeof *rows->all);
	if (!rows->all)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		add(rows, row_of(dwarf_onesrcline(lines, i), &rows->files));
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
