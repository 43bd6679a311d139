/* A gmon.out and behind it its list of symbols: whatever becomes a profile and
 * is written again must be read as the same. */
#include <string.h>

#include "fuzz/fuzz.h"
#include "fuzz/rewritten.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	static const char head[] = "# gmon.syms 1\n";
	char *syms =
		n_bytes ? memmem(bytes, n_bytes, head, strlen(head)) : NULL;
	size_t n_gmon = syms ? (size_t)(syms - (char *)bytes) : n_bytes;
	const struct prf_rewritten_files files = {
		(char *)bytes, syms, n_gmon, n_bytes - n_gmon, {0, 0}};

	for (int times = 1; times <= 2; times++) {
		struct prf_profile *profile =
			prf_rewritten_read(&files, NULL, times);

		if (profile)
			prf_rewritten_check(profile, times == 1);
		prf_profile_free(profile);
	}
	return 0;
}
