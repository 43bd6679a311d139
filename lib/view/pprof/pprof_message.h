/* pprof_message.h - a pprof file as it is: its parts, each found by its id, and
 * its samples one after the other.
 *
 * Any input is safe: what is broken is an error, never a crash, and what is
 * allocated is a small multiple of the bytes. */
#ifndef PRF_VIEW_PPROF_PPROF_MESSAGE_H
#define PRF_VIEW_PPROF_PPROF_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"

#define PRF_PPROF_NONE ((size_t)-1)

/* Not ended by a NUL; the file's. */
struct prf_pprof_text {
	const char *bytes;
	size_t n;
};

/* What an id stands for. */
struct prf_pprof_id {
	uint64_t id;
	size_t index;
};

struct prf_pprof_ids {
	struct prf_pprof_id *all; /* ascending */
	size_t n, room;
};

struct prf_pprof_function {
	size_t name; /* a string: the mangled one, if there is one */
};

struct prf_pprof_location {
	uint64_t mapping_id; /* 0: none */
	uint64_t address;
	size_t first_line, n_lines; /* the innermost first */
};

struct prf_pprof_mapping {
	uint64_t start, limit, file_off;
	size_t filename, build_id; /* strings */
};

struct prf_pprof_type {
	size_t type, unit; /* strings */
};

struct prf_pprof_list {
	size_t n, room;
};

struct prf_pprof_message {
	uint8_t *bytes; /* its own, if they were compressed; or NULL */
	const uint8_t *message;
	size_t n_bytes;
	struct prf_pprof_text *strings;
	struct prf_pprof_function *functions;
	struct prf_pprof_location *locations;
	uint64_t *lines; /* ids of functions */
	struct prf_pprof_mapping *mappings;
	struct prf_pprof_type *types;
	size_t *comments; /* strings */
	struct prf_pprof_list string_list, function_list, location_list,
		line_list, mapping_list, type_list, comment_list;
	struct prf_pprof_ids function_ids, location_ids, mapping_ids;
	bool has_period;
	struct prf_pprof_type period_type;
	int64_t period;
	int64_t time_ns;     /* since 1970; 0: not known */
	size_t default_type; /* a string; 0: none */
};

/* Can the N BYTES, all of a file, be one?  Any that are compressed can. */
bool prf_pprof_message_is_it(const void *bytes, size_t n);

/* Reads N BYTES, which must last as long as MESSAGE.  -EBADMSG: it is none, or
 * damaged, or its parts do not fit each other; -EFBIG: it has more of something
 * than any profile has; -ENOMEM.  To be cleared, whatever it returned. */
int prf_pprof_message_read(struct prf_pprof_message *message, const void *bytes,
			   size_t n, struct prf_error *err) PRF_MUST_CHECK;
void prf_pprof_message_clear(struct prf_pprof_message *message);

/* The index of the mapping, location or function of ID; NONE. */
size_t prf_pprof_message_find(const struct prf_pprof_ids *ids, uint64_t id);

/* A copy of string NUMBER, to be free()d.  NULL: out of memory. */
char *prf_pprof_message_text(const struct prf_pprof_message *message,
			     size_t number);
/* Is string NUMBER the same as TEXT? */
bool prf_pprof_message_is(const struct prf_pprof_message *message,
			  size_t number, const char *text);

/* What is said of a sample. */
struct prf_pprof_label {
	size_t key, text; /* strings; 0: it is a number */
	int64_t number;
};

struct prf_pprof_sample {
	const size_t *locations; /* indexes, the innermost first */
	size_t n_locations;
	const int64_t *values; /* one of each type */
	const struct prf_pprof_label *labels;
	size_t n_labels;
};

typedef int prf_pprof_message_visit(void *arg,
				    const struct prf_pprof_sample *sample,
				    struct prf_error *err);

/* All samples, until VISIT returns something else than 0.  As above. */
int prf_pprof_message_walk(const struct prf_pprof_message *message,
			   prf_pprof_message_visit *visit, void *arg,
			   struct prf_error *err) PRF_MUST_CHECK;

#endif
