#include "fuzz/exported.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "view/export/export_format.h"
#include "view/pprof/pprof_read.h"

static void
must(bool ok)
{
	if (!ok)
		abort();
}

/* --- pprof */

static int
open_none(void *arg, const struct prf_mapping *map)
{
	(void)arg;
	(void)map;
	return -ENOENT;
}

static void
check_pprof(const char *bytes, size_t n, const struct prf_profile *profile)
{
	const struct prf_objectfile_way way = {.open = open_none};
	struct prf_profile *again = NULL;
	struct prf_error err = {0};

	int rc = prf_pprof_read(bytes, n, &way, &again, &err);
	/* Values of protobuf have a sign. */
	must(!rc || profile->total.ticks > INT64_MAX);
	must(rc || again->total.ticks == profile->total.ticks);
	prf_profile_free(again);
}

/* --- Stacks, a line for each, with its ticks at the end */

static void
check_folded(const char *text, size_t n, const struct prf_profile *profile)
{
	uint64_t ticks = 0;

	for (const char *line = text; line < text + n;) {
		const char *end = memchr(line, '\n', (size_t)(text + n - line));

		must(end);
		const char *count = end;
		while (count > line && isdigit((unsigned char)count[-1]))
			count--;
		must(count < end && count > line + 1 && count[-1] == ' ');
		ticks += strtoull(count, NULL, 10);
		line = end + 1;
	}
	must(ticks == profile->total.ticks);
}

/* --- JSON, by the letter */

enum { MOST_DEPTH = 1000 };

static const char *
skip_space(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

static const char *
skip_string(const char *at)
{
	must(*at++ == '"');
	for (; *at != '"'; at++) {
		must((unsigned char)*at >= ' ');
		if (*at != '\\')
			continue;
		at++;
		must(*at && strchr("\"\\/bfnrtu", *at));
		for (int i = 0; *at == 'u' && i < 4; i++)
			must(isxdigit((unsigned char)at[1 + i]));
	}
	return at + 1;
}

static const char *
skip_digits(const char *at)
{
	must(isdigit((unsigned char)*at));
	return at + strspn(at, "0123456789");
}

static const char *
skip_number(const char *at)
{
	at += *at == '-';
	must(*at != '0' || !isdigit((unsigned char)at[1]));
	at = skip_digits(at);
	if (*at == '.')
		at = skip_digits(at + 1);
	if (*at != 'e' && *at != 'E')
		return at;
	at++;
	return skip_digits(at + (*at == '-' || *at == '+'));
}

static const char *
skip_word(const char *at)
{
	static const char *const words[] = {"true", "false", "null"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strncmp(at, words[i], strlen(words[i])))
			return at + strlen(words[i]);
	return skip_number(at);
}

static const char *
skip_value(const char *at, int depth)
{
	must(depth < MOST_DEPTH);
	at = skip_space(at);
	if (*at != '{' && *at != '[')
		return *at == '"' ? skip_string(at) : skip_word(at);
	const bool is_object = *at == '{';
	const char end = is_object ? '}' : ']';

	at = skip_space(at + 1);
	for (bool more = *at != end; more; more = *at++ == ',') {
		if (is_object) {
			at = skip_space(skip_string(skip_space(at)));
			must(*at++ == ':');
		}
		at = skip_space(skip_value(at, depth + 1));
		must(*at == ',' || *at == end);
		if (*at == end)
			break;
	}
	must(*at == end);
	return at + 1;
}

static void
check_json(const char *text, size_t n, const struct prf_profile *profile)
{
	(void)profile;
	must(strlen(text) == n);
	must(skip_space(skip_value(text, 0)) == text + n);
}

/* --- The page: JSON, which no name in it ends before its mark */

static void
check_page(const char *text, size_t n, const struct prf_profile *profile)
{
	static const char begin[] =
		"<script type=\"application/json\" id=\"profile\">";
	const char *first = strstr(text, begin);

	must(strlen(text) == n && first);
	first += strlen(begin);
	const char *last = strchr(first, '<');
	must(last && !strncmp(last, "</script>", strlen("</script>")));
	char *json = strndup(first, (size_t)(last - first));
	must(json);
	check_json(json, (size_t)(last - first), profile);
	free(json);
}

/* --- Lines */

/* Nothing steers a terminal; a tab begins a line. */
static void
check_plain(const char *text, size_t n)
{
	must(strlen(text) == n && (n == 0 || text[n - 1] == '\n'));
	for (size_t i = 0; i < n; i++)
		must((unsigned char)text[i] >= ' ' || text[i] == '\n' ||
		     (text[i] == '\t' && (i == 0 || text[i - 1] == '\n')));
}

static bool
begins_with(const char *line, const char *word)
{
	return !strncmp(line, word, strlen(word));
}

/* A key and its value, a comment, or nothing. */
static bool
is_of_callgrind(const char *line)
{
	size_t n_key = strspn(line, "abcdefghijklmnopqrstuvwxyz");

	return *line == '\n' || *line == '#' ||
	       (n_key && (line[n_key] == '=' || line[n_key] == ':'));
}

/* The cost behind the two numbers of a position. */
static uint64_t
cost_at(const char *line)
{
	char *end;

	strtoull(line, &end, 16);
	must(*end == ' ');
	strtoull(end, &end, 10);
	must(*end == ' ');
	uint64_t cost = strtoull(end, &end, 10);
	must(*end == '\n');
	return cost;
}

/* The cost behind a line of calls is that of the callees. */
static void
check_callgrind(const char *text, size_t n, const struct prf_profile *profile)
{
	uint64_t ticks = 0;
	bool is_call = false;

	check_plain(text, n);
	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		bool is_cost = begins_with(line, "0x");
		uint64_t cost = is_cost ? cost_at(line) : 0;

		must(is_cost || is_of_callgrind(line));
		ticks += is_call ? 0 : cost;
		is_call = begins_with(line, "calls=");
	}
	must(ticks == profile->total.ticks);
}

/* A thread, its time and its worth; below it its frames. */
static void
check_perf(const char *text, size_t n, const struct prf_profile *profile)
{
	(void)profile;
	check_plain(text, n);
	for (const char *line = text, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		if (*line == '\t')
			must(end - line > 19 && line[17] == ' ' &&
			     isxdigit((unsigned char)line[16]) &&
			     end[-1] == ')');
		else
			must(end == line ||
			     (end - line > 2 && begins_with(end - 2, ": \n")));
	}
}

/* --- All of them */

static const struct {
	const char *suffix;
	void (*check)(const char *bytes, size_t n,
		      const struct prf_profile *profile);
} readers[] = {
	{".pb.gz", check_pprof},         {".folded", check_folded},
	{".json", check_json},           {".html", check_page},
	{".callgrind", check_callgrind}, {".perf", check_perf},
};

static bool
ends_in(const char *name, const char *suffix)
{
	size_t n = strlen(name), n_suffix = strlen(suffix);

	return n >= n_suffix && !strcmp(name + n - n_suffix, suffix);
}

static void
check_format(const struct prf_export_format *format,
	     const struct prf_profile *profile)
{
	const struct prf_export_way way = {.command = "made \"up\"\n"};
	struct prf_error err = {0};
	char *bytes = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&bytes, &n);

	must(out && !format->write(profile, &way, out, &err));
	must(!fclose(out));
	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
		if (ends_in(format->suffix, readers[i].suffix))
			readers[i].check(bytes, n, profile);
	free(bytes);
}

void
prf_exported_check(const struct prf_profile *profile)
{
	const struct prf_export_format *format;

	for (size_t i = 0; (format = prf_export_format(i)); i++)
		check_format(format, profile);
}
