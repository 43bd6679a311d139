#include "core/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int
prf_error_set(struct prf_error *err, int code, const char *fmt, ...)
{
	if (!err)
		return code;

	va_list args;
	int saved_errno = errno;
	va_start(args, fmt);
	vsnprintf(err->text, sizeof err->text, fmt, args);
	va_end(args);
	errno = saved_errno;

	for (char *c = err->text; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	err->code = code;
	return code;
}
