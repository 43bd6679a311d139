#include "config.h"

#include "image/debuginfod.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct prf_debuginfod {
	Dwfl *dwfl; /* keeps its connections */
	bool given_up, has_warned;
};

/* A server that does not answer can take a minute and a half, for each file. */
enum { PATIENCE_S = 5 };

/* Both search below /usr/lib/debug first, and then ask servers. */
static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

bool
prf_debuginfod_is_wanted(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls && urls[strspn(urls, " ")];
}

struct prf_debuginfod *
prf_debuginfod_new(void)
{
	struct prf_debuginfod *servers =
		prf_debuginfod_is_wanted() ? calloc(1, sizeof *servers) : NULL;

	if (!servers)
		return NULL;
	servers->dwfl = dwfl_begin(&callbacks);
	if (servers->dwfl)
		return servers;
	free(servers);
	return NULL;
}

void
prf_debuginfod_free(struct prf_debuginfod *servers)
{
	if (!servers)
		return;
	dwfl_end(servers->dwfl);
	free(servers);
}

bool
prf_debuginfod_is_there(struct prf_debuginfod *servers)
{
#if HAVE_DWFL_GET_DEBUGINFOD_CLIENT
	return servers && dwfl_get_debuginfod_client(servers->dwfl);
#else
	return servers;
#endif
}

/* --- Asking */

static int
find_debuginfo(Dwfl_Module *module)
{
	char *name = NULL;
	int fd = dwfl_standard_find_debuginfo(module, NULL, "", 0, NULL, NULL,
					      0, &name);

	free(name);
	return fd;
}

static int
find_executable(Dwfl_Module *module)
{
	char *name = NULL;
	Elf *elf = NULL;
	int fd = dwfl_build_id_find_elf(module, NULL, "", 0, &name, &elf);

	elf_end(elf);
	free(name);
	return fd;
}

static int (*const finders[])(Dwfl_Module *module) = {
	[PRF_DEBUGINFOD_DEBUGINFO] = find_debuginfo,
	[PRF_DEBUGINFOD_EXECUTABLE] = find_executable,
};

/* What is asked for is a module without a file, of which the build-id alone is
 * known. */
static int
ask(struct prf_debuginfod *servers, enum prf_debuginfod_kind kind,
    const uint8_t *id, size_t id_bytes)
{
	dwfl_report_begin(servers->dwfl);
	Dwfl_Module *module = dwfl_report_module(servers->dwfl, "", 0, 1);
	int fd = module && !dwfl_module_report_build_id(module, id, id_bytes, 0)
			 ? finders[kind](module)
			 : -ENOMEM;

	dwfl_report_end(servers->dwfl, NULL, NULL);
	return fd >= 0 ? fd : fd == -1 ? -ENOENT : fd;
}

static void
warn(struct prf_debuginfod *servers, int rc, struct prf_error *warning)
{
	if (servers->has_warned)
		return;
	servers->has_warned = true;
	prf_error_set(
		warning, rc,
		"DEBUGINFOD_URLS: nobody could be asked for symbols: %s%s",
		rc == -ENOSYS ? "libdebuginfod is not installed"
			      : strerror(-rc),
		servers->given_up ? "; no more is asked" : "");
}

static time_t
now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

int
prf_debuginfod_find(struct prf_debuginfod *servers,
		    enum prf_debuginfod_kind kind, const uint8_t *id,
		    size_t id_bytes, struct prf_error *warning)
{
	if (!servers || servers->given_up || id_bytes == 0)
		return -ENOENT;
	time_t begun_s = now_s();
	int fd = ask(servers, kind, id, id_bytes);
	if (fd >= 0 || fd == -ENOENT)
		return fd;
	servers->given_up = fd == -ENOSYS || now_s() - begun_s >= PATIENCE_S;
	warn(servers, fd, warning);
	return fd;
}
