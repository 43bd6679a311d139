#include <string.h>

#include "core/dialect.h"
#include "core/gmon.h"
#include "core/gmon_read.h"
#include "core/hist.h"
#include "core/pcsample.h"
#include "core/pctrace.h"
#include "core/rawsamples.h"
#include "core/region.h"
#include "core/sample.h"
#include "core/table.h"
#include "inproc/profil.h"
#include "support/suite.h"

/* As programs have been compiled with them, where a pointer has 8 bytes.  What is
 * new goes where a structure has room, and its size stays. */
static const struct {
	const char *name;
	size_t is, was;
} sizes[] = {
#define SIZE(name, was)                                                        \
	{                                                                      \
#name, sizeof(struct name), was                                \
	}
	SIZE(prf_dialect, 56),
	SIZE(prf_error, 512),
	SIZE(prf_exec, 88),
	SIZE(prf_figure, 16),
	SIZE(prf_frame, 16),
	SIZE(prf_gmon_hint, 8),
	SIZE(prf_gmon_target, 48),
	SIZE(prf_hist_stats, 48),
	SIZE(prf_hit, 24),
	SIZE(prf_life, 64),
	SIZE(prf_losses, 48),
	SIZE(prf_mapping, 104),
	SIZE(prf_pcsample, 16),
	SIZE(prf_pctrace_info, 104),
	SIZE(prf_pctrace_report, 656),
	SIZE(prf_profil_state, 96),
	SIZE(prf_rawsamples_stats, 40),
	SIZE(prf_region, 32),
	SIZE(prf_sample, 80),
	SIZE(prf_sink, 8),
	SIZE(prf_sink_ops, 72),
	SIZE(prf_span, 16),
	SIZE(prf_table_hit, 24),
};

START_TEST(a_structure_of_programs_keeps_its_size)
{
	if (sizeof(void *) != 8)
		return;
	ck_assert_msg(sizes[_i].is == sizes[_i].was, "%s: %zu bytes, not %zu",
		      sizes[_i].name, sizes[_i].is, sizes[_i].was);
}
END_TEST

/* What the library fills in has it, too. */
START_TEST(the_room_is_zero)
{
	struct prf_profil_state state;

	memset(&state, 0xff, sizeof state);
	prf_profil_state(&state);
	ck_assert_uint_eq(state.later[0] | state.later[1], 0);
	for (const struct prf_dialect *const *dialect = prf_dialects();
	     *dialect; dialect++)
		ck_assert_uint_eq((*dialect)->later[0] | (*dialect)->later[1],
				  0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("sizes");
	TCase *tcase = tcase_create("core");

	tcase_add_loop_test(tcase, a_structure_of_programs_keeps_its_size, 0,
			    (int)(sizeof sizes / sizeof *sizes));
	tcase_add_test(tcase, the_room_is_zero);
	suite_add_tcase(suite, tcase);
	return suite;
}
