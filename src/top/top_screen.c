#include "src/top/top_screen.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "src/output/terminal.h"
#include "src/top/top_writer.h"
#include "view/table/plain.h"

/* How long a terminal has to take what it is given: a picture, while this process
 * waits for it; and to be given back, before others have it, and at the end. */
enum { PICTURE_MS = 50, LEAVE_MS = 200, END_MS = 2000 };

struct prf_top_screen {
	FILE *in, *out;
	SCREEN *curses;
	/* Of all that curses writes: it would wait for a terminal that takes
	 * nothing.  The modes of the terminal, which curses cannot reach
	 * meanwhile, are set here. */
	struct prf_top_writer writer;
	struct termios during;
};

/* --- A crash */

/* Of the one screen: what a handler of signals needs. */
static struct {
	volatile sig_atomic_t is_taken;
	int fd;
	struct termios before;
	char restore[128]; /* leaves the other screen, shows the cursor */
	size_t n_bytes;
} terminal;

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static void
crash(int signal)
{
	if (terminal.is_taken) {
		terminal.is_taken = 0;
		(void)!write(terminal.fd, terminal.restore, terminal.n_bytes);
		tcsetattr(terminal.fd, TCSANOW, &terminal.before);
	}
	raise(signal); /* as it would have ended */
}

static void
note_restore(const char *capability)
{
	size_t left = sizeof terminal.restore - terminal.n_bytes;

	if (!capability || capability == (char *)-1 ||
	    strlen(capability) >= left)
		return;
	memcpy(terminal.restore + terminal.n_bytes, capability,
	       strlen(capability));
	terminal.n_bytes += strlen(capability);
}

static void
prepare_for_crashes(int fd)
{
	const struct sigaction action = {
		.sa_handler = crash,
		.sa_flags = (int)SA_RESETHAND,
	};

	terminal.fd = fd;
	terminal.n_bytes = 0;
	note_restore(tigetstr("rmcup"));
	note_restore(tigetstr("cnorm"));
	terminal.is_taken = 1;
	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
		sigaction(crashes[i], &action, NULL);
}

void
prf_top_screen_expect_crashes(void)
{
	sigset_t signals;

	if (!terminal.is_taken)
		return;
	sigemptyset(&signals);
	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
		sigaddset(&signals, crashes[i]);
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

/* --- Open and close */

static const short heats[] = {COLOR_GREEN, COLOR_YELLOW, COLOR_RED};

static void
set_colours(void)
{
	if (!prf_terminal_wants_colours() || !has_colors())
		return;
	start_color();
	use_default_colors();
	for (short i = 0; i < (short)(sizeof heats / sizeof *heats); i++)
		init_pair((short)(i + 1), heats[i], -1);
}

static void
set_up(struct prf_top_screen *screen)
{
	raw(); /* ^C and ^Z are keys */
	intrflush(stdscr, FALSE);
	tcgetattr(fileno(screen->in), &screen->during);
	prf_top_writer_begin(&screen->writer);
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	set_colours();
	prf_top_writer_end(&screen->writer);
}

/* The controlling terminal.  Whether NAME has pictures, newterm() says. */
static int
open_terminal(struct prf_top_screen *screen, const char *name)
{
	screen->in = fopen("/dev/tty", "re");
	screen->out = screen->in ? fopen("/dev/tty", "we") : NULL;
	if (!screen->out ||
	    prf_top_writer_open(&screen->writer, fileno(screen->out)))
		return -ENOTTY;
	tcgetattr(fileno(screen->in), &terminal.before);
	screen->curses = newterm(name, screen->out, screen->in);
	return screen->curses ? 0 : -ENOTTY;
}

static bool
is_dumb(const char *name)
{
	return !name || !*name || strcmp(name, "dumb") == 0;
}

int
prf_top_screen_open(struct prf_top_screen **out, struct prf_error *err)
{
	struct prf_top_screen *screen = calloc(1, sizeof *screen);
	const char *name = getenv("TERM");

	if (!screen)
		return prf_error_set(err, -ENOMEM, "out of memory");
	if (is_dumb(name) || open_terminal(screen, name)) {
		prf_top_screen_close(screen);
		return prf_error_set(err, -ENOTTY,
				     "no terminal that shows pictures");
	}
	prepare_for_crashes(screen->writer.quick);
	set_up(screen);
	*out = screen;
	return 0;
}

/* The terminal is as it was before, within MS; what it does not take by then is
 * kept.  False: there is such. */
static bool
give_back(struct prf_top_screen *screen, int ms)
{
	prf_top_writer_begin(&screen->writer);
	endwin();
	prf_top_writer_end(&screen->writer);
	bool takes = prf_top_writer_give(&screen->writer, ms) != -EAGAIN;

	tcsetattr(screen->writer.quick, TCSANOW, &terminal.before);
	terminal.is_taken = 0;
	return takes;
}

bool
prf_top_screen_close(struct prf_top_screen *screen)
{
	bool takes = true;

	if (!screen)
		return true;
	if (screen->curses) {
		if (terminal.is_taken)
			takes = give_back(screen, END_MS);
		delscreen(screen->curses);
		for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
			signal(crashes[i], SIG_DFL);
	}
	prf_top_writer_close(&screen->writer);
	if (screen->in)
		fclose(screen->in);
	if (screen->out)
		fclose(screen->out);
	free(screen);
	return takes;
}

/* --- The picture */

void
prf_top_screen_size(struct prf_top_screen *screen, size_t *width,
		    size_t *height)
{
	struct winsize size;

	if (!ioctl(fileno(screen->in), TIOCGWINSZ, &size) && size.ws_row &&
	    size.ws_col && is_term_resized(size.ws_row, size.ws_col))
		resizeterm(size.ws_row, size.ws_col);
	*width = COLS > 0 ? (size_t)COLS : 1;
	*height = LINES > 0 ? (size_t)LINES : 1;
}

static attr_t
heat_of(double percent)
{
	return percent >= 20  ? COLOR_PAIR(3)
	       : percent >= 5 ? COLOR_PAIR(2)
	       : percent >= 1 ? COLOR_PAIR(1)
			      : A_NORMAL;
}

static attr_t
look_of(const struct prf_top_line *line)
{
	switch (line->kind) {
	case PRF_TOP_LINE_TITLE:
	case PRF_TOP_LINE_HEADING:
		return A_BOLD;
	case PRF_TOP_LINE_SELECTED:
		return A_REVERSE;
	case PRF_TOP_LINE_ROW:
		return heat_of(line->percent);
	case PRF_TOP_LINE_STATE:
	case PRF_TOP_LINE_RELATIVE:
	case PRF_TOP_LINE_NOTE:
		break;
	}
	return A_NORMAL;
}

bool
prf_top_screen_is_ready(struct prf_top_screen *screen)
{
	return prf_top_writer_give(&screen->writer, 0) != -EAGAIN;
}

void
prf_top_screen_draw(struct prf_top_screen *screen,
		    const struct prf_top_lines *picture)
{
	prf_top_writer_begin(&screen->writer);
	erase();
	for (size_t i = 0; i < picture->n && i < (size_t)LINES; i++) {
		attr_t look = look_of(&picture->all[i]);
		const char *text = picture->all[i].text;

		attrset((int)look);
		/* What is longer would go on in the next line. */
		mvaddnstr((int)i, 0, text,
			  (int)prf_plain_bytes(text, (size_t)COLS));
		if (picture->all[i].kind == PRF_TOP_LINE_SELECTED)
			chgat(-1, look, 0, NULL);
	}
	attrset(A_NORMAL);
	refresh();
	prf_top_writer_end(&screen->writer);
	(void)!prf_top_writer_give(&screen->writer, PICTURE_MS);
}

/* --- Keys */

static const struct {
	int curses, key;
} keys[] = {
	{KEY_UP, PRF_TOP_KEY_UP},
	{KEY_DOWN, PRF_TOP_KEY_DOWN},
	{KEY_PPAGE, PRF_TOP_KEY_PAGE_UP},
	{KEY_NPAGE, PRF_TOP_KEY_PAGE_DOWN},
	{KEY_HOME, PRF_TOP_KEY_HOME},
	{KEY_END, PRF_TOP_KEY_END},
	{KEY_ENTER, PRF_TOP_KEY_ENTER},
	{'\r', PRF_TOP_KEY_ENTER},
	{KEY_BACKSPACE, PRF_TOP_KEY_BACKSPACE},
	{0x7f, PRF_TOP_KEY_BACKSPACE},
	{'\b', PRF_TOP_KEY_BACKSPACE},
	{'C' & 0x1f, PRF_TOP_KEY_INTERRUPT},
	{'Z' & 0x1f, PRF_TOP_KEY_SUSPEND},
};

bool
prf_top_screen_is_gone(struct prf_top_screen *screen)
{
	struct pollfd terminal_fd = {.fd = fileno(screen->in)};

	return poll(&terminal_fd, 1, 0) > 0;
}

void
prf_top_screen_wait(struct prf_top_screen *screen, int ms)
{
	struct pollfd terminal_fd = {.fd = fileno(screen->in)};

	/* What others are to read is not waited for. */
	if (terminal.is_taken)
		terminal_fd.events = POLLIN;
	poll(&terminal_fd, 1, ms);
}

int
prf_top_screen_key(struct prf_top_screen *screen)
{
	/* This can write, too. */
	prf_top_writer_begin(&screen->writer);
	timeout(0);
	int key = getch();

	prf_top_writer_end(&screen->writer);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i].curses == key)
			return keys[i].key;
	return key == ERR || key == KEY_RESIZE ? -1 : key;
}

/* --- Others have it */

void
prf_top_screen_leave(struct prf_top_screen *screen)
{
	if (terminal.is_taken)
		(void)give_back(screen, LEAVE_MS);
}

bool
prf_top_screen_return(struct prf_top_screen *screen, bool *is_due)
{
	if (terminal.is_taken)
		return true;
	if (tcgetpgrp(fileno(screen->in)) != getpgrp())
		return false;
	terminal.is_taken = 1;
	tcsetattr(screen->writer.quick, TCSANOW, &screen->during);
	prf_top_writer_begin(&screen->writer);
	clearok(stdscr, TRUE);
	refresh(); /* in a size that it perhaps has no more */
	prf_top_writer_end(&screen->writer);
	*is_due = true;
	return true;
}
