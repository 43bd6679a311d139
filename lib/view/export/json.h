/* json.h - text in JSON. */
#ifndef PRF_VIEW_EXPORT_JSON_H
#define PRF_VIEW_EXPORT_JSON_H

#include <stdio.h>

/* TEXT as a string of JSON, with its quotes.  Bytes that are no UTF-8 become
 * U+FFFD.  It may stand in a script of HTML: there is no '<' in it. */
void prf_json_string(const char *text, FILE *out);

#endif
