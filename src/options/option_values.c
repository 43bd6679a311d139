#include "src/options/option_values.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live/trigger/trigger_list.h"
#include "src/options/format.h"
#include "src/options/option_table.h"
#include "src/options/pattern.h"
#include "src/options/rate.h"
#include "src/signals.h"

#define NS_PER_S UINT64_C(1000000000)

struct choice {
	const char *name;
	int value;
};

static const struct choice clocks[] = {
	{"cpu", PRF_CLOCK_CPU},
	{"user", PRF_CLOCK_USER},
	{"wall", PRF_CLOCK_WALL},
	{NULL, 0},
};

/* Only the names matter: lib/live knows its triggers by them. */
#define TRIGGER(name) {#name, 0},
static const struct choice triggers[] = {
	{"auto", 0},
	PRF_TRIGGERS(TRIGGER){NULL, 0},
};

enum { NO_STACKS = -1 };
static const struct choice call_graphs[] = {
	{"auto", PRF_STACKS_BY_AUTO},
	{"cfi", PRF_STACKS_BY_CFI},
	{"fp", PRF_STACKS_BY_FP},
	{"none", NO_STACKS},
	{NULL, 0},
};

static const struct choice follows[] = {
	{"all", PRF_FOLLOW_ALL},
	{"exec", PRF_FOLLOW_EXEC},
	{"none", PRF_FOLLOW_NONE},
	{NULL, 0},
};

static int
take_frequency(const char *arg, struct prf_options *options,
	       struct prf_error *err)
{
	uint64_t rate_hz;

	if (prf_rate_parse_hz(arg, &rate_hz, NULL) < 0 ||
	    rate_hz < PRF_RATE_MIN_HZ || rate_hz > PRF_RATE_MAX_HZ)
		return prf_error_set(err, -EINVAL,
				     "-F %s: not a rate; give a whole number "
				     "of Hz, %d to %d",
				     arg, PRF_RATE_MIN_HZ, PRF_RATE_MAX_HZ);
	options->rate_hz = (uint32_t)rate_hz;
	options->rounded_from = NULL;
	return 0;
}

/* The rate is what gmon.out holds, in whole Hz: the nearest one is taken. */
static int
take_interval(const char *arg, struct prf_options *options,
	      struct prf_error *err)
{
	struct prf_error why;
	uint64_t period_ns;

	if (prf_rate_parse_time(arg, PRF_RATE_DAY_S, &period_ns, &why) < 0)
		return prf_error_set(err, -EINVAL,
				     "-i %s: %s; give it as 10ms, 500us or "
				     "0.01s (a rate in Hz goes with -F)",
				     arg, why.text);
	if (period_ns < NS_PER_S / PRF_RATE_MAX_HZ ||
	    period_ns > NS_PER_S / PRF_RATE_MIN_HZ)
		return prf_error_set(err, -EINVAL,
				     "-i %s: out of range; give 100us to 1s",
				     arg);
	options->rate_hz = (uint32_t)((NS_PER_S + period_ns / 2) / period_ns);
	options->rounded_from =
		options->rate_hz * period_ns == NS_PER_S ? NULL : arg;
	return 0;
}

static int
take_output(const char *arg, struct prf_options *options, struct prf_error *err)
{
	struct prf_error why;

	/* Elsewhere it is standard output, which is the program's here. */
	if (strcmp(arg, "-") == 0)
		return prf_error_set(err, -EINVAL,
				     "-o -: is no name; give one, ./- or "
				     "/dev/stdout");
	if (prf_pattern_check(arg, &why) < 0)
		return prf_error_set(err, -EINVAL, "-o '%s': %s", arg,
				     why.text);
	options->output = options->output_given = arg;
	return 0;
}

static int
take_samples(const char *arg, struct prf_options *options,
	     struct prf_error *err)
{
	uint64_t n;

	if (prf_rate_parse_hz(arg, &n, NULL) || n > INT64_MAX)
		return prf_error_set(err, -EINVAL,
				     "--samples=%s: not a number of samples",
				     arg);
	options->max_samples = (int64_t)n;
	return 0;
}

/* A number of bytes, "100M" or "100m"; 0: it is none. */
static uint64_t
parse_size(const char *arg)
{
	static const char units[] = "KMGT";
	size_t n_digits = strspn(arg, "0123456789");
	const char *unit =
		arg[n_digits]
			? strchr(units, toupper((unsigned char)arg[n_digits]))
			: NULL;
	char digits[20];
	uint64_t n;

	if (n_digits >= sizeof digits ||
	    (arg[n_digits] && (!unit || arg[n_digits + 1])))
		return 0;
	snprintf(digits, sizeof digits, "%.*s", (int)n_digits, arg);
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	return prf_rate_parse_hz(digits, &n, NULL) ||
			       n > (uint64_t)INT64_MAX >> shift
		       ? 0
		       : n << shift;
}

static int
take_max_size(const char *arg, struct prf_options *options,
	      struct prf_error *err)
{
	uint64_t n_bytes = parse_size(arg);

	if (n_bytes < PRF_MIN_TRACE_BYTES)
		return prf_error_set(err, -EINVAL,
				     "--max-size=%s: not a size; give 100M or "
				     "1G, at least 64k",
				     arg);
	options->max_trace_bytes = n_bytes;
	return 0;
}

static int
take_summary_file(const char *arg, struct prf_options *options,
		  struct prf_error *err)
{
	if (!*arg)
		return prf_error_set(err, -EINVAL,
				     "--summary-file: the name of a file is "
				     "missing");
	options->summary_file = arg;
	return 0;
}

/* The row of CHOICES that ARG names. */
static int
parse_choice(const char *option, const char *arg, const struct choice *choices,
	     const struct choice **chosen, struct prf_error *err)
{
	char names[64] = "";

	for (const struct choice *c = choices; c->name; c++) {
		if (strcmp(c->name, arg) == 0) {
			*chosen = c;
			return 0;
		}
		if (c != choices)
			strcat(names, c[1].name ? ", " : " or ");
		strcat(names, c->name);
	}
	return prf_error_set(err, -EINVAL, "--%s=%s: unknown; give %s", option,
			     arg, names);
}

static int
take_clock(const char *arg, struct prf_options *options, struct prf_error *err)
{
	const struct choice *chosen;
	int rc = parse_choice("clock", arg, clocks, &chosen, err);

	if (rc == 0)
		options->clock = (enum prf_clock)chosen->value;
	return rc;
}

static int
take_trigger(const char *arg, struct prf_options *options,
	     struct prf_error *err)
{
	const struct choice *chosen;
	int rc = parse_choice("trigger", arg, triggers, &chosen, err);

	if (rc == 0)
		options->trigger = chosen == triggers ? NULL : chosen->name;
	return rc;
}

static int
take_call_graph(const char *arg, struct prf_options *options,
		struct prf_error *err)
{
	const struct choice *chosen = call_graphs;
	int rc =
		arg ? parse_choice("call-graph", arg, call_graphs, &chosen, err)
		    : 0;

	if (rc == 0) {
		options->stacks_told = true;
		options->call_graph = chosen->value != NO_STACKS;
		options->stacks_by = options->call_graph
					     ? (enum prf_stacks_by)chosen->value
					     : PRF_STACKS_BY_AUTO;
	}
	return rc;
}

static int
take_follow(const char *arg, struct prf_options *options, struct prf_error *err)
{
	const struct choice *chosen;
	int rc = parse_choice("follow", arg, follows, &chosen, err);

	if (rc == 0)
		options->follow = (enum prf_follow)chosen->value;
	return rc;
}

/* One number and what stands behind it; 0: there is none. */
static pid_t
parse_pid(const char *text, const char **end)
{
	char *stop;

	errno = 0;
	long pid = strtol(text, &stop, 10);
	*end = stop;
	if (*text < '0' || *text > '9' || errno || pid > INT_MAX)
		return 0;
	return (pid_t)pid;
}

static bool
has_pid(const struct prf_options *options, pid_t pid)
{
	size_t i = 0;

	while (i < options->n_pids && options->pids[i] != pid)
		i++;
	return i < options->n_pids;
}

static int
take_pids(const char *arg, struct prf_options *options, struct prf_error *err)
{
	const char *at = arg, *end;

	for (;; at = end + 1) {
		pid_t pid = parse_pid(at, &end);

		if (!pid || (*end && *end != ','))
			return prf_error_set(
				err, -EINVAL,
				"-p %s: not a process id; give one, or several "
				"with commas between them",
				arg);
		if (options->n_pids == PRF_MAX_PIDS && !has_pid(options, pid))
			return prf_error_set(err, -EINVAL,
					     "-p: more than %d processes",
					     PRF_MAX_PIDS);
		if (!has_pid(options, pid))
			options->pids[options->n_pids++] = pid;
		if (!*end)
			break;
	}
	options->action = PRF_ACTION_ATTACH;
	return 0;
}

/* A time, such as "500ms"; a bare number, such as "2.5", is of UNIT. */
static int
parse_time_in(const char *arg, const char *unit, uint64_t *time_ns)
{
	bool is_bare = strspn(arg, "0123456789.") == strlen(arg);
	char text[64];

	if ((size_t)snprintf(text, sizeof text, "%s%s", arg,
			     is_bare ? unit : "") >= sizeof text)
		return -EINVAL;
	return prf_rate_parse_time(text, PRF_RATE_DAY_S, time_ns, NULL);
}

static int
take_duration(const char *arg, struct prf_options *options,
	      struct prf_error *err)
{
	if (parse_time_in(arg, "s", &options->duration_ns) ||
	    !options->duration_ns)
		return prf_error_set(err, -EINVAL,
				     "-d %s: not a time; give 10s, 500ms, or "
				     "a number of seconds, more than 0 and up "
				     "to a day",
				     arg);
	return 0;
}

static int
take_delay(const char *arg, struct prf_options *options, struct prf_error *err)
{
	if (parse_time_in(arg, "ms", &options->delay_ns))
		return prf_error_set(err, -EINVAL,
				     "-D %s: not a time; give 2s, 500ms, or a "
				     "number of milliseconds, up to a day",
				     arg);
	return 0;
}

static int
take_every(const char *arg, struct prf_options *options, struct prf_error *err)
{
	if (parse_time_in(arg, "s", &options->every_ns) ||
	    options->every_ns < PRF_MIN_EVERY_NS)
		return prf_error_set(err, -EINVAL,
				     "--every=%s: not such a time; give 60s, "
				     "or a number of seconds, 1 or more and up "
				     "to a day",
				     arg);
	return 0;
}

static int
take_toggle_signal(const char *arg, struct prf_options *options,
		   struct prf_error *err)
{
	int signal = prf_signal_number(arg);

	if (signal <= 0)
		return prf_error_set(err, -EINVAL,
				     "--toggle-signal=%s: unknown; give a name "
				     "or a number, such as USR2",
				     arg);
	if (!prf_signal_can_be_had(signal))
		return prf_error_set(
			err, -EINVAL,
			"--toggle-signal=%s: cannot be caught, or profrun "
			"needs it itself; give another, such as USR2",
			arg);
	options->toggle_signal = signal;
	return 0;
}

static int
take_formats(const char *arg, struct prf_options *options,
	     struct prf_error *err)
{
	int rc = prf_formats_parse(arg, &options->formats, err);

	if (!rc && prf_formats_need_stacks(options->formats))
		options->call_graph = options->stacks_told = true;
	return rc;
}

static const struct {
	int key;
	int (*take)(const char *arg, struct prf_options *options,
		    struct prf_error *err);
} values[] = {
	{'F', take_frequency},
	{'i', take_interval},
	{PRF_OPTION_CLOCK, take_clock},
	{PRF_OPTION_TRIGGER, take_trigger},
	{'g', take_call_graph},
	{'p', take_pids},
	{PRF_OPTION_FOLLOW, take_follow},
	{'d', take_duration},
	{'D', take_delay},
	{PRF_OPTION_TOGGLE_SIGNAL, take_toggle_signal},
	{PRF_OPTION_EVERY, take_every},
	{'f', take_formats},
	{PRF_OPTION_SAMPLES, take_samples},
	{PRF_OPTION_MAX_SIZE, take_max_size},
	{PRF_OPTION_SUMMARY_FILE, take_summary_file},
	{'o', take_output},
};

static void
take_wall(struct prf_options *options)
{
	options->clock = PRF_CLOCK_WALL;
}

static void
take_kernel(struct prf_options *options)
{
	options->kernel = true;
}

static void
take_split(struct prf_options *options)
{
	options->split = true;
}

static void
take_all_symbols(struct prf_options *options)
{
	options->all_symbols = true;
}

static void
take_inherit_counts(struct prf_options *options)
{
	options->inherit_counts = true;
}

static void
take_threads(struct prf_options *options)
{
	options->threads = true;
}

static void
take_full_names(struct prf_options *options)
{
	options->full_names = true;
}

static void
take_quiet(struct prf_options *options)
{
	options->verbosity = -1;
}

static void
take_verbose(struct prf_options *options)
{
	options->verbosity =
		options->verbosity < 0 ? 1 : options->verbosity + 1;
}

static void
take_help(struct prf_options *options)
{
	options->action = PRF_ACTION_HELP;
}

static void
take_usage(struct prf_options *options)
{
	options->action = PRF_ACTION_USAGE;
}

static void
take_version(struct prf_options *options)
{
	options->action = PRF_ACTION_VERSION;
}

static const struct {
	int key;
	void (*take)(struct prf_options *options);
} flags[] = {
	{'w', take_wall},
	{PRF_OPTION_KERNEL, take_kernel},
	{PRF_OPTION_SPLIT, take_split},
	{PRF_OPTION_ALL_SYMBOLS, take_all_symbols},
	{PRF_OPTION_INHERIT_COUNTS, take_inherit_counts},
	{'t', take_threads},
	{PRF_OPTION_FULL_NAMES, take_full_names},
	{'q', take_quiet},
	{'v', take_verbose},
	{'h', take_help},
	{PRF_OPTION_USAGE, take_usage},
	{'V', take_version},
};

int
prf_option_values_take(int key, const char *arg, struct prf_options *options,
		       struct prf_error *err)
{
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (values[i].key == key)
			return values[i].take(arg, options, err);
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (flags[i].key == key) {
			flags[i].take(options);
			return 0;
		}
	return -ENOENT;
}

static const struct {
	const char *value; /* as the table of options calls it */
	const struct choice *choices;
} choices_of[] = {
	{"CLOCK", clocks},
	{"TRIGGER", triggers},
	{"HOW", call_graphs},
	{"WHICH", follows},
};

const char *
prf_option_values_word(const char *value, size_t index)
{
	if (strcmp(value, "LIST") == 0)
		return prf_format_word(index);
	for (size_t i = 0; i < sizeof choices_of / sizeof *choices_of; i++) {
		const struct choice *choice = choices_of[i].choices;

		if (strcmp(choices_of[i].value, value) != 0)
			continue;
		while (choice->name && index--)
			choice++;
		return choice->name;
	}
	return NULL;
}
