#include "src/message.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "view/table/plain.h"

#define PREFIX "profrun: "

struct prf_messages
prf_messages_to_stderr(void)
{
	return (struct prf_messages){.stream = stderr, .verbosity = 0};
}

static FILE *
summary_of(const struct prf_messages *messages)
{
	return messages->summary ? messages->summary : messages->stream;
}

PRF_PRINTF(3, 0)
static void
say(FILE *out, const char *kind, const char *fmt, va_list args)
{
	char line[1024];
	size_t at = (size_t)snprintf(line, sizeof line, PREFIX "%s", kind);

	vsnprintf(line + at, sizeof line - at - 1, fmt, args);
	prf_plain_print(line, out);
	fputc('\n', out);
	fflush(out);
}

void
prf_message_error(const struct prf_messages *messages, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(messages->stream, "", fmt, args);
	va_end(args);
}

void
prf_message_warn(const struct prf_messages *messages, const char *fmt, ...)
{
	va_list args;

	if (messages->verbosity < 0)
		return;
	va_start(args, fmt);
	say(summary_of(messages), "warning: ", fmt, args);
	va_end(args);
}

void
prf_message_warn_all(const struct prf_messages *messages,
		     const struct prf_warnings *warnings)
{
	for (size_t i = 0; i < warnings->n; i++)
		prf_message_warn(messages, "%s", warnings->lines[i]);
	if (warnings->n_more)
		prf_message_warn(messages, "and %" PRIu64 " more of the kind",
				 warnings->n_more);
}

void
prf_message_note(const struct prf_messages *messages, const char *fmt, ...)
{
	va_list args;

	if (messages->verbosity < 0)
		return;
	va_start(args, fmt);
	say(summary_of(messages), "", fmt, args);
	va_end(args);
}

const char *
prf_message_reason(int code)
{
	return code == -E2BIG     ? "there are too many mappings"
	       : code == -ENOBUFS ? "too much waited to be counted, and what "
				    "followed in those processes is lost"
				  : strerror(-code);
}

FILE *
prf_message_summary(const struct prf_messages *messages)
{
	return messages->verbosity < 0 ? NULL : summary_of(messages);
}
