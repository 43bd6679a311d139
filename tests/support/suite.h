/* suite.h - a unit test program is one suite: main is here, once. */
#ifndef PRF_TESTS_SUITE_H
#define PRF_TESTS_SUITE_H

#include <check.h>

/* AddressSanitizer makes frames of functions larger, and its allocator does not
 * return without memory: it ends the test. */
#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

/* At each assertion Check writes to a file where the test is, should it crash
 * next.  In a loop that takes longer than what is asserted: a line among those
 * that were told of last is not told of again. */
static inline void
prf_suite_mark(const char *file, int line)
{
	enum { N_RECENT = 16 };
	static _Thread_local int recent[N_RECENT];
	static _Thread_local unsigned n;

	for (unsigned i = 0; i < N_RECENT; i++)
		if (recent[i] == line)
			return;
	recent[n++ % N_RECENT] = line;
	_mark_point(file, line);
}
#define _mark_point(file, line) prf_suite_mark(file, line)

/* Every test program defines this. */
Suite *prf_suite(void);

/* Ends a test that cannot be made here, because of WHY.  The program has passed if
 * its other tests have; if there are none, it is skipped. */
_Noreturn void prf_skip(const char *why);

/* The path of a file below tests/, in the source tree; static storage, good
 * until the next call. */
const char *prf_test_file(const char *name);

#endif
