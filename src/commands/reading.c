#include "src/commands/reading.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/exit_status.h"
#include "src/options/option_parse.h"
#include "src/options/rate.h"

/* --- Which samples */

/* Seconds with perhaps a fraction: a trace may be of many days. */
static int
parse_seconds(const char *text, size_t length, uint64_t *time_ns)
{
	char word[64];

	if (length + 2 > sizeof word || strspn(text, "0123456789.") < length)
		return -EINVAL;
	snprintf(word, sizeof word, "%.*ss", (int)length, text);
	return prf_rate_parse_time(word, PRF_RATE_MAX_S, time_ns, NULL);
}

/* FROM-TO, either of which may be left out. */
static error_t
take_range(struct prf_reading *reading, const char *arg)
{
	struct prf_wanted *wanted = &reading->wanted;
	const char *dash = strchr(arg, '-');
	int rc = dash && arg[1] ? 0 : -EINVAL;

	wanted->from_ns = wanted->to_ns = 0;
	if (!rc && dash > arg)
		rc = parse_seconds(arg, (size_t)(dash - arg), &wanted->from_ns);
	if (!rc && dash[1])
		rc = parse_seconds(dash + 1, strlen(dash + 1), &wanted->to_ns);
	if (!rc && dash[1] && wanted->to_ns <= wanted->from_ns)
		rc = -EINVAL;
	return rc ? prf_reading_refuse(reading,
				       "--time=%s: not a range; give seconds "
				       "since the start as 1.5-2, 1.5- or -2",
				       arg)
		  : 0;
}

static error_t
take_id(struct prf_reading *reading, const char *option, const char *arg,
	pid_t *id)
{
	uint64_t number;

	if (prf_rate_parse_hz(arg, &number, NULL) || number < 1 ||
	    number > INT_MAX)
		return prf_reading_refuse(reading, "--%s=%s: not an id", option,
					  arg);
	*id = (pid_t)number;
	return 0;
}

int
prf_wanted_check_whole(const struct prf_wanted *wanted, const char *path,
		       const char *kind, struct prf_error *err)
{
	const char *part = wanted->pid                        ? "process"
			   : wanted->tid                      ? "thread"
			   : wanted->from_ns || wanted->to_ns ? "time"
							      : NULL;

	return part ? prf_error_set(err, -EINVAL,
				    "%s: a %s has no samples of a %s to "
				    "choose, a trace has",
				    path, kind, part)
		    : 0;
}

struct prf_objectfile_way
prf_wanted_way(const struct prf_wanted *wanted)
{
	return (struct prf_objectfile_way){
		.open = prf_objectfile_open_recorded,
		.arg = (void *)wanted->symfs,
		.ask = true,
	};
}

/* --- The words */

error_t
prf_reading_take(struct prf_reading *reading, int key, const char *arg)
{
	switch (key) {
	case PRF_READING_KEY_TIME:
		return take_range(reading, arg);
	case PRF_READING_KEY_PID:
		return take_id(reading, "pid", arg, &reading->wanted.pid);
	case PRF_READING_KEY_TID:
		return take_id(reading, "tid", arg, &reading->wanted.tid);
	case PRF_READING_KEY_SYMFS:
		reading->wanted.symfs = arg;
		return 0;
	case 'q':
		reading->messages.verbosity = -1;
		return 0;
	case 'h':
		reading->help = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

error_t
prf_reading_take_match(struct prf_reading *reading, int key, const char *arg,
		       struct prf_matching *matching)
{
	bool is_focus = key == PRF_READING_KEY_FOCUS;
	struct prf_error why = {0};

	if (!is_focus && key != PRF_READING_KEY_IGNORE)
		return ARGP_ERR_UNKNOWN;
	return (is_focus ? prf_matching_focus : prf_matching_ignore)(matching,
								     arg, &why)
		       ? prf_reading_refuse(reading, "--%s=%s",
					    is_focus ? "focus" : "ignore",
					    why.text)
		       : 0;
}

error_t
prf_reading_refuse(struct prf_reading *reading, const char *fmt, ...)
{
	char text[sizeof reading->why.text];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	return -prf_error_set(&reading->why, -EINVAL, "%s", text);
}

static int
parse(const struct argp *parser, char **words, unsigned flags, void *input,
      struct prf_error *err)
{
	struct prf_reading *reading = input;
	char name[64];
	int argc = 0;

	while (words[argc])
		argc++;
	snprintf(name, sizeof name, "profrun: %s", words[0]);
	error_t rc = prf_option_parse(parser, name, argc, words, flags, input);
	if (!rc)
		return 0;
	if (rc == ENOMEM)
		return prf_error_set(err, -ENOMEM, "out of memory");
	return reading->why.code ? prf_error_set(err, -EINVAL, "%s: %s",
						 words[0], reading->why.text)
				 : prf_error_set(err, -EINVAL, "%s", "");
}

int
prf_reading_parse(const struct argp *parser, char **words, void *input,
		  struct prf_error *err)
{
	/* argp puts the options first; the words stay the caller's. */
	return parse(parser, words, 0, input, err);
}

int
prf_reading_parse_in_order(const struct argp *parser, char **words, void *input,
			   struct prf_error *err)
{
	return parse(parser, words, ARGP_IN_ORDER, input, err);
}

int
prf_reading_help(const struct argp *parser, const char *name,
		 const struct prf_messages *messages)
{
	char program[64];

	snprintf(program, sizeof program, "profrun %s", name);
	argp_help(parser, stdout,
		  ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC,
		  program);
	if (!fflush(stdout) && !ferror(stdout))
		return PRF_EXIT_OK;
	prf_message_error(messages, "standard output: %m");
	return PRF_EXIT_FAILED;
}

/* --- How it ends */

int
prf_reading_fail(const struct prf_reading *reading, int status,
		 const struct prf_error *err)
{
	if (err->text[0])
		prf_message_error(&reading->messages, "%s", err->text);
	/* It is not the file that is to blame. */
	return err->code == -ENOMEM ? PRF_EXIT_FAILED : status;
}
