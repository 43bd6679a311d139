#include "view/table/clones.h"

#include <string.h>

size_t
prf_clones_name_bytes(const char *name)
{
	static const char *const marks[] = {
		" [clone",    ".constprop.", ".isra.", ".part.",
		".lto_priv.", ".llvm.",      ".cold",
	};
	size_t n = strlen(name);

	if (!n)
		return 0;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		const char *mark = strstr(name + 1, marks[i]);

		if (mark && (size_t)(mark - name) < n)
			n = (size_t)(mark - name);
	}
	return n;
}
