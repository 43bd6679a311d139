/* profil(2) of System V Release 4: a 16-bit counter for each 8 bytes of text,
 * which is what cc -p does with a scale of 040000. */
#define PRF_DIALECT_SVR4
#include <stdlib.h>
#include <unistd.h>

#include "work.h"

#define SCALE 040000
#define BYTES_EACH 8

int
main(void)
{
	size_t offset = (size_t)__executable_start;
	size_t n = ((size_t)etext - offset) / BYTES_EACH + 1;
	unsigned short *buff = calloc(n, sizeof *buff);

	if (buff == NULL)
		return 1;
	profil(buff, n * sizeof *buff, offset, SCALE);
	work();
	profil(NULL, 0, 0, 0);
	return write_counters("gmon.out", buff, n, sizeof *buff, offset,
			      BYTES_EACH) < 0;
}
