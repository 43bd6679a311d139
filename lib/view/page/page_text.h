/* page_text.h - the page without its profile, which the build makes of page.html,
 * page.css and page.js. */
#ifndef PRF_VIEW_PAGE_PAGE_TEXT_H
#define PRF_VIEW_PAGE_PAGE_TEXT_H

/* Lines, up to a NULL. */
extern const char *const prf_page_before[], *const prf_page_behind[];

#endif
