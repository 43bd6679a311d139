/* The rows of vectors.csv once more, through the calls and the handler. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/dialect.h"
#include "core/region.h"
#include "core/table.h"
#include "core/vectors.h"
#include "inproc/counters.h"
#include "inproc/profil.h"
#include "inproc/tick.h"
#include "support/suite.h"

/* --- Buffers: the rows' own addresses, somewhere else. */

#define ROW_BASE UINT64_C(0x7f1200000000)
#define ARENA_BYTES (UINT64_C(0x80000000) + (1 << 20))
#define MAX_SUMMED_BYTES 65536

static char *arena;

static void
make_arena(void)
{
	arena = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	ck_assert_ptr_ne(arena, MAP_FAILED);
	tick_block();
}

static char *
here(uint64_t row_addr)
{
	return arena + (row_addr - ROW_BASE);
}

static uint64_t
sum(const char *buffer, uint64_t size_bytes)
{
	uint64_t bytes = 0;

	for (uint64_t i = 0; i < size_bytes && i < MAX_SUMMED_BYTES; i++)
		bytes += (unsigned char)buffer[i];
	return bytes;
}

static void
off(void)
{
	ck_assert_int_eq(prf_sprofil(NULL, 0, NULL, 0), 0);
}

/* What a row's call and tick have done: "hit", "miss", "off" or "EINVAL". */
static const char *
outcome(int result)
{
	struct prf_profil_state state;

	prf_profil_state(&state);
	if (result < 0)
		return errno == EINVAL ? "EINVAL" : strerror(errno);
	if (state.counted == 1 && state.outside == 0 && state.dropped == 0)
		return "hit";
	if (state.outside == 1 && state.counted == 0 && state.dropped == 0)
		return "miss";
	return !state.on && state.ticks == 0 ? "off" : "?";
}

/* RESULT is what the row says; a hit must be at ADDRESS, and nowhere else. */
static void
check_outcome(const struct vector *row, const char *what, const char *result,
	      const char *address, unsigned width)
{
	bool is_hit = strchr(result, ':') != NULL;
	const char *wanted = is_hit ? "hit" : result;

	ck_assert_msg(strcmp(what, wanted) == 0, "%s is %s, should be %s",
		      row->field[COL_id], what, result);
	if (!is_hit)
		return;
	char *counter = here(vectors_number(address));
	ck_assert_msg(counter_at(counter, width) == 1,
		      "%s is not counted at %s", row->field[COL_id], address);
	memset(counter, 0, width);
}

/* --- One region. */

static const struct prf_dialect *
dialect_of(const struct vector *row)
{
	static const struct {
		const char *follows;
		const struct prf_dialect *(*dialect)(void);
	} documents[] = {
		{"svr4", prf_dialect_svr4},
		{"solaris10", prf_dialect_solaris},
		{"solaris kernel", prf_dialect_solaris_kernel},
		{"freebsd", prf_dialect_freebsd},
		{"aix", prf_dialect_svr4},
		{"glibc profil", prf_dialect_glibc},
	};

	for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
		if (strcmp(documents[i].follows, row->field[COL_follows]) == 0)
			return documents[i].dialect();
	return NULL; /* of sprofil */
}

static void
check_map(const struct vector *row)
{
	const struct prf_dialect *dialect = dialect_of(row);
	unsigned width = (unsigned)vectors_number(row->field[COL_width]);
	struct prf_region region = {
		.base = here(vectors_number(row->field[COL_base])),
		.size_bytes = vectors_number(row->field[COL_size]),
		.offset = vectors_number(row->field[COL_offset]),
		.scale = (uint32_t)vectors_number(row->field[COL_scale]),
	};
	int result =
		dialect ? prf_profil(dialect, region.base, region.size_bytes,
				     region.offset, region.scale)
			: prf_sprofil(&region, 1, NULL, counter_flags(width));

	if (result == 0)
		tick_at(vectors_number(row->field[COL_pc]), 1);
	check_outcome(row, outcome(result), row->field[COL_result],
		      row->field[COL_address], width);
	ck_assert_uint_eq(sum(region.base, region.size_bytes), 0);
	off();
}

START_TEST(a_row_of_one_region_is_counted_as_it_says)
{
	ck_assert_int_eq(vectors_for_each("map", check_map), N_MAP_ROWS);
}
END_TEST

/* --- Lists. */

#define MAX_REGIONS 8

/* The number that *TEXT begins with; goes to behind it and its SEPARATOR. */
static uint64_t
cut_number(const char **text, char separator)
{
	char *end;
	uint64_t number = strtoull(*text, &end, 0);

	ck_assert(*end == separator || *end == '\0');
	*text = end + (*end != '\0');
	return number;
}

static int
regions_of(const struct vector *row, struct prf_region *list)
{
	const char *text = row->field[COL_regions];
	int n = 0;

	for (; *text && n < MAX_REGIONS; n++) {
		list[n].offset = cut_number(&text, '/');
		list[n].size_bytes = cut_number(&text, '/');
		list[n].scale = (uint32_t)cut_number(&text, '@');
		list[n].base = here(cut_number(&text, ';'));
	}
	return n;
}

static void
check_list_by(const struct vector *row, unsigned flag, int column)
{
	unsigned width = (unsigned)vectors_number(row->field[COL_width]);
	struct prf_region list[MAX_REGIONS];
	int n = regions_of(row, list);
	int result = prf_sprofil(list, n, NULL, counter_flags(width) | flag);

	if (result == 0)
		tick_at(vectors_number(row->field[COL_pc]), 1);
	check_outcome(row, outcome(result), row->field[column],
		      row->field[COL_address], width);
	for (int i = 0; i < n; i++)
		ck_assert_uint_eq(sum(list[i].base, list[i].size_bytes), 0);
	off();
}

static void
check_list(const struct vector *row)
{
	check_list_by(row, 0, COL_result);
	check_list_by(row, PRF_SPROFIL_LENIENT, COL_lenient);
}

START_TEST(a_row_of_several_regions_is_counted_as_it_says)
{
	ck_assert_int_eq(vectors_for_each("list", check_list), N_LIST_ROWS);
}
END_TEST

/* --- Full counters. */

static int
start_count(const struct vector *row, char *buffer, unsigned width)
{
	const struct prf_dialect *dialect = dialect_of(row);
	bool is_overflow = strstr(row->field[COL_follows], "overflow") != NULL;
	bool is_glibc = strstr(row->field[COL_follows], "glibc") != NULL;
	struct prf_region list[] = {
		{buffer + 64, width, 0x500000, 0x10000},
		{buffer, width, is_overflow ? 0 : 0x600000,
		 is_overflow ? 2 : 0x10000},
	};

	if (dialect)
		return prf_profil(dialect, buffer, width, 0x600000, 0x10000);
	return prf_sprofil(list, 2, NULL,
			   counter_flags(width) |
				   (is_glibc ? PRF_SPROFIL_LENIENT : 0));
}

static void
check_count(const struct vector *row)
{
	const char *id = row->field[COL_id];
	unsigned width = (unsigned)vectors_number(row->field[COL_width]);
	uint64_t before = vectors_number(row->field[COL_before]);
	uint64_t ticks = vectors_number(row->field[COL_ticks]);
	uint64_t after = vectors_count_after(row);
	bool is_on = strcmp(row->field[COL_state], "on") == 0;
	struct prf_profil_state state;

	memcpy(arena, &before, width);
	ck_assert_int_eq(start_count(row, arena, width), 0);
	tick_at(0x600000, ticks);
	prf_profil_state(&state);
	ck_assert_msg(counter_at(arena, width) == after,
		      "%s is %" PRIu64 ", should be %" PRIu64, id,
		      counter_at(arena, width), after);
	ck_assert_msg(state.on == is_on, "%s is not %s", id,
		      row->field[COL_state]);
	ck_assert(is_on || state.why == PRF_PROFIL_FULL);
	/* A counter that wraps has counted all. */
	ck_assert_uint_eq(state.counted,
			  after < before ? ticks : after - before);
	ck_assert_uint_eq(state.ticks, ticks);
	ck_assert_uint_eq(state.dropped, ticks - state.counted);
	off();
	memset(arena, 0, 128);
}

START_TEST(a_row_of_a_full_counter_ends_as_it_says)
{
	ck_assert_int_eq(vectors_for_each("count", check_count), N_COUNT_ROWS);
}
END_TEST

/* --- Sequences of calls and ticks. */

#define MAX_SAMPLES 8

static uintptr_t samples[2][MAX_SAMPLES]; /* A and B */

static uintptr_t *
array_of(const char *name)
{
	return strcmp(name, "NULL") == 0 ? NULL : samples[name[0] - 'A'];
}

static bool
step_pcsample(const char *word)
{
	char array[8], result[40], expected[20];
	long n;

	if (sscanf(word, "pcsample(%7[A-Z],%ld)=%19s", array, &n, expected) !=
	    3)
		return false;
	long stored = prf_pcsample(array_of(array), n);
	if (stored < 0)
		snprintf(result, sizeof result, "%ld/%s", stored,
			 errno == EINVAL ? "EINVAL" : "?");
	else
		snprintf(result, sizeof result, "%ld", stored);
	ck_assert_msg(strcmp(result, expected) == 0, "%s gives %s", word,
		      result);
	return true;
}

static bool
step_profil(const char *word)
{
	static unsigned short buffer[8];
	bool is_off = strcmp(word, "profil(b,n,o,0)") == 0;

	if (!is_off && strcmp(word, "profil(b,n,o,s)") != 0)
		return false;
	ck_assert_int_eq(prf_profil(prf_dialect_solaris(), buffer,
				    sizeof buffer, 0x1000,
				    is_off ? 0 : 0x10000),
			 0);
	return true;
}

static bool
step_tick(const char *word)
{
	uint64_t ticks = 1;
	char pc;

	if (sscanf(word, "tick(%c)x%" SCNu64, &pc, &ticks) < 1)
		return false;
	tick_at((uint64_t)pc, ticks);
	return true;
}

/* "A={p,q}": that, and nothing behind it. */
static bool
step_look(const char *word)
{
	char name, list[40], held[2 * MAX_SAMPLES + 1] = "";

	if (sscanf(word, "%c={%39[a-z,]}", &name, list) != 2)
		return false;
	const uintptr_t *array = samples[name - 'A'];
	for (int i = 0; i < MAX_SAMPLES && array[i]; i++)
		sprintf(held + strlen(held), "%s%c", i ? "," : "",
			(char)array[i]);
	ck_assert_msg(strcmp(held, list) == 0, "%c is {%s}, should be {%s}",
		      name, held, list);
	return true;
}

#define AFTER_EXEC "PRF_TEST_AFTER_EXEC"

/* In the new image: the call that the row makes there. */
__attribute__((constructor)) static void
after_exec(void)
{
	if (getenv(AFTER_EXEC))
		_exit(prf_pcsample(samples[0], 0) == 0 ? 0 : 1);
}

/* The words that change which process it is.  "fork: child ... ; parent ...":
 * the child does its steps and ends, and the parent goes on. */
static bool
step_process(const char *word, bool *is_done)
{
	static pid_t child;
	int status = 0;

	if (strcmp(word, "fork:") == 0) {
		child = fork();
		ck_assert_int_ge(child, 0);
		return true;
	}
	if (strcmp(word, "child") == 0) {
		/* The parent's steps begin with its own word. */
		*is_done = child != 0;
		return true;
	}
	if (strcmp(word, "parent") == 0) {
		if (child == 0)
			_exit(0);
		*is_done = false;
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert_int_eq(status, 0);
		return true;
	}
	if (strcmp(word, "exec:") != 0)
		return false;
	child = fork();
	if (child == 0) {
		setenv(AFTER_EXEC, "1", 1);
		execl("/proc/self/exe", "test_rows", (char *)NULL);
		_exit(2);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	*is_done = true;
	return true;
}

static void
check_sequence(const struct vector *row)
{
	char script[sizeof row->line];
	char *save, *word;
	bool skip = false;

	memset(samples, 0, sizeof samples);
	prf_profil(prf_dialect_svr4(), NULL, 0, 0, 0);
	strcpy(script, row->field[COL_script]);
	for (word = strtok_r(script, " ;", &save); word;
	     word = strtok_r(NULL, " ;", &save))
		ck_assert_msg(step_process(word, &skip) || skip ||
				      step_pcsample(word) ||
				      step_profil(word) || step_tick(word) ||
				      step_look(word),
			      "%s: what is \"%s\"?", row->field[COL_id], word);
}

START_TEST(a_row_of_calls_and_ticks_goes_as_written)
{
	ck_assert_int_eq(vectors_for_each("sequence", check_sequence),
			 N_SEQUENCE_ROWS);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("rows");
	TCase *tcase = tcase_create("rows");

	tcase_set_timeout(tcase, 600);
	tcase_add_checked_fixture(tcase, make_arena, NULL);
	tcase_add_test(tcase, a_row_of_one_region_is_counted_as_it_says);
	tcase_add_test(tcase, a_row_of_several_regions_is_counted_as_it_says);
	tcase_add_test(tcase, a_row_of_a_full_counter_ends_as_it_says);
	tcase_add_test(tcase, a_row_of_calls_and_ticks_goes_as_written);
	suite_add_tcase(suite, tcase);
	return suite;
}
