/* pcsample(2) of Solaris: the pcs themselves, until the array is full. */
#include <pcsample.h>
#include <stdio.h>

#include "work.h"

#define NSAMPLES 1000

int
main(void)
{
	static uintptr_t samples[NSAMPLES];
	long n;

	if (pcsample(samples, NSAMPLES) == -1) {
		perror("pcsample");
		return 1;
	}
	work();
	n = pcsample(samples, 0);
	if (n == -1) {
		perror("pcsample");
		return 1;
	}
	printf("%ld samples\n", n);
	return write_pcs("gmon.out", samples, (size_t)n) < 0;
}
