/* in_second - a library for dlopened, as large as in_first. */
#include "work.h"

void in_second(uint64_t turns);

APART void
in_second(uint64_t turns)
{
	spend(turns, 2);
}
