/* in_first - a library for dlopened: takes TURNS of work. */
#include "work.h"

void in_first(uint64_t turns);

APART void
in_first(uint64_t turns)
{
	spend(turns, 1);
}
