#include "core/counter.h"

#include "core/region.h"

static uint64_t
at_most(uint64_t ticks, uint64_t limit)
{
	return ticks < limit ? ticks : limit;
}

/* Counts what fits below LIMIT. */
static struct prf_counter_result
fill(uint64_t counter, uint64_t ticks, uint64_t limit)
{
	uint64_t room = counter < limit ? limit - counter : 0;
	uint64_t counted = at_most(ticks, room);

	return (struct prf_counter_result){
		.counter = counter + counted,
		.lost = ticks - counted,
	};
}

static struct prf_counter_result
stop_at(uint64_t counter, uint64_t ticks, uint64_t half)
{
	struct prf_counter_result result = fill(counter, ticks, half);

	result.stop = result.counter >= half;
	return result;
}

static struct prf_counter_result
stop_past(uint64_t counter, uint64_t ticks, uint64_t half)
{
	if (counter > half || ticks > half - counter)
		return (struct prf_counter_result){counter, ticks, true};
	return (struct prf_counter_result){.counter = counter + ticks};
}

struct prf_counter_result
prf_counter_add(uint64_t counter, uint64_t ticks, unsigned width_bytes,
		enum prf_full_rule rule)
{
	if (ticks == 0 || !prf_width_is_valid(width_bytes))
		return (struct prf_counter_result){counter, ticks, false};

	uint64_t max = UINT64_MAX >> (64 - 8 * width_bytes);
	if (counter > max)
		return (struct prf_counter_result){counter, ticks, false};

	switch (rule) {
	case PRF_FULL_WRAP:
		return (struct prf_counter_result){
			.counter = (counter + ticks) & max};
	case PRF_FULL_STOP_AT_HALF:
		return stop_at(counter, ticks, max / 2);
	case PRF_FULL_STOP_PAST_HALF:
		return stop_past(counter, ticks, max / 2);
	case PRF_FULL_STAY:
		break;
	}
	return fill(counter, ticks, max);
}
