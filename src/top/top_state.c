#include "src/top/top_state.h"

#include <string.h>

const char *const prf_top_help[] = {
	"1 2 3 4 5   functions, binaries, threads, lines, programs (Tab: next)",
	"s           sort by self or by total",
	"/           type a filter: names or binaries that have it; Esc ends "
	"it",
	"Up Down     select; Enter shows callers and callees of a function",
	"a           all since the start, or only the last seconds",
	"z           forget what was counted so far",
	"Space       freeze the picture; p pauses counting",
	"q           end: a program that was started is asked to end, one that",
	"            was attached to runs on; the profile is written",
	NULL,
};

static void
choose(struct prf_top_state *state, enum prf_rows_by by)
{
	state->by = by;
	state->selected = state->first = 0;
	state->is_expanded = false;
}

/* --- While a filter is typed */

/* A character of UTF-8 comes byte by byte. */
static bool
is_byte_of_text(int key)
{
	return key >= ' ' && key != 0x7f && key <= 0xff;
}

static void
take_last(char *filter)
{
	size_t n = strlen(filter);

	while (n > 1 && ((unsigned char)filter[n - 1] & 0xc0) == 0x80)
		n--;
	if (n)
		filter[n - 1] = '\0';
}

static void
add_to_filter(struct prf_top_state *state, int key)
{
	size_t n = strlen(state->filter);

	if (is_byte_of_text(key) && n + 1 < sizeof state->filter) {
		state->filter[n] = (char)key;
		state->filter[n + 1] = '\0';
		state->selected = 0;
	}
}

static enum prf_top_action
type(struct prf_top_state *state, int key)
{
	switch (key) {
	case PRF_TOP_KEY_ENTER:
		state->is_typing = false;
		break;
	case PRF_TOP_KEY_ESCAPE:
		state->is_typing = false;
		state->filter[0] = '\0';
		break;
	case PRF_TOP_KEY_BACKSPACE:
		take_last(state->filter);
		break;
	default:
		add_to_filter(state, key);
	}
	return PRF_TOP_DRAW;
}

/* --- Keys that move */

static void
move(struct prf_top_state *state, size_t n_rows, ptrdiff_t by)
{
	size_t last = n_rows ? n_rows - 1 : 0;

	if (by < 0)
		state->selected -= (size_t)-by < state->selected
					   ? (size_t)-by
					   : state->selected;
	else
		state->selected = (size_t)by < last - state->selected
					  ? state->selected + (size_t)by
					  : last;
}

static enum prf_top_action
go(struct prf_top_state *state, int key, size_t n_rows, size_t n_in_sight)
{
	ptrdiff_t page = n_in_sight ? (ptrdiff_t)n_in_sight : 1;

	prf_top_state_settle(state, n_rows, n_in_sight);
	switch (key) {
	case PRF_TOP_KEY_UP:
		move(state, n_rows, -1);
		break;
	case PRF_TOP_KEY_DOWN:
		move(state, n_rows, 1);
		break;
	case PRF_TOP_KEY_PAGE_UP:
		move(state, n_rows, -page);
		break;
	case PRF_TOP_KEY_PAGE_DOWN:
		move(state, n_rows, page);
		break;
	case PRF_TOP_KEY_HOME:
		state->selected = 0;
		break;
	case PRF_TOP_KEY_END:
		state->selected = n_rows ? n_rows - 1 : 0;
		break;
	default:
		return PRF_TOP_NOTHING;
	}
	prf_top_state_settle(state, n_rows, n_in_sight);
	return PRF_TOP_DRAW;
}

/* --- All others */

static const enum prf_rows_by views[] = {
	PRF_ROWS_BY_FUNCTION, PRF_ROWS_BY_BINARY,  PRF_ROWS_BY_THREAD,
	PRF_ROWS_BY_LINE,     PRF_ROWS_BY_PROGRAM,
};

enum { N_VIEWS = sizeof views / sizeof *views };

static void
choose_next(struct prf_top_state *state)
{
	size_t i = 0;

	while (i < N_VIEWS && views[i] != state->by)
		i++;
	choose(state, views[(i + 1) % N_VIEWS]);
}

static bool
flip(bool *what)
{
	*what = !*what;
	return true;
}

/* False: KEY means nothing. */
static bool
change(struct prf_top_state *state, int key)
{
	switch (key) {
	case 's':
		return flip(&state->by_total);
	case 'a':
		return flip(&state->since_begin);
	case ' ':
		return flip(&state->is_frozen);
	case 'h':
	case '?':
		return flip(&state->shows_help);
	case '/':
		return flip(&state->is_typing);
	case PRF_TOP_KEY_ENTER:
		return flip(&state->is_expanded);
	case PRF_TOP_KEY_TAB:
		choose_next(state);
		return true;
	case PRF_TOP_KEY_ESCAPE:
		state->shows_help = state->is_expanded = false;
		state->filter[0] = '\0';
		return true;
	default:
		return false;
	}
}

static enum prf_top_action
press(struct prf_top_state *state, int key)
{
	if (key >= '1' && key < '1' + N_VIEWS) {
		choose(state, views[key - '1']);
		return PRF_TOP_DRAW;
	}
	switch (key) {
	case 'q':
		return PRF_TOP_QUIT;
	case 'p':
		return PRF_TOP_COUNT;
	case 'z':
		return PRF_TOP_RESET;
	default:
		return change(state, key) ? PRF_TOP_DRAW : PRF_TOP_NOTHING;
	}
}

enum prf_top_action
prf_top_state_press(struct prf_top_state *state, int key, size_t n_rows,
		    size_t n_in_sight)
{
	if (key == PRF_TOP_KEY_INTERRUPT)
		return PRF_TOP_QUIT;
	if (key == PRF_TOP_KEY_SUSPEND)
		return PRF_TOP_SUSPEND;
	enum prf_top_action action = go(state, key, n_rows, n_in_sight);
	if (action != PRF_TOP_NOTHING)
		return action;
	return state->is_typing ? type(state, key) : press(state, key);
}

void
prf_top_state_settle(struct prf_top_state *state, size_t n_rows,
		     size_t n_in_sight)
{
	if (state->selected >= n_rows)
		state->selected = n_rows ? n_rows - 1 : 0;
	if (state->first > state->selected)
		state->first = state->selected;
	if (n_in_sight && state->selected - state->first >= n_in_sight)
		state->first = state->selected - n_in_sight + 1;
	if (state->first && n_rows - state->first < n_in_sight)
		state->first = n_rows > n_in_sight ? n_rows - n_in_sight : 0;
}

bool
prf_top_state_passes(const struct prf_top_state *state, const char *name,
		     const char *binary)
{
	return !state->filter[0] || strcasestr(name, state->filter) ||
	       strcasestr(binary, state->filter);
}
