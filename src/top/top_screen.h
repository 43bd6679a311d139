/* top_screen.h - the terminal of "profrun top": the only file that sees
 * ncurses.  A terminal that takes nothing is not waited for. */
#ifndef PRF_SRC_TOP_TOP_SCREEN_H
#define PRF_SRC_TOP_TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "core/error.h"
#include "src/top/top_lines.h"

struct prf_top_screen;

/* Takes the controlling terminal, until prf_top_screen_close(); if this process
 * crashes it is given back, too.  Only one at a time.  -ENOTTY: it cannot show
 * pictures, or there is none. */
int prf_top_screen_open(struct prf_top_screen **out,
			struct prf_error *err) PRF_MUST_CHECK;
/* To be called by each thread that has signals blocked: a crash with its signal
 * blocked ends the process at once.  (A signal of that kind that somebody sends is
 * a crash, too.) */
void prf_top_screen_expect_crashes(void);
/* Takes NULL.  False: the terminal has not taken all that it was given, in some
 * seconds; it shows something, but its modes are as they were. */
bool prf_top_screen_close(struct prf_top_screen *screen);

/* How large it is now. */
void prf_top_screen_size(struct prf_top_screen *screen, size_t *width,
			 size_t *height);
/* Has it taken the last picture, so that another can be drawn? */
bool prf_top_screen_is_ready(struct prf_top_screen *screen);
void prf_top_screen_draw(struct prf_top_screen *screen,
			 const struct prf_top_lines *picture);
/* Has it been taken away? */
bool prf_top_screen_is_gone(struct prf_top_screen *screen);
/* Waits for a key, MS at the most; it may be called while another thread calls
 * what is below. */
void prf_top_screen_wait(struct prf_top_screen *screen, int ms);
/* A key, see enum prf_top_key; below 0: none has come. */
int prf_top_screen_key(struct prf_top_screen *screen);
/* Gives the terminal to others. */
void prf_top_screen_leave(struct prf_top_screen *screen);
/* Takes it again, if it has been left; then *IS_DUE becomes true: another picture
 * is.  False: others have it still, as this process is in the background. */
bool prf_top_screen_return(struct prf_top_screen *screen, bool *is_due);

#endif
