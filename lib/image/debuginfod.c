#include "config.h"

#include "image/debuginfod.h"

#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct prf_debuginfod {
	Dwfl *dwfl;    /* keeps its connections */
	void *library; /* libdebuginfod; or NULL: not loaded, or not there */
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
	if (servers->library)
		dlclose(servers->library);
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

/* What is asked for.  PATH: a source file; NULL: one of KIND. */
struct question {
	enum prf_debuginfod_kind kind;
	const uint8_t *id;
	size_t id_bytes;
	const char *path;
};

/* libdw asks for a module without a file, of which the build-id alone is known. */
static int
ask_for_object(struct prf_debuginfod *servers, const struct question *question)
{
	dwfl_report_begin(servers->dwfl);
	Dwfl_Module *module = dwfl_report_module(servers->dwfl, "", 0, 1);
	int fd = module && !dwfl_module_report_build_id(module, question->id,
							question->id_bytes, 0)
			 ? finders[question->kind](module)
			 : -ENOMEM;

	dwfl_report_end(servers->dwfl, NULL, NULL);
	return fd == -1 ? -ENOENT : fd;
}

#if HAVE_DWFL_GET_DEBUGINFOD_CLIENT
/* As in elfutils' debuginfod.h, which is a package of its own. */
typedef int find_source(debuginfod_client *client, const unsigned char *id,
			int id_bytes, const char *path, char **cached);

/* By libdw's connections.  libdw asks nobody for sources. */
static int
ask_for_source(struct prf_debuginfod *servers, const struct question *question)
{
	debuginfod_client *client = dwfl_get_debuginfod_client(servers->dwfl);

	if (!client || question->id_bytes > INT_MAX)
		return -ENOSYS;
	if (!servers->library)
		servers->library = dlopen("libdebuginfod.so.1", RTLD_LAZY);
	find_source *find =
		servers->library
			? (find_source *)dlsym(servers->library,
					       "debuginfod_find_source")
			: NULL;
	return find ? find(client, question->id, (int)question->id_bytes,
			   question->path, NULL)
		    : -ENOSYS;
}
#else
static int
ask_for_source(struct prf_debuginfod *servers, const struct question *question)
{
	(void)servers, (void)question;
	return -ENOTSUP;
}
#endif

static const char *
reason_of(int rc)
{
	return rc == -ENOSYS    ? "libdebuginfod is not installed"
	       : rc == -ENOTSUP ? "that needs libdw 0.188 or newer"
				: strerror(-rc);
}

static void
warn(struct prf_debuginfod *servers, const char *what, int rc,
     struct prf_error *warning)
{
	if (servers->has_warned)
		return;
	servers->has_warned = true;
	prf_error_set(warning, rc,
		      "DEBUGINFOD_URLS: nobody could be asked for %s: %s%s",
		      what, reason_of(rc),
		      servers->given_up ? "; no more is asked" : "");
}

static time_t
now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static int
ask(struct prf_debuginfod *servers, const struct question *question,
    struct prf_error *warning)
{
	if (!servers || servers->given_up || question->id_bytes == 0)
		return -ENOENT;
	time_t begun_s = now_s();
	int fd = question->path ? ask_for_source(servers, question)
				: ask_for_object(servers, question);
	if (fd >= 0 || fd == -ENOENT)
		return fd;
	servers->given_up = fd == -ENOSYS || now_s() - begun_s >= PATIENCE_S;
	warn(servers, question->path ? "sources" : "symbols", fd, warning);
	return fd;
}

int
prf_debuginfod_find(struct prf_debuginfod *servers,
		    enum prf_debuginfod_kind kind, const uint8_t *id,
		    size_t id_bytes, struct prf_error *warning)
{
	const struct question question = {kind, id, id_bytes, NULL};

	return ask(servers, &question, warning);
}

int
prf_debuginfod_find_source(struct prf_debuginfod *servers, const uint8_t *id,
			   size_t id_bytes, const char *path,
			   struct prf_error *warning)
{
	const struct question question = {0, id, id_bytes, path};

	return ask(servers, &question, warning);
}
