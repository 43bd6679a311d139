/* json.h - JSON, written as it comes: nothing of it is kept.
 *
 * Bytes of text that are no UTF-8 become U+FFFD.  What is written may stand in a
 * script of HTML: there is no '<' in it. */
#ifndef PRF_VIEW_EXPORT_JSON_H
#define PRF_VIEW_EXPORT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One value, with all that is in it.  All zero but OUT: nothing was written. */
struct prf_json {
	FILE *out;
	unsigned depth;   /* objects and lists that are open; at most 63 */
	uint64_t objects; /* which of them are objects, a bit each */
	uint64_t begun;   /* which have a member already */
	unsigned in_line; /* members since the line began */
};

/* NAME is that of a member of an object; in a list it is NULL. */
void prf_json_object(struct prf_json *json, const char *name);
void prf_json_list(struct prf_json *json, const char *name);
/* Ends the object or list that was begun last. */
void prf_json_end(struct prf_json *json);

/* TEXT NULL: null. */
void prf_json_text(struct prf_json *json, const char *name, const char *text);
void prf_json_number(struct prf_json *json, const char *name, uint64_t number);
void prf_json_signed(struct prf_json *json, const char *name, int64_t number);
/* As text: "0x1f". */
void prf_json_hex(struct prf_json *json, const char *name, uint64_t number);
/* NUMBER divided by 10 to the power of DIGITS. */
void prf_json_decimal(struct prf_json *json, const char *name, uint64_t number,
		      unsigned digits);
/* NUMBER, to so many DIGITS behind the point; of what is below 0 or no number 0,
 * and at most what 64 bits hold of it. */
void prf_json_real(struct prf_json *json, const char *name, double number,
		   unsigned digits);
/* Six digits of NUMBER, wherever its point is; of what is no number: null. */
void prf_json_float(struct prf_json *json, const char *name, double number);
void prf_json_bool(struct prf_json *json, const char *name, bool value);
void prf_json_null(struct prf_json *json, const char *name);
/* null if it IS not KNOWN. */
void prf_json_number_or_null(struct prf_json *json, const char *name,
			     uint64_t number, bool is_known);
/* A list of N numbers. */
void prf_json_numbers(struct prf_json *json, const char *name,
		      const uint32_t *numbers, size_t n);

/* A list of N equal values, each written by PUT, without a name. */
void prf_json_repeat(struct prf_json *json, const char *name, size_t n,
		     void (*put)(struct prf_json *json, const char *name));

/* TEXT as a string, with its quotes. */
void prf_json_string(const char *text, FILE *out);

#endif
