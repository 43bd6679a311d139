/* page_json.h - what the pages of profiles and of their differences have in
 * common. */
#ifndef PRF_VIEW_PAGE_PAGE_JSON_H
#define PRF_VIEW_PAGE_PAGE_JSON_H

#include <stdint.h>
#include <stdio.h>

#include "view/export/json.h"

/* More nodes than that take a browser too long, and too much memory. */
enum { PRF_PAGE_NODES_MAX = 400000 };

/* The page up to the JSON in it, and from there on. */
void prf_page_put_begin(FILE *out);
void prf_page_put_end(FILE *out);

/* A row of "binaries"; KIND is one that the page has a colour for. */
void prf_page_put_binary(struct prf_json *json, const char *name,
			 const char *path, const char *kind);
/* A share, or a change of one, of which five digits are told. */
void prf_page_put_share(struct prf_json *json, double share);

#endif
