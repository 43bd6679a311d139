#include "image/vdso.h"
#include "support/suite.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

START_TEST(it_is_what_maps_has)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long lo = 0, hi = 0;
	char line[512];
	size_t size;
	const void *vdso = prf_vdso(&size);

	ck_assert_ptr_nonnull(maps);
	while (fgets(line, sizeof line, maps))
		if (strstr(line, "[vdso]"))
			ck_assert_int_eq(sscanf(line, "%lx-%lx", &lo, &hi), 2);
	fclose(maps);
	ck_assert_uint_eq((uintptr_t)vdso, lo);
	ck_assert_uint_eq(size, hi - lo);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("vdso");
	TCase *tcase = tcase_create("vdso");

	tcase_add_test(tcase, it_is_what_maps_has);
	suite_add_tcase(suite, tcase);
	return suite;
}
