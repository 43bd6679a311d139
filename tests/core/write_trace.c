/* write_trace - a trace and its events as text, for tests in other languages.
 *
 *	write_trace any|run N TRACE TEXT
 *
 * N events of any kind, or a run of N samples. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/trace_file.h"

static int
save(const char *path, const void *bytes, size_t n_bytes)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return 1;
	size_t n = fwrite(bytes, 1, n_bytes, file);
	return fclose(file) != 0 || n < n_bytes;
}

int
main(int argc, char **argv)
{
	struct random random = random_begin();
	struct event_log log;
	size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;

	if (argc != 5)
		return 2;
	struct trace_file file =
		!strcmp(argv[1], "any")
			? trace_file_of_any(&random, n, &log)
			: trace_file_of_run(&random, n, 5, &log);
	int status = save(argv[3], file.bytes, file.n_bytes) ||
		     save(argv[4], log.text, log.n_bytes);

	event_log_end(&log);
	free(file.bytes);
	return status;
}
