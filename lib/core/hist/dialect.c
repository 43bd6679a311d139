#include "core/dialect.h"

#include <stddef.h>
#include <string.h>

const struct prf_dialect prf_dialect_svr4 = {
	.name = "svr4",
	.rounding = PRF_ROUND_BYTES_FIRST,
	.scale_1 = PRF_SCALE_OFF,
	.scale_2 = PRF_SCALE_FORMULA,
	.scale_max = UINT32_MAX,
	.full = PRF_FULL_STAY, /* the text is silent */
	.list = PRF_LIST_STRICT,
};

const struct prf_dialect prf_dialect_solaris = {
	.name = "solaris",
	.rounding = PRF_ROUND_BYTES_FIRST,
	.scale_1 = PRF_SCALE_OFF,
	.scale_2 = PRF_SCALE_FORMULA,
	.scale_max = UINT32_MAX,
	.full = PRF_FULL_STOP_AT_HALF,
	.list = PRF_LIST_STRICT,
};

const struct prf_dialect prf_dialect_solaris_kernel = {
	.name = "solaris-kernel",
	.rounding = PRF_ROUND_BYTES_FIRST,
	.scale_1 = PRF_SCALE_OFF,
	.scale_2 = PRF_SCALE_FIRST,
	.scale_max = UINT32_MAX,
	.full = PRF_FULL_STOP_PAST_HALF,
	.list = PRF_LIST_STRICT,
};

const struct prf_dialect prf_dialect_freebsd = {
	.name = "freebsd",
	.rounding = PRF_ROUND_HALVE_FIRST,
	.scale_1 = PRF_SCALE_FORMULA,
	.scale_2 = PRF_SCALE_FORMULA,
	.scale_max = 0x10000,
	.full = PRF_FULL_WRAP,
	.list = PRF_LIST_STRICT,
	.buffer_is_checked = true,
};

const struct prf_dialect prf_dialect_freebsd_kernel = {
	.name = "freebsd-kernel",
	.rounding = PRF_ROUND_BYTES_FIRST,
	.scale_1 = PRF_SCALE_FORMULA,
	.scale_2 = PRF_SCALE_FORMULA,
	.scale_max = 0x10000,
	.full = PRF_FULL_WRAP,
	.list = PRF_LIST_STRICT,
};

const struct prf_dialect prf_dialect_hpux = {
	.name = "hpux",
	.rounding = PRF_ROUND_BYTES_FIRST,
	.scale_1 = PRF_SCALE_OFF,
	.scale_2 = PRF_SCALE_FORMULA,
	.scale_max = UINT32_MAX,
	.full = PRF_FULL_STAY,
	.list = PRF_LIST_STRICT,
};

const struct prf_dialect prf_dialect_lenient = {
	.name = "lenient",
	.rounding = PRF_ROUND_BYTES_FIRST,
	.scale_1 = PRF_SCALE_OFF,
	.scale_2 = PRF_SCALE_FORMULA,
	.scale_max = UINT32_MAX,
	.full = PRF_FULL_STAY,
	.list = PRF_LIST_LENIENT,
};

const struct prf_dialect prf_dialect_glibc = {
	.name = "glibc",
	.rounding = PRF_ROUND_HALVE_FIRST,
	.scale_1 = PRF_SCALE_FORMULA,
	.scale_2 = PRF_SCALE_FORMULA,
	.scale_max = UINT32_MAX,
	.full = PRF_FULL_WRAP,
	.list = PRF_LIST_LENIENT,
};

const struct prf_dialect *const prf_dialects[] = {
	&prf_dialect_svr4,
	&prf_dialect_solaris,
	&prf_dialect_solaris_kernel,
	&prf_dialect_freebsd,
	&prf_dialect_freebsd_kernel,
	&prf_dialect_hpux,
	&prf_dialect_lenient,
	&prf_dialect_glibc,
	NULL,
};

const struct prf_dialect *
prf_dialect_by_name(const char *name)
{
	const struct prf_dialect *const *dialect = prf_dialects;

	while (*dialect && strcmp((*dialect)->name, name) != 0)
		dialect++;
	return *dialect;
}
