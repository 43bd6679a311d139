#include "image/xz.h"
#include "support/suite.h"

#include <string.h>

#define HEAD                                                                   \
	"\xfd"                                                                 \
	"7zXZ\0\0\1????"
/* A block header of 12 bytes: no sizes, one filter, LZMA2. */
#define BLOCK "\2\0\x21\1\x16\0\0\0????"
/* The same behind an x86 filter, and with both sizes. */
#define BLOCK_X86 "\2\1\4\0\x21\1\x16\0????"
#define BLOCK_SIZES "\2\xc0\x80\1\x80\2\x21\1\x16\0\0\0"
/* Chunks: 3 bytes as they are; 0x2abcd bytes packed into 4, with properties
 * before them; the end. */
#define PLAIN "\1\0\2abc"
#define PACKED "\xe2\xab\xcc\0\3pwxyz"
#define END "\0"
#define CRC "????"

static const struct {
	const char *bytes;
	size_t size;
	bool good;
	uint64_t holds;
} streams[] = {
#define STREAM(text, good, holds)                                              \
	{                                                                      \
		text, sizeof(text) - 1, good, holds                            \
	}
	STREAM(HEAD "\0", true, 0),
	STREAM(HEAD BLOCK PLAIN END "\0" CRC "\0", true, 3),
	STREAM(HEAD BLOCK PACKED END "\0" CRC "\0", true, 0x2abcd),
	STREAM(HEAD BLOCK_X86 PLAIN END "\0" CRC "\0", true, 3),
	STREAM(HEAD BLOCK_SIZES PLAIN END "\0" CRC "\0", true, 3),
	STREAM(HEAD BLOCK PLAIN PLAIN PACKED END "\0" CRC BLOCK PLAIN END
						 "\0" CRC "\0",
	       true, 0x2abcd + 9),
	STREAM("", false, 0),
	STREAM(HEAD, false, 0),
	STREAM("\x1f\x8b"
	       "7zXZ\0\0\1????\0",
	       false, 0),
	STREAM(HEAD BLOCK PLAIN, false, 0),
	STREAM(HEAD BLOCK "\5\0\2abc" END, false, 0),
	STREAM(HEAD "\2\0\3\1\x16\0\0\0????" PLAIN END, false, 0),
	STREAM(HEAD "\xff\0", false, 0),
};

START_TEST(a_stream_tells_how_much_it_holds)
{
	uint64_t size;

	ck_assert_int_eq(prf_xz_size((const uint8_t *)streams[_i].bytes,
				     streams[_i].size, &size),
			 streams[_i].good);
	if (streams[_i].good)
		ck_assert_uint_eq(size, streams[_i].holds);
}
END_TEST

START_TEST(a_stream_that_is_cut_tells_nothing)
{
	/* The NUL that ends the string is the index. */
	static const char stream[] = HEAD BLOCK PLAIN PACKED END "\0\0\0" CRC;
	uint64_t size;

	for (size_t cut = 0; cut <= sizeof stream; cut++) {
		uint8_t copy[sizeof stream];

		memcpy(copy, stream, cut);
		ck_assert_int_eq(prf_xz_size(copy, cut, &size),
				 cut == sizeof stream);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("xz");
	TCase *tcase = tcase_create("xz");

	tcase_add_loop_test(tcase, a_stream_tells_how_much_it_holds, 0,
			    (int)(sizeof streams / sizeof *streams));
	tcase_add_test(tcase, a_stream_that_is_cut_tells_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
