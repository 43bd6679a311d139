/* profil(2) of FreeBSD: samples are addressed as char, and 65536 is the scale
 * of one 16-bit counter for each 2 bytes of text. */
#define PRF_DIALECT_FREEBSD
#include <err.h>
#include <stdlib.h>
#include <unistd.h>

#include "work.h"

int
main(void)
{
	vm_offset_t offset = (vm_offset_t)__executable_start;
	size_t size = ((size_t)etext - offset + 1) & ~(size_t)1;
	char *samples = calloc(size, 1);

	if (samples == NULL)
		err(1, NULL);
	if (profil(samples, size, offset, 65536) == -1)
		err(1, "profil");
	work();
	if (profil(samples, size, offset, 0) == -1)
		err(1, "profil");
	return write_counters("gmon.out", samples, size / 2, 2, offset, 2) < 0;
}
