#include "view/pprof/pprof_unit.h"

#include <errno.h>
#include <stdio.h>

enum { SECOND_NS = 1000000000 };

static const struct {
	const char *name;
	uint32_t rate_hz;
} times[] = {
	{"nanoseconds", SECOND_NS},
	{"microseconds", 1000000},
	{"milliseconds", 1000},
	{"seconds", 1},
};

/* How many of string UNIT are a second; 0: it is no time. */
static uint32_t
rate_of(const struct prf_pprof_message *message, size_t unit)
{
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (prf_pprof_message_is(message, unit, times[i].name))
			return times[i].rate_hz;
	return 0;
}

/* How many periods are a second; 0: not known, or not one. */
static uint32_t
periods_of(const struct prf_pprof_message *message)
{
	uint32_t rate_hz = message->has_period && message->period > 0
				   ? rate_of(message, message->period_type.unit)
				   : 0;
	double periods = (double)rate_hz / (double)message->period;

	return rate_hz && periods < UINT32_MAX ? (uint32_t)(periods + 0.5) : 0;
}

/* The type that is called NAME and fits IS_TIME; NONE. */
static size_t
find_type(const struct prf_pprof_message *message, const char *name,
	  bool is_time)
{
	size_t i = 0, n = message->type_list.n;

	while (i < n &&
	       (!prf_pprof_message_is(message, message->types[i].type, name) ||
		(rate_of(message, message->types[i].unit) != 0) != is_time))
		i++;
	return i < n ? i : PRF_PPROF_NONE;
}

/* The default, or the last, if it is a time; NONE. */
static size_t
find_default(const struct prf_pprof_message *message)
{
	size_t value = message->type_list.n - 1;

	for (size_t i = 0; message->default_type && i < message->type_list.n;
	     i++)
		if (message->types[i].type == message->default_type)
			value = i;
	return rate_of(message, message->types[value].unit) ? value
							    : PRF_PPROF_NONE;
}

static size_t
find_time(const struct prf_pprof_message *message)
{
	static const char *const names[] = {"cpu", "wall"};
	size_t value = PRF_PPROF_NONE;

	for (size_t i = 0; value == PRF_PPROF_NONE && i < 2; i++)
		value = find_type(message, names[i], true);
	return value == PRF_PPROF_NONE ? find_default(message) : value;
}

/* What its time is; NULL: it does not tell. */
static const char *
clock_of(const struct prf_pprof_message *message)
{
	return find_type(message, "cpu", true) != PRF_PPROF_NONE    ? "cpu"
	       : find_type(message, "wall", true) != PRF_PPROF_NONE ? "wall"
								    : NULL;
}

static int
refuse(const struct prf_pprof_message *message, struct prf_error *err)
{
	const struct prf_pprof_type *type =
		&message->types[message->type_list.n - 1];
	const struct prf_pprof_text *name = &message->strings[type->type];
	const struct prf_pprof_text *unit = &message->strings[type->unit];

	return prf_error_set(err, -EINVAL,
			     "tells of no time, but of %.*s (%.*s)",
			     (int)(name->n < 64 ? name->n : 64), name->bytes,
			     (int)(unit->n < 64 ? unit->n : 64), unit->bytes);
}

int
prf_pprof_unit_of(const struct prf_pprof_message *message,
		  struct prf_pprof_unit *unit, struct prf_error *err)
{
	*unit = (struct prf_pprof_unit){
		.value = find_type(message, "samples", false),
		.unit = {.rate_hz = periods_of(message),
			 .dimension = "seconds",
			 .abbreviation = 's'},
		.clock = clock_of(message),
		.sample_ticks = 1,
	};
	if (unit->value != PRF_PPROF_NONE && unit->unit.rate_hz)
		return 0;
	unit->value = find_time(message);
	if (unit->value == PRF_PPROF_NONE)
		return refuse(message, err);
	uint32_t rate_hz = rate_of(message, message->types[unit->value].unit);
	/* Each unit of time is a tick, and a sample is many. */
	if (unit->unit.rate_hz)
		unit->sample_ticks = (double)rate_hz / unit->unit.rate_hz;
	unit->unit.rate_hz = rate_hz;
	return 0;
}
