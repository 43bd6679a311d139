/* sprofil(2) of HP-UX: 32-bit counters for the program, one for each 4 bytes,
 * and one for all that is elsewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/profil.h>

#include "work.h"

#define ONE 0x10000
#define BYTES_EACH 4

int
main(void)
{
	size_t offset = (size_t)__executable_start;
	size_t n = ((size_t)etext - offset) / BYTES_EACH + 1;
	unsigned int *text = calloc(n, sizeof *text), elsewhere = 0;
	struct prof prof[2];
	struct timeval tick;

	if (text == NULL)
		return 1;
	prof[0].pr_base = text;
	prof[0].pr_size = (unsigned int)(n * sizeof *text);
	prof[0].pr_offset = __executable_start;
	prof[0].pr_scale = ONE;
	prof[1].pr_base = &elsewhere;
	prof[1].pr_size = sizeof elsewhere;
	prof[1].pr_offset = NULL;
	prof[1].pr_scale = 2;
	if (sprofil(prof, 2, &tick, PROF_UINT) == -1) {
		perror("sprofil");
		return 1;
	}
	work();
	if (sprofil(prof, 0, NULL, 0) == -1) {
		perror("sprofil");
		return 1;
	}
	printf("ticks of %ld us, %u elsewhere\n", (long)tick.tv_usec,
	       elsewhere);
	return write_counters("gmon.out", text, n, sizeof *text, offset,
			      BYTES_EACH) < 0;
}
