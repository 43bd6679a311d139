#include "live/proc/rank.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/scope.h"

/* Environments are small; what is beyond is not read. */
enum { MAX_BYTES = 1 << 20 };

const char *const prf_rank_variables[] = {
	"OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",
	"MV2_COMM_WORLD_RANK",  "SLURM_PROCID", NULL,
};

/* What NAME is set to; NULL: it is not. */
static const char *
value_of(const char *name, const char *environment, size_t n_bytes)
{
	size_t length = strlen(name);
	const char *end = environment + n_bytes;

	while (environment < end) {
		size_t n = strnlen(environment, (size_t)(end - environment));

		if (environment + n == end) /* cut short */
			return NULL;
		if (n > length && environment[length] == '=' &&
		    memcmp(environment, name, length) == 0)
			return environment + length + 1;
		environment += n + 1;
	}
	return NULL;
}

static int32_t
number_of(const char *value)
{
	size_t n_digits = strspn(value, "0123456789");

	return n_digits && n_digits < 10 && !value[n_digits]
		       ? (int32_t)strtol(value, NULL, 10)
		       : -1;
}

int32_t
prf_rank_find(const char *environment, size_t n_bytes)
{
	for (const char *const *name = prf_rank_variables; *name; name++) {
		const char *value = value_of(*name, environment, n_bytes);

		if (value)
			return number_of(value);
	}
	return -1;
}

int32_t
prf_rank_of(pid_t pid)
{
	PRF_AUTO(prf_auto_free) char *environment = malloc(MAX_BYTES);
	char path[64];
	size_t n_bytes = 0;
	ssize_t n = 0;

	snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
	PRF_AUTO(prf_auto_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !environment)
		return -1;
	while (n_bytes < MAX_BYTES &&
	       (n = read(fd, environment + n_bytes, MAX_BYTES - n_bytes)) > 0)
		n_bytes += (size_t)n;
	return prf_rank_find(environment, n_bytes);
}
