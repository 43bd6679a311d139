#include "core/dialect.h"

#include <stddef.h>
#include <string.h>

static const struct prf_dialect svr4 = {
	.name = "svr4",
	.rounding = PRF_ROUND_BYTES_FIRST,
	.scale_1 = PRF_SCALE_OFF,
	.scale_2 = PRF_SCALE_FORMULA,
	.scale_max = UINT32_MAX,
	.full = PRF_FULL_STAY, /* the text is silent */
	.list = PRF_LIST_STRICT,
};

const struct prf_dialect *
prf_dialect_svr4(void)
{
	return &svr4;
}

static const struct prf_dialect solaris = {
	.name = "solaris",
	.rounding = PRF_ROUND_BYTES_FIRST,
	.scale_1 = PRF_SCALE_OFF,
	.scale_2 = PRF_SCALE_FORMULA,
	.scale_max = UINT32_MAX,
	.full = PRF_FULL_STOP_AT_HALF,
	.list = PRF_LIST_STRICT,
};

const struct prf_dialect *
prf_dialect_solaris(void)
{
	return &solaris;
}

static const struct prf_dialect solaris_kernel = {
	.name = "solaris-kernel",
	.rounding = PRF_ROUND_BYTES_FIRST,
	.scale_1 = PRF_SCALE_OFF,
	.scale_2 = PRF_SCALE_FIRST,
	.scale_max = UINT32_MAX,
	.full = PRF_FULL_STOP_PAST_HALF,
	.list = PRF_LIST_STRICT,
};

const struct prf_dialect *
prf_dialect_solaris_kernel(void)
{
	return &solaris_kernel;
}

static const struct prf_dialect freebsd = {
	.name = "freebsd",
	.rounding = PRF_ROUND_HALVE_FIRST,
	.scale_1 = PRF_SCALE_FORMULA,
	.scale_2 = PRF_SCALE_FORMULA,
	.scale_max = 0x10000,
	.full = PRF_FULL_WRAP,
	.list = PRF_LIST_STRICT,
	.buffer_is_checked = true,
};

const struct prf_dialect *
prf_dialect_freebsd(void)
{
	return &freebsd;
}

static const struct prf_dialect freebsd_kernel = {
	.name = "freebsd-kernel",
	.rounding = PRF_ROUND_BYTES_FIRST,
	.scale_1 = PRF_SCALE_FORMULA,
	.scale_2 = PRF_SCALE_FORMULA,
	.scale_max = 0x10000,
	.full = PRF_FULL_WRAP,
	.list = PRF_LIST_STRICT,
};

const struct prf_dialect *
prf_dialect_freebsd_kernel(void)
{
	return &freebsd_kernel;
}

static const struct prf_dialect hpux = {
	.name = "hpux",
	.rounding = PRF_ROUND_BYTES_FIRST,
	.scale_1 = PRF_SCALE_OFF,
	.scale_2 = PRF_SCALE_FORMULA,
	.scale_max = UINT32_MAX,
	.full = PRF_FULL_STAY,
	.list = PRF_LIST_STRICT,
};

const struct prf_dialect *
prf_dialect_hpux(void)
{
	return &hpux;
}

static const struct prf_dialect lenient = {
	.name = "lenient",
	.rounding = PRF_ROUND_BYTES_FIRST,
	.scale_1 = PRF_SCALE_OFF,
	.scale_2 = PRF_SCALE_FORMULA,
	.scale_max = UINT32_MAX,
	.full = PRF_FULL_STAY,
	.list = PRF_LIST_LENIENT,
};

const struct prf_dialect *
prf_dialect_lenient(void)
{
	return &lenient;
}

static const struct prf_dialect glibc = {
	.name = "glibc",
	.rounding = PRF_ROUND_HALVE_FIRST,
	.scale_1 = PRF_SCALE_FORMULA,
	.scale_2 = PRF_SCALE_FORMULA,
	.scale_max = UINT32_MAX,
	.full = PRF_FULL_WRAP,
	.list = PRF_LIST_LENIENT,
};

const struct prf_dialect *
prf_dialect_glibc(void)
{
	return &glibc;
}

static const struct prf_dialect *const all[] = {
	&svr4, &solaris, &solaris_kernel, &freebsd, &freebsd_kernel,
	&hpux, &lenient, &glibc,          NULL,
};

const struct prf_dialect *const *
prf_dialects(void)
{
	return all;
}

const struct prf_dialect *
prf_dialect_by_name(const char *name)
{
	const struct prf_dialect *const *dialect = all;

	while (*dialect && strcmp((*dialect)->name, name) != 0)
		dialect++;
	return *dialect;
}
