/* gmon_from_text - a gmon.out for the shell tests.
 *
 * usage: gmon_from_text RATE 4|8 little|big <LIST >gmon.out
 * LIST has lines "ticks VADDR N", ascending, then "arc FROM TO N"; addresses
 * are hexadecimal. */
#include "core/gmon.h"
#include "core/scope.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

PRF_DEFINE_AUTO(prf_gmon_writer, prf_gmon_writer_free);

static int
write_line(struct prf_gmon_writer *writer, const char *line,
	   struct prf_error *err)
{
	uint64_t vaddr, to, n;

	if (sscanf(line, "ticks %" SCNx64 " %" SCNu64, &vaddr, &n) == 2)
		return prf_gmon_writer_ticks(writer, vaddr, n, err);
	if (sscanf(line, "arc %" SCNx64 " %" SCNx64 " %" SCNu64, &vaddr, &to,
		   &n) == 3)
		return prf_gmon_writer_arc(writer, vaddr, to, n, err);
	return prf_error_set(err, -1, "not understood: %s", line);
}

static int
write_all(FILE *in, const struct prf_gmon_target *target, struct prf_error *err)
{
	PRF_AUTO(prf_gmon_writer_auto) struct prf_gmon_writer *writer = NULL;
	char line[200];
	int status = prf_gmon_writer_new(stdout, target, &writer, err);

	while (!status && fgets(line, sizeof line, in))
		status = write_line(writer, line, err);
	return status ? status : prf_gmon_writer_finish(writer, err);
}

int
main(int argc, char **argv)
{
	struct prf_error err = {0};

	if (argc != 4)
		return 2;

	const struct prf_gmon_target target = {
		.rate_hz = (uint32_t)strtoul(argv[1], NULL, 10),
		.addr_bytes = (uint8_t)strtoul(argv[2], NULL, 10),
		.big_endian = strcmp(argv[3], "big") == 0,
	};
	if (write_all(stdin, &target, &err) == 0)
		return 0;
	fprintf(stderr, "gmon_from_text: %s\n", err.text);
	return 1;
}
