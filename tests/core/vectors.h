/* vectors.h - the rows of tests/fixtures/vectors.csv. */
#ifndef PRF_TESTS_CORE_VECTORS_H
#define PRF_TESTS_CORE_VECTORS_H

#include <stddef.h>
#include <stdint.h>

#define N_MAP_ROWS 124
#define N_LIST_ROWS 44
#define N_COUNT_ROWS 17
#define N_SEQUENCE_ROWS 12
#define N_ROWS 197

/* The columns, in the order and by the names of the file's first line. */
enum {
	COL_id,
	COL_kind,
	COL_follows,
	COL_width,
	COL_base,
	COL_size,
	COL_offset,
	COL_scale,
	COL_regions,
	COL_pc,
	COL_result,
	COL_lenient,
	COL_region,
	COL_index,
	COL_byte,
	COL_address,
	COL_before,
	COL_ticks,
	COL_after,
	COL_state,
	COL_script,
	COL_note,
	COL_text_svr4_solaris,
	COL_solaris_kernel,
	COL_text_freebsd,
	COL_bsd_kernel,
	COL_text_hpux,
	COL_glibc_profil,
	COL_glibc_sprofil,
	COL_glibc_sprofil_first_tick,
	COL_papi,
	COL_product_in_64_bits,
	N_COLUMNS,
};

struct vector {
	char line[1024];        /* what the fields point into */
	char *field[N_COLUMNS]; /* never NULL */
};

/* Reads the file once; the rows stay until the program ends.  Aborts the
 * program, with a message, if the file is not as it should be. */
const struct vector *vectors_read(size_t *n);

/* Runs TEST for each row of a kind; returns how many there were. */
int vectors_for_each(const char *kind, void (*test)(const struct vector *row));

/* What the counter of a row of kind "count" is afterwards: as the row says,
 * but where we do otherwise on purpose.  Those rows are in a table, with the
 * reason; the test fails if such a row does not say what the table says. */
uint64_t vectors_count_after(const struct vector *row);

/* The number that TEXT, all of it, is; the test fails if it is none. */
uint64_t vectors_number(const char *text);

#endif
