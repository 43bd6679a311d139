#include "src/options/rate.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define DIGITS "0123456789"

static const struct unit {
	const char *name;
	uint64_t ns;
} units[] = {
	{"s", 1000000000},
	{"ms", 1000000},
	{"us", 1000},
};

int
prf_rate_parse_hz(const char *text, uint64_t *rate_hz, struct prf_error *err)
{
	size_t n = strspn(text, DIGITS);
	uint64_t value = 0;

	if (n == 0 || n > 18 || text[n])
		return prf_error_set(err, -EINVAL, "not a whole number");
	for (size_t i = 0; i < n; i++)
		value = value * 10 + (uint64_t)(text[i] - '0');
	*rate_hz = value;
	return 0;
}

static const struct unit *
unit_of(const char *name)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].name, name) == 0)
			return &units[i];
	return NULL;
}

int
prf_rate_parse_time(const char *text, uint64_t max_s, uint64_t *time_ns,
		    struct prf_error *err)
{
	size_t n_whole = strspn(text, DIGITS);
	const char *fraction = text + n_whole + (text[n_whole] == '.');
	size_t n_fraction = text[n_whole] == '.' ? strspn(fraction, DIGITS) : 0;
	const char *unit_name = fraction + n_fraction;
	const struct unit *unit = unit_of(unit_name);

	if (n_whole + n_fraction == 0)
		return prf_error_set(err, -EINVAL, "not a time");
	if (!*unit_name)
		return prf_error_set(err, -EINVAL, "a time without its unit");
	if (!unit)
		return prf_error_set(err, -EINVAL, "not a time");

	uint64_t max = max_s * (UINT64_C(1000000000) / unit->ns);
	uint64_t whole = 0, ns = 0, weight = unit->ns / 10;
	for (size_t i = 0; i < n_whole; i++) {
		whole = whole * 10 + (uint64_t)(text[i] - '0');
		if (whole > max)
			return prf_error_set(err, -EINVAL, "too long");
	}
	for (size_t i = 0; i < n_fraction; i++, weight /= 10)
		ns += weight * (uint64_t)(fraction[i] - '0');
	*time_ns = whole * unit->ns + ns;
	return 0;
}
