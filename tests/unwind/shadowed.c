/* A small program of many kinds of calls; it is stepped through. */
#include <alloca.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __ARM_FEATURE_SVE
#include <arm_sve.h>
#endif

#define APART __attribute__((noinline))

static volatile unsigned kept;

APART static unsigned
leaf(unsigned n)
{
	return n * 2654435761u ^ n >> 7;
}

APART static unsigned
recurse(unsigned depth)
{
	unsigned here = leaf(depth);

	return depth == 0 ? here : recurse(depth - 1) + here;
}

APART static unsigned
with_array(unsigned n)
{
	unsigned all[40];

	for (unsigned i = 0; i < 40; i++)
		all[i] = leaf(i + n);
	return all[n % 40] + recurse(n % 5);
}

APART static unsigned
with_alloca(unsigned n)
{
	char *room = alloca(n % 200 + 16);

	memset(room, (int)n, n % 200 + 16);
	return (unsigned char)room[n % 16] + leaf(n);
}

APART static unsigned
choose(unsigned which)
{
	switch (which) {
	case 0:
		return leaf(1) + 1;
	case 1:
		return recurse(2) * 3;
	case 2:
		return with_array(which) ^ 5;
	case 3:
		return with_alloca(which) - 7;
	case 4:
		return leaf(leaf(which));
	case 5:
		kept++;
		return which;
	default:
		return recurse(which % 4) + leaf(which);
	}
}

APART static unsigned
sum_of(unsigned n, ...)
{
	unsigned sum = 0;
	va_list all;

	va_start(all, n);
	while (n-- > 0)
		sum += leaf(va_arg(all, unsigned));
	va_end(all);
	return sum;
}

APART static double
with_doubles(double x, unsigned n)
{
	double y = x;

	while (n-- > 0) {
		y = y * 0.5 + (double)leaf(n);
		if (y > 1e6)
			y -= (double)choose(n % 8);
	}
	return y;
}

/* A frame that keeps vectors, whose length the processor has, over calls. */
APART static unsigned
with_vectors(unsigned n)
{
#ifdef __ARM_FEATURE_SVE
	svuint32_t all = svindex_u32(n, 3);

	__asm__ volatile("" : "+w"(all) : : "memory"); /* before the call */
	unsigned here = (unsigned)atoi("11") + recurse(n % 3);
	all = svadd_u32_x(svptrue_b32(), all, svdup_u32(here));
	return (unsigned)svaddv_u32(svptrue_b32(), all);
#else
	return n;
#endif
}

static int
compare(const void *left, const void *right)
{
	unsigned a = leaf(*(const unsigned *)left);
	unsigned b = leaf(*(const unsigned *)right);

	return (a > b) - (a < b);
}

static unsigned (*const table[])(unsigned) = {leaf, recurse, with_array,
					      with_alloca, choose};

int
main(void)
{
	unsigned numbers[30];
	char text[80];

	for (unsigned i = 0; i < 30; i++) {
		numbers[i] = table[i % 5](i % 9);
		kept += choose(i % 8) + with_vectors(i);
	}
	qsort(numbers, 30, sizeof *numbers, compare);
	kept += sum_of(3, numbers[0], numbers[1], kept);
	kept += (unsigned)with_doubles(kept, 20);
	char *copy = strdup("a string of its own");
	snprintf(text, sizeof text, "%u %s %.3f", kept, copy, 0.1 * kept);
	free(copy);
	puts(text);
	return 0;
}
