#include "view/gmon/run_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/scope.h"
#include "view/gmon/gmon_word.h"

/* gprof takes a line of three words for a symbol if its second one begins with
 * a T: none of these does, and what they tell is one word. */
static const char command_line[] = "# command ", begun_line[] = "# begun ",
		  rate_line[] = "# rate ", clock_line[] = "# clock ",
		  object_line[] = "# object ";

/* Of UTC. */
static const char begun_format[] = "%Y-%m-%dT%H:%M:%SZ";

/* Each can become three, and a line has its limit. */
enum { MAX_COMMAND_BYTES = 4096 };

/* --- Writing */

static void
write_begun(uint64_t begun_s, FILE *out)
{
	time_t time = (time_t)begun_s;
	char text[32];
	struct tm tm;

	if (begun_s && gmtime_r(&time, &tm) &&
	    strftime(text, sizeof text, begun_format, &tm))
		fprintf(out, "%s%s\n", begun_line, text);
}

void
prf_run_lines_write(const struct prf_profile *profile, FILE *out)
{
	const struct prf_origin *origin = &profile->origin;

	if (origin->command) {
		fputs(command_line, out);
		prf_gmon_word_write(origin->command, MAX_COMMAND_BYTES, out);
		fputc('\n', out);
	}
	write_begun(origin->begun_s, out);
	if (profile->unit.rate_hz)
		fprintf(out, "%s%" PRIu32 "\n", rate_line,
			profile->unit.rate_hz);
	if (origin->clock)
		fprintf(out, "%s%s\n", clock_line, origin->clock);
}

/* --- Reading */

/* [begin, end), without its newline. */
struct line {
	const char *begin, *end;
};

/* The line that begins at offset AT; false: none does. */
static bool
line_at(const char *text, size_t n_bytes, size_t at, struct line *line)
{
	if (at >= n_bytes)
		return false;
	const char *end = memchr(text + at, '\n', n_bytes - at);
	*line = (struct line){text + at, end ? end : text + n_bytes};
	return end;
}

static bool
begins_with(const struct line *line, const char *text)
{
	size_t n = strlen(text);

	return (size_t)(line->end - line->begin) >= n &&
	       memcmp(line->begin, text, n) == 0;
}

/* What LINE tells, if it is of KIND and nothing has told it; else *WORD stays.
 * -ENOMEM. */
static int
take(const struct line *line, const char *kind, char **word)
{
	if (*word || !begins_with(line, kind))
		return 0;
	const char *begin = line->begin + strlen(kind);
	*word = prf_gmon_word_decode(begin, (size_t)(line->end - begin));
	return *word ? 0 : -ENOMEM;
}

static uint64_t
begun_of(const char *word)
{
	struct tm tm = {0};
	const char *end = word ? strptime(word, begun_format, &tm) : NULL;
	time_t time = end && !*end ? timegm(&tm) : 0;

	/* Times in ns fit 64 bits until 2262. */
	return time > 0 && time <= INT64_MAX / 1000000000 ? (uint64_t)time : 0;
}

int
prf_run_lines_read(const char *text, size_t n_bytes, struct prf_origin *origin)
{
	PRF_AUTO(prf_auto_free) char *command = NULL;
	PRF_AUTO(prf_auto_free) char *begun = NULL;
	PRF_AUTO(prf_auto_free) char *clock = NULL;
	size_t end = prf_run_lines_end(text, n_bytes);
	struct line line;

	for (size_t at = 0; at < end && line_at(text, end, at, &line);
	     at = (size_t)(line.end + 1 - text))
		if (take(&line, command_line, &command) ||
		    take(&line, begun_line, &begun) ||
		    take(&line, clock_line, &clock))
			return -ENOMEM;
	return prf_origin_tell(origin, command, clock, begun_of(begun));
}

size_t
prf_run_lines_end(const char *text, size_t n_bytes)
{
	struct line line;
	size_t at = 0;

	while (line_at(text, n_bytes, at, &line) && begins_with(&line, "#") &&
	       !begins_with(&line, object_line))
		at = (size_t)(line.end + 1 - text);
	return at;
}
