#include "image/texts.h"
#include "support/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct prf_range two_ranges[] = {
	{0x1000, 0x2000, "[.text]", true},
	{0x2000, 0x2100, "[.fini]", true},
};

static const struct prf_layout layout = {.ranges = two_ranges, .n_ranges = 2};

struct named {
	uint64_t vaddr, size;
	const char *name;
	uint32_t rank;
};

struct piece {
	uint64_t lo, hi;
	const char *name; /* NULL: what an FDE tells of, in .text */
};

static struct prf_texts
make_with(const struct named *named, size_t n, struct prf_fde *fdes,
	  size_t n_fdes)
{
	const struct prf_fdes all = {.all = fdes, .n = n_fdes};
	struct prf_symbols symbols = {0};
	struct prf_texts texts;

	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(
			prf_symbols_add(&symbols,
					&(struct prf_symbol){
						.vaddr = named[i].vaddr,
						.size = named[i].size,
						.name = named[i].name,
						.rank = named[i].rank,
					}),
			0);
	ck_assert_int_eq(prf_texts_make(&texts, &layout, &symbols, &all), 0);
	prf_symbols_free(&symbols);
	return texts;
}

static struct prf_texts
make(const struct named *named, size_t n)
{
	return make_with(named, n, NULL, 0);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* TEXTS, which it frees, are PIECES and no others. */
static void
check_pieces(struct prf_texts texts, const struct piece *pieces,
	     size_t n_pieces)
{
	for (size_t i = 0; i < texts.n && i < n_pieces; i++) {
		ck_assert_uint_eq(texts.all[i].lo, pieces[i].lo);
		ck_assert_uint_eq(texts.all[i].hi, pieces[i].hi);
		if (pieces[i].name) {
			ck_assert_str_eq(texts.all[i].name, pieces[i].name);
		} else {
			ck_assert_str_eq(texts.all[i].name, "[.text]");
			ck_assert_uint_eq(texts.all[i].vaddr, pieces[i].lo);
		}
		ck_assert_int_eq(texts.all[i].kind == PRF_TEXT_UNNAMED,
				 !pieces[i].name);
	}
	ck_assert_uint_eq(texts.n, n_pieces);
	prf_texts_free(&texts);
}

#define CHECK(named, pieces)                                                   \
	check_pieces(make(named, COUNT(named)), pieces, COUNT(pieces))
#define CHECK_WITH(named, fdes, pieces)                                        \
	check_pieces(make_with(named, COUNT(named), fdes, COUNT(fdes)),        \
		     pieces, COUNT(pieces))

START_TEST(what_no_symbol_claims_is_called_by_its_section)
{
	const struct named named[] = {{0x1010, 0x10, "f", 0}};
	const struct piece pieces[] = {{0x1000, 0x1010, "[.text]"},
				       {0x1010, 0x1020, "f"},
				       {0x1020, 0x2000, "[.text]"},
				       {0x2000, 0x2100, "[.fini]"}};
	CHECK(named, pieces);
}
END_TEST

START_TEST(without_a_size_it_reaches_to_the_next_or_the_end)
{
	const struct named named[] = {
		{0x1000, 0, "f", PRF_RANK_UNSIZED},
		{0x1800, 0, "g", PRF_RANK_UNSIZED},
	};
	const struct piece pieces[] = {{0x1000, 0x1800, "f"},
				       {0x1800, 0x2000, "g"},
				       {0x2000, 0x2100, "[.fini]"}};
	CHECK(named, pieces);
}
END_TEST

START_TEST(a_size_beyond_the_section_ends_with_it)
{
	const struct named named[] = {{0x1000, UINT64_MAX, "f", 0},
				      {0x20f0, UINT64_MAX - 8, "g", 0}};
	const struct piece pieces[] = {{0x1000, 0x2000, "f"},
				       {0x2000, 0x20f0, "[.fini]"},
				       {0x20f0, 0x2100, "g"}};
	CHECK(named, pieces);
}
END_TEST

START_TEST(an_outer_function_goes_on_behind_an_inner_one)
{
	const struct named named[] = {{0x1000, 0x1000, "outer", 0},
				      {0x1100, 0x100, "inner", 0},
				      {0x1140, 0x20, "innermost", 0}};
	const struct piece pieces[] = {
		{0x1000, 0x1100, "outer"},     {0x1100, 0x1140, "inner"},
		{0x1140, 0x1160, "innermost"}, {0x1160, 0x1200, "inner"},
		{0x1200, 0x2000, "outer"},     {0x2000, 0x2100, "[.fini]"}};
	CHECK(named, pieces);
}
END_TEST

START_TEST(of_two_that_overlap_the_later_has_the_text)
{
	const struct named named[] = {{0x1000, 0x180, "f", 0},
				      {0x1100, 0xf00, "g", 0}};
	const struct piece pieces[] = {{0x1000, 0x1100, "f"},
				       {0x1100, 0x2000, "g"},
				       {0x2000, 0x2100, "[.fini]"}};
	CHECK(named, pieces);
}
END_TEST

START_TEST(an_inner_function_without_size_ends_with_the_outer)
{
	const struct named named[] = {
		{0x1000, 0x200, "outer", 0},
		{0x1100, 0, "inner", PRF_RANK_UNSIZED},
	};
	const struct piece pieces[] = {{0x1000, 0x1100, "outer"},
				       {0x1100, 0x1200, "inner"},
				       {0x1200, 0x2000, "[.text]"},
				       {0x2000, 0x2100, "[.fini]"}};
	CHECK(named, pieces);
}
END_TEST

START_TEST(a_label_within_a_function_of_known_size_is_no_function)
{
	const struct named named[] = {
		{0x1000, 0x1000, "f", 0},
		{0x1100, 0, "loop", PRF_RANK_UNSIZED | PRF_RANK_UNTYPED},
	};
	const struct piece pieces[] = {{0x1000, 0x2000, "f"},
				       {0x2000, 0x2100, "[.fini]"}};
	CHECK(named, pieces);
}
END_TEST

/* As NASM has it, whose functions have no size and whose labels the name of the
 * function before their own. */
START_TEST(a_label_named_after_its_function_is_none)
{
	enum { LABEL = PRF_RANK_UNSIZED | PRF_RANK_UNTYPED };
	const struct named named[] = {
		{0x1000, 0, "f", PRF_RANK_UNSIZED},
		{0x1020, 0, "f.loop", LABEL | PRF_RANK_LOCAL},
		{0x1040, 0, "f.end", LABEL | PRF_RANK_LOCAL},
		{0x1080, 0, "g", PRF_RANK_UNSIZED},
		{0x10a0, 0, "f.loop", LABEL | PRF_RANK_LOCAL},
		{0x10c0, 0, "h", PRF_RANK_UNSIZED},
		{0x10e0, 0, "h2", LABEL | PRF_RANK_LOCAL},
		{0x1100, 0, "i", PRF_RANK_UNSIZED},
		{0x1120, 0, "i.cold", PRF_RANK_UNSIZED | PRF_RANK_LOCAL},
	};
	const struct piece pieces[] = {
		{0x1000, 0x1080, "f"},      {0x1080, 0x10a0, "g"},
		{0x10a0, 0x10c0, "f.loop"}, {0x10c0, 0x10e0, "h"},
		{0x10e0, 0x1100, "h2"},     {0x1100, 0x1120, "i"},
		{0x1120, 0x2000, "i.cold"}, {0x2000, 0x2100, "[.fini]"}};
	CHECK(named, pieces);
}
END_TEST

START_TEST(a_label_outside_of_functions_is_one)
{
	const struct named named[] = {
		{0x1000, 0, "start", PRF_RANK_UNSIZED | PRF_RANK_UNTYPED},
		{0x1100, 0xf00, "f", 0},
		{0x2000, 0, "end", PRF_RANK_UNSIZED | PRF_RANK_UNTYPED},
	};
	const struct piece pieces[] = {{0x1000, 0x1100, "start"},
				       {0x1100, 0x2000, "f"},
				       {0x2000, 0x2100, "end"}};
	CHECK(named, pieces);
}
END_TEST

START_TEST(the_unit_that_two_share_is_the_later_ones)
{
	const struct named named[] = {{0x1000, 3, "f", 0},
				      {0x1003, 1, "g", 0},
				      {0x1004, 1, "h", 0},
				      {0x1005, 2, "i", 0}};
	const struct piece pieces[] = {{0x1000, 0x1002, "f"},
				       {0x1002, 0x1004, "g"},
				       {0x1004, 0x1008, "i"},
				       {0x1008, 0x2000, "[.text]"},
				       {0x2000, 0x2100, "[.fini]"}};
	CHECK(named, pieces);
}
END_TEST

/* Each loses to the one behind it. */
static const struct named by_choice[] = {
	{0x1000, 16, "a@plt", PRF_RANK_STUB},
	{0x1000, 16, "local", PRF_RANK_LOCAL},
	{0x1000, 16, "label", PRF_RANK_UNTYPED},
	{0x1000, 0, "unsized", PRF_RANK_UNSIZED},
	{0x1000, 16, "__strong", 2 * PRF_RANK_UNDERSCORE},
	{0x1000, 16, "weak", PRF_RANK_WEAK},
	{0x1000, 16, "longer", 0},
	{0x1000, 16, "zero", 0},
	{0x1000, 16, "name", 0},
};

START_TEST(the_best_name_is_chosen)
{
	for (size_t n = 1; n <= COUNT(by_choice); n++) {
		struct prf_texts texts = make(by_choice, n);

		ck_assert_str_eq(texts.all[0].name, by_choice[n - 1].name);
		prf_texts_free(&texts);
	}
}
END_TEST

START_TEST(the_choice_does_not_depend_on_the_order_in_the_file)
{
	struct named reversed[COUNT(by_choice)];

	for (size_t i = 0; i < COUNT(by_choice); i++)
		reversed[i] = by_choice[COUNT(by_choice) - 1 - i];
	struct prf_texts a = make(by_choice, COUNT(by_choice));
	struct prf_texts b = make(reversed, COUNT(by_choice));
	ck_assert_str_eq(a.all[0].name, b.all[0].name);
	prf_texts_free(&a);
	prf_texts_free(&b);
}
END_TEST

START_TEST(another_name_lends_its_size_to_one_without)
{
	const struct named named[] = {
		{0x1000, 0, "f", PRF_RANK_UNSIZED},
		{0x1000, 0x20, "f_local", PRF_RANK_LOCAL},
	};
	const struct piece pieces[] = {{0x1000, 0x1020, "f"},
				       {0x1020, 0x2000, "[.text]"},
				       {0x2000, 0x2100, "[.fini]"}};
	CHECK(named, pieces);
}
END_TEST

START_TEST(a_symbol_outside_of_every_range_makes_no_piece)
{
	const struct named named[] = {{0, 0x10000, "before", 0},
				      {0x2100, 16, "behind", 0},
				      {UINT64_MAX, 1, "last", 0}};
	const struct piece pieces[] = {{0x1000, 0x2000, "[.text]"},
				       {0x2000, 0x2100, "[.fini]"}};
	CHECK(named, pieces);
}
END_TEST

START_TEST(what_no_symbol_claims_is_cut_by_fdes)
{
	const struct named named[] = {{0x1100, 0x100, "f", 0}};
	struct prf_fde fdes[] = {{0x1000, 0x1040},
				 {0x1040, 0x1080},
				 {0x1200, 0x1280},
				 {0x1300, 0x2000}};
	const struct piece pieces[] = {
		{0x1000, 0x1040, NULL},      {0x1040, 0x1080, NULL},
		{0x1080, 0x1100, "[.text]"}, {0x1100, 0x1200, "f"},
		{0x1200, 0x1280, NULL},      {0x1280, 0x1300, "[.text]"},
		{0x1300, 0x2000, NULL},      {0x2000, 0x2100, "[.fini]"}};
	CHECK_WITH(named, fdes, pieces);
}
END_TEST

START_TEST(an_fde_within_a_function_changes_nothing)
{
	const struct named named[] = {{0x1000, 0x200, "f", 0},
				      {0x1080, 0, "unsized", PRF_RANK_UNSIZED},
				      {0x1200, 0xe00, "g", 0}};
	struct prf_fde fdes[] = {{0x1000, 0x1010},
				 {0x1020, 0x1040},
				 {0x1090, 0x10a0},
				 {0x1180, 0x1280},
				 {0x1f00, 0x2000}};
	const struct piece pieces[] = {{0x1000, 0x1080, "f"},
				       {0x1080, 0x1200, "unsized"},
				       {0x1200, 0x2000, "g"},
				       {0x2000, 0x2100, "[.fini]"}};
	CHECK_WITH(named, fdes, pieces);
}
END_TEST

START_TEST(what_symbols_leave_of_an_fde_is_without_a_name)
{
	const struct named named[] = {{0x1080, 0x20, "f", 0},
				      {0x10f8, 0x10, "g", 0}};
	struct prf_fde fdes[] = {{0x1040, 0x1100}, {0x1100, 0x1200}};
	const struct piece pieces[] = {
		{0x1000, 0x1040, "[.text]"}, {0x1040, 0x1080, NULL},
		{0x1080, 0x10a0, "f"},       {0x10a0, 0x10f8, NULL},
		{0x10f8, 0x1108, "g"},       {0x1108, 0x1200, NULL},
		{0x1200, 0x2000, "[.text]"}, {0x2000, 0x2100, "[.fini]"}};
	CHECK_WITH(named, fdes, pieces);
}
END_TEST

START_TEST(without_a_size_it_reaches_to_the_next_fde)
{
	const struct named named[] = {
		{0x1000, 0, "f", PRF_RANK_UNSIZED},
		{0x1100, 0, "label", PRF_RANK_UNSIZED | PRF_RANK_UNTYPED},
		{0x1200, 0, "g", PRF_RANK_UNSIZED}};
	struct prf_fde fdes[] = {{0x1000, 0x1020},
				 {0x1040, 0x1080},
				 {0x10f0, 0x1110},
				 {0x1180, 0x1200}};
	const struct piece pieces[] = {
		{0x1000, 0x1040, "f"},       {0x1040, 0x1080, NULL},
		{0x1080, 0x10f0, "[.text]"}, {0x10f0, 0x1100, NULL},
		{0x1100, 0x1180, "label"},   {0x1180, 0x1200, NULL},
		{0x1200, 0x2000, "g"},       {0x2000, 0x2100, "[.fini]"}};
	CHECK_WITH(named, fdes, pieces);
}
END_TEST

START_TEST(an_fde_cuts_only_the_code_that_it_begins_in)
{
	struct prf_fde before[] = {{0x800, 0x1800}, {0x1900, 0x2080}};
	struct prf_fde outside[] = {{0x800, 0x1000}, {0x2100, 0x3000}};
	struct prf_fde all[] = {{0, UINT64_MAX - 1}};
	const struct piece pieces[] = {{0x1000, 0x1900, "[.text]"},
				       {0x1900, 0x2000, NULL},
				       {0x2000, 0x2100, "[.fini]"}};
	const struct piece gaps[] = {{0x1000, 0x2000, "[.text]"},
				     {0x2000, 0x2100, "[.fini]"}};

	check_pieces(make_with(NULL, 0, before, 2), pieces, COUNT(pieces));
	check_pieces(make_with(NULL, 0, outside, 2), gaps, COUNT(gaps));
	check_pieces(make_with(NULL, 0, all, 1), gaps, COUNT(gaps));
}
END_TEST

START_TEST(an_fde_does_not_cut_data)
{
	struct prf_range data = {0x1000, 0x2000, "[.rodata]", false};
	const struct prf_layout only_data = {.ranges = &data, .n_ranges = 1};
	struct prf_fde fde = {0x1100, 0x1200};
	const struct prf_fdes fdes = {.all = &fde, .n = 1};
	struct prf_symbols none = {0};
	struct prf_texts texts;

	ck_assert_int_eq(prf_texts_make(&texts, &only_data, &none, &fdes), 0);
	ck_assert_uint_eq(texts.n, 1);
	ck_assert_int_eq(texts.all[0].kind, PRF_TEXT_GAP);
	prf_texts_free(&texts);
}
END_TEST

START_TEST(a_short_gap_is_the_padding_of_the_function_before_it)
{
	const struct named named[] = {{0x1000, 0x11, "f", 0},
				      {0x1020, 0x1, "g", 0},
				      {0x1030, 0x20, "outer", 0},
				      {0x1034, 0x8, "inner", 0},
				      {0x1ff0, 0x4, "last", 0}};
	struct prf_fde fdes[] = {{0x1054, 0x1072}, {0x1080, 0x1ff0}};
	const struct piece pieces[] = {
		{0x1000, 0x1020, "f"},      {0x1020, 0x1030, "g"},
		{0x1030, 0x1034, "outer"},  {0x1034, 0x103c, "inner"},
		{0x103c, 0x1054, "outer"},  {0x1054, 0x1080, NULL},
		{0x1080, 0x1ff0, NULL},     {0x1ff0, 0x2000, "last"},
		{0x2000, 0x2100, "[.fini]"}};
	CHECK_WITH(named, fdes, pieces);
}
END_TEST

START_TEST(a_gap_that_is_not_short_is_nobodys_and_not_in_part)
{
	const struct named named[] = {{0x1000, 0x10, "f", 0},
				      {0x1020, 0xe, "g", 0},
				      {0x103e, 0xfc2, "h", 0}};
	const struct piece pieces[] = {
		{0x1000, 0x1010, "f"}, {0x1010, 0x1020, "[.text]"},
		{0x1020, 0x102e, "g"}, {0x102e, 0x103e, "[.text]"},
		{0x103e, 0x2000, "h"}, {0x2000, 0x2100, "[.fini]"}};
	CHECK(named, pieces);
}
END_TEST

START_TEST(what_a_section_begins_with_is_not_the_padding_of_another)
{
	const struct named named[] = {{0x1008, 0xff8, "f", 0},
				      {0x2004, 0xfc, "g", 0}};
	const struct piece pieces[] = {{0x1000, 0x1008, "[.text]"},
				       {0x1008, 0x2000, "f"},
				       {0x2000, 0x2004, "[.fini]"},
				       {0x2004, 0x2100, "g"}};
	CHECK(named, pieces);
}
END_TEST

/* The definition, done by hand for each unit: the last of those that have
 * begun and not ended. */
static const char *
owner_of(const struct named *named, size_t n, uint64_t vaddr)
{
	const struct named *owner = NULL;

	for (size_t i = 0; i < n; i++) {
		uint64_t lo = named[i].vaddr & ~(uint64_t)1;
		uint64_t end = named[i].vaddr + named[i].size;

		if (vaddr >= lo && vaddr < end + (end & 1) &&
		    (!owner || named[i].vaddr > owner->vaddr))
			owner = &named[i];
	}
	return owner ? owner->name : "[.text]";
}

/* Whether one of FDES holds VADDR. */
static bool
fde_holds(const struct prf_fde *fdes, size_t n, uint64_t vaddr)
{
	for (size_t i = 0; i < n; i++)
		if (vaddr >= fdes[i].lo && vaddr < fdes[i].hi)
			return true;
	return false;
}

enum { N_RANDOM = 24, N_UNITS = 0x1000 / 2 };

/* 2 bytes of text. */
struct unit {
	const char *name;
	bool is_unnamed; /* an FDE's */
};

static bool
is_gap(const struct unit *unit)
{
	return unit->name[0] == '[' && !unit->is_unnamed;
}

/* From 0x1000 on. */
static void
find_owners(struct unit *units, const struct named *named,
	    const struct prf_fde *fdes)
{
	for (size_t i = 0; i < N_UNITS; i++) {
		uint64_t vaddr = 0x1000 + 2 * i;
		const char *name = owner_of(named, N_RANDOM, vaddr);

		units[i].name = name;
		units[i].is_unnamed =
			name[0] == '[' && fde_holds(fdes, N_RANDOM, vaddr);
	}
}

/* Short gaps become what is before them. */
static void
give_padding(struct unit *units)
{
	for (size_t lo = 1, hi; lo < N_UNITS; lo = hi) {
		for (hi = lo; hi < N_UNITS && is_gap(&units[hi]); hi++)
			;
		if (hi - lo < 16 / 2 && !is_gap(&units[lo - 1]))
			for (size_t i = lo; i < hi; i++)
				units[i] = units[lo - 1];
		hi += hi == lo;
	}
}

START_TEST(random_symbols_partition_the_text)
{
	static const char *const names[N_RANDOM] = {
		"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l",
		"m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x"};
	struct named named[N_RANDOM];
	struct prf_fde fdes[N_RANDOM];
	static struct unit units[N_UNITS];

	srand((unsigned)_i);
	for (size_t i = 0; i < N_RANDOM; i++) {
		fdes[i].lo = (i ? fdes[i - 1].hi : 0x1000) +
			     2 * (uint64_t)(rand() % (rand() % 2 ? 4 : 12));
		fdes[i].hi = fdes[i].lo + 2 + 2 * (uint64_t)(rand() % 8);
	}
	for (size_t i = 0; i < N_RANDOM; i++) {
		named[i] = (struct named){
			.vaddr = 0x1000 + (uint64_t)i * 5 +
				 (uint64_t)(rand() % 5),
			.size = 1 + (uint64_t)(rand() % (rand() % 2 ? 8 : 90)),
			.name = names[i],
		};
	}
	find_owners(units, named, fdes);
	give_padding(units);
	struct prf_texts texts = make_with(named, N_RANDOM, fdes, N_RANDOM);
	uint64_t at = 0x1000;
	for (size_t i = 0; i < texts.n && at < 0x2000; i++) {
		const struct prf_text *text = &texts.all[i];

		ck_assert_uint_eq(text->lo, at);
		ck_assert_uint_lt(text->lo, text->hi);
		ck_assert_uint_eq(text->hi % 2, 0);
		for (; at < text->hi; at += 2) {
			const struct unit *unit = &units[(at - 0x1000) / 2];

			ck_assert_str_eq(text->name, unit->name);
			ck_assert_int_eq(text->kind == PRF_TEXT_UNNAMED,
					 unit->is_unnamed);
			ck_assert_uint_eq(prf_texts_at(&texts, at + 1), i);
		}
	}
	ck_assert_uint_eq(at, 0x2000);
	prf_texts_free(&texts);
}
END_TEST

START_TEST(outside_of_all_text_there_is_no_piece)
{
	struct prf_texts texts = make(NULL, 0);

	ck_assert_uint_eq(prf_texts_at(&texts, 0xfff), (size_t)-1);
	ck_assert_uint_eq(prf_texts_at(&texts, 0x1000), 0);
	ck_assert_uint_eq(prf_texts_at(&texts, 0x20ff), 1);
	ck_assert_uint_eq(prf_texts_at(&texts, 0x2100), (size_t)-1);
	prf_texts_free(&texts);
}
END_TEST

START_TEST(names_longer_than_is_believed_are_refused)
{
	struct prf_symbols symbols = {0};
	size_t size = 1 << 20;
	char *name = malloc(size + 1);
	int rc = 0, n;

	memset(name, 'x', size);
	name[size] = '\0';
	for (n = 0; n < 1000 && rc == 0; n++)
		rc = prf_symbols_add(&symbols,
				     &(struct prf_symbol){.name = name});
	ck_assert_int_eq(rc, -E2BIG);
	ck_assert_int_gt(n, 100);
	prf_symbols_free(&symbols);
	free(name);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("texts");
	TCase *tcase = tcase_create("texts");

	tcase_add_test(tcase, what_no_symbol_claims_is_called_by_its_section);
	tcase_add_test(tcase, without_a_size_it_reaches_to_the_next_or_the_end);
	tcase_add_test(tcase, a_size_beyond_the_section_ends_with_it);
	tcase_add_test(tcase, an_outer_function_goes_on_behind_an_inner_one);
	tcase_add_test(tcase, of_two_that_overlap_the_later_has_the_text);
	tcase_add_test(tcase,
		       an_inner_function_without_size_ends_with_the_outer);
	tcase_add_test(tcase,
		       a_label_within_a_function_of_known_size_is_no_function);
	tcase_add_test(tcase, a_label_named_after_its_function_is_none);
	tcase_add_test(tcase, a_label_outside_of_functions_is_one);
	tcase_add_test(tcase, the_unit_that_two_share_is_the_later_ones);
	tcase_add_test(tcase, the_best_name_is_chosen);
	tcase_add_test(tcase,
		       the_choice_does_not_depend_on_the_order_in_the_file);
	tcase_add_test(tcase, another_name_lends_its_size_to_one_without);
	tcase_add_test(tcase, a_symbol_outside_of_every_range_makes_no_piece);
	tcase_add_test(tcase, what_no_symbol_claims_is_cut_by_fdes);
	tcase_add_test(tcase, an_fde_within_a_function_changes_nothing);
	tcase_add_test(tcase, what_symbols_leave_of_an_fde_is_without_a_name);
	tcase_add_test(tcase, without_a_size_it_reaches_to_the_next_fde);
	tcase_add_test(tcase, an_fde_cuts_only_the_code_that_it_begins_in);
	tcase_add_test(tcase, an_fde_does_not_cut_data);
	tcase_add_test(tcase,
		       a_short_gap_is_the_padding_of_the_function_before_it);
	tcase_add_test(tcase,
		       a_gap_that_is_not_short_is_nobodys_and_not_in_part);
	tcase_add_test(
		tcase,
		what_a_section_begins_with_is_not_the_padding_of_another);
	tcase_add_loop_test(tcase, random_symbols_partition_the_text, 0, 200);
	tcase_add_test(tcase, outside_of_all_text_there_is_no_piece);
	tcase_add_test(tcase, names_longer_than_is_believed_are_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
