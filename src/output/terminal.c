#include "src/output/terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A terminal that does not know its width, or has none to speak of, is taken for
 * a usual one. */
static size_t
width_of(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) < 0 ||
	    size.ws_col < PRF_STYLE_MIN_WIDTH)
		return PRF_TERMINAL_USUAL_WIDTH;
	return size.ws_col;
}

/* See https://no-color.org. */
bool
prf_terminal_wants_colours(void)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");

	return !(none && *none) && term && strcmp(term, "dumb") != 0;
}

static bool
locale_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

struct prf_style
prf_terminal_style(FILE *stream, size_t elsewhere, bool full_names)
{
	int fd = fileno(stream);
	bool is_terminal = fd >= 0 && isatty(fd);

	return (struct prf_style){
		.width = is_terminal ? width_of(fd) : elsewhere,
		.has_colours = is_terminal && prf_terminal_wants_colours(),
		.has_lines = is_terminal && locale_is_utf8(),
		.full_names = full_names,
	};
}
