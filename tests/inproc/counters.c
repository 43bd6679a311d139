#include "inproc/counters.h"

#include <string.h>

#include "core/table.h"

uint64_t
counter_at(const char *at, unsigned width)
{
	uint64_t counter = 0;

	memcpy(&counter, at, width);
	return counter;
}

unsigned
counter_flags(unsigned width)
{
	return width == 2   ? PRF_TABLE_USHORT
	       : width == 4 ? PRF_TABLE_UINT
			    : PRF_TABLE_UINT64;
}
