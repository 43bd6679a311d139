#include "view/pprof/pprof_message.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/pctrace/varint.h"
#include "core/scope.h"
#include "view/pprof/gzip.h"
#include "view/pprof/profile.pb-c.h"

/* More than any profile has: of anything, and of bytes for one thing but a
 * string. */
enum { MAX_PARTS = 1 << 23, MAX_PART_BYTES = 1 << 20 };

/* Numbers of fields that are looked at here; there may be some more by now than
 * are known. */
enum { FIELD_SAMPLE = 2, FIELD_STRING = 6, LAST_FIELD = 31 };

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

/* --- A field of the message */

enum wire {
	WIRE_NUMBER = 0,
	WIRE_8_BYTES = 1,
	WIRE_BYTES = 2,
	WIRE_4_BYTES = 5,
};

struct field {
	uint64_t number;
	const uint8_t *start, *content, *end;
};

static uint64_t
content_bytes(struct prf_varint_in *in, enum wire wire)
{
	switch (wire) {
	case WIRE_8_BYTES:
		return 8;
	case WIRE_4_BYTES:
		return 4;
	case WIRE_BYTES:
		return prf_varint_take(in);
	case WIRE_NUMBER:
		prf_varint_take(in);
		return 0;
	}
	in->bad = true;
	return 0;
}

/* The field that begins at IN, which moves behind it. */
static bool
take_field(struct prf_varint_in *in, struct field *field)
{
	field->start = in->at;
	uint64_t tag = prf_varint_take(in);
	uint64_t n = content_bytes(in, (enum wire)(tag & 7));

	if (in->bad || n > (size_t)(in->end - in->at) || !(tag >> 3))
		return false;
	field->number = tag >> 3;
	field->content = in->at;
	field->end = in->at += n;
	return true;
}

static struct prf_varint_in
begin(const struct prf_pprof_message *message)
{
	return (struct prf_varint_in){
		message->message, message->message + message->n_bytes, false};
}

static int
refuse_at(const struct prf_pprof_message *message, const uint8_t *at,
	  struct prf_error *err)
{
	return prf_error_set(
		err, -EBADMSG, "%sbyte %tu: it is no pprof file, or damaged",
		message->bytes ? "expanded, " : "", at - message->message);
}

/* FIELD as a message of its own.  NULL: ERR has it. */
static PrfPprof__Profile *
unpack(const struct prf_pprof_message *message, const struct field *field,
       struct prf_error *err)
{
	size_t n = (size_t)(field->end - field->start);

	if (n > MAX_PART_BYTES) {
		prf_error_set(err, -EFBIG,
			      "byte %tu: %zu bytes for one thing, and more "
			      "than %d are not read",
			      field->start - message->message, n,
			      MAX_PART_BYTES);
		return NULL;
	}
	PrfPprof__Profile *part =
		prf_pprof__profile__unpack(NULL, n, field->start);
	if (!part)
		refuse_at(message, field->start, err);
	return part;
}

static void
free_part(PrfPprof__Profile **part)
{
	if (*part)
		prf_pprof__profile__free_unpacked(*part, NULL);
}

/* --- Parts */

/* ALL with room for N more elements of N_BYTES, which are counted.  NULL: ERR
 * has it. */
static void *
reserve(void *all, struct prf_pprof_list *list, size_t n, size_t n_bytes,
	struct prf_error *err)
{
	size_t room = 2 * (list->n + n) + 16;

	if (list->n + n > MAX_PARTS) {
		prf_error_set(err, -EFBIG,
			      "more than %d of one kind of its parts",
			      MAX_PARTS);
		return NULL;
	}
	list->n += n;
	if (list->n < list->room)
		return all;
	void *grown = reallocarray(all, room, n_bytes);
	if (grown)
		list->room = room;
	else
		no_memory(err);
	return grown;
}

static int
name_id(struct prf_pprof_ids *ids, uint64_t id, struct prf_error *err)
{
	struct prf_pprof_list list = {ids->n, ids->room};

	if (!id)
		return prf_error_set(err, -EBADMSG, "a part without an id");
	struct prf_pprof_id *all =
		reserve(ids->all, &list, 1, sizeof *all, err);
	if (!all)
		return err->code;
	all[ids->n] = (struct prf_pprof_id){id, ids->n};
	*ids = (struct prf_pprof_ids){all, list.n, list.room};
	return 0;
}

/* A number of a string, to be checked when all are known. */
static size_t
string_number(int64_t number)
{
	return number < 0 ? PRF_PPROF_NONE : (size_t)number;
}

static int
take_type(struct prf_pprof_message *message, const PrfPprof__ValueType *from,
	  struct prf_error *err)
{
	struct prf_pprof_type *all = reserve(
		message->types, &message->type_list, 1, sizeof *all, err);

	if (!all)
		return err->code;
	message->types = all;
	all[message->type_list.n - 1] = (struct prf_pprof_type){
		string_number(from->type), string_number(from->unit)};
	return 0;
}

static int
take_mapping(struct prf_pprof_message *message, const PrfPprof__Mapping *from,
	     struct prf_error *err)
{
	struct prf_pprof_mapping *all = reserve(
		message->mappings, &message->mapping_list, 1, sizeof *all, err);

	if (!all)
		return err->code;
	message->mappings = all;
	all[message->mapping_list.n - 1] = (struct prf_pprof_mapping){
		.start = from->memory_start,
		.limit = from->memory_limit,
		.file_off = from->file_offset,
		.filename = string_number(from->filename),
		.build_id = string_number(from->build_id),
	};
	return name_id(&message->mapping_ids, from->id, err);
}

static int
take_lines(struct prf_pprof_message *message, const PrfPprof__Location *from,
	   struct prf_error *err)
{
	size_t first = message->line_list.n;
	uint64_t *all = reserve(message->lines, &message->line_list,
				from->n_line, sizeof *all, err);

	if (!all)
		return err->code;
	message->lines = all;
	for (size_t i = 0; i < from->n_line; i++)
		all[first + i] = from->line[i]->function_id;
	return 0;
}

static int
take_location(struct prf_pprof_message *message, const PrfPprof__Location *from,
	      struct prf_error *err)
{
	struct prf_pprof_location *all =
		reserve(message->locations, &message->location_list, 1,
			sizeof *all, err);

	if (!all)
		return err->code;
	message->locations = all;
	all[message->location_list.n - 1] = (struct prf_pprof_location){
		.mapping_id = from->mapping_id,
		.address = from->address,
		.first_line = message->line_list.n,
		.n_lines = from->n_line,
	};
	int rc = take_lines(message, from, err);
	return rc ? rc : name_id(&message->location_ids, from->id, err);
}

static int
take_function(struct prf_pprof_message *message, const PrfPprof__Function *from,
	      struct prf_error *err)
{
	struct prf_pprof_function *all =
		reserve(message->functions, &message->function_list, 1,
			sizeof *all, err);

	if (!all)
		return err->code;
	message->functions = all;
	all[message->function_list.n - 1].name = string_number(
		from->system_name ? from->system_name : from->name);
	return name_id(&message->function_ids, from->id, err);
}

static int
take_comment(struct prf_pprof_message *message, int64_t number,
	     struct prf_error *err)
{
	size_t *all = reserve(message->comments, &message->comment_list, 1,
			      sizeof *all, err);

	if (!all)
		return err->code;
	message->comments = all;
	all[message->comment_list.n - 1] = string_number(number);
	return 0;
}

/* What a profile has once: the last one is good. */
static void
take_rest(struct prf_pprof_message *message, const PrfPprof__Profile *part)
{
	if (part->period_type) {
		message->has_period = true;
		message->period_type = (struct prf_pprof_type){
			string_number(part->period_type->type),
			string_number(part->period_type->unit)};
	}
	if (part->period)
		message->period = part->period;
	if (part->time_nanos)
		message->time_ns = part->time_nanos;
	if (part->default_sample_type)
		message->default_type =
			string_number(part->default_sample_type);
}

static int
take_part(struct prf_pprof_message *message, const PrfPprof__Profile *part,
	  struct prf_error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < part->n_sample_type; i++)
		rc = take_type(message, part->sample_type[i], err);
	for (size_t i = 0; !rc && i < part->n_mapping; i++)
		rc = take_mapping(message, part->mapping[i], err);
	for (size_t i = 0; !rc && i < part->n_location; i++)
		rc = take_location(message, part->location[i], err);
	for (size_t i = 0; !rc && i < part->n_function; i++)
		rc = take_function(message, part->function[i], err);
	for (size_t i = 0; !rc && i < part->n_comment; i++)
		rc = take_comment(message, part->comment[i], err);
	take_rest(message, part);
	return rc;
}

static int
take_string(struct prf_pprof_message *message, const struct field *field,
	    struct prf_error *err)
{
	const char *bytes = (const char *)field->content;
	size_t n = (size_t)(field->end - field->content);

	struct prf_pprof_text *all = reserve(
		message->strings, &message->string_list, 1, sizeof *all, err);

	if (!all)
		return err->code;
	message->strings = all;
	all[message->string_list.n - 1] =
		(struct prf_pprof_text){bytes, strnlen(bytes, n)};
	return 0;
}

static int
take_parts(struct prf_pprof_message *message, struct prf_error *err)
{
	struct prf_varint_in in = begin(message);
	struct field field;
	int rc = 0;

	while (!rc && in.at < in.end) {
		if (!take_field(&in, &field))
			return refuse_at(message, field.start, err);
		if (field.number == FIELD_STRING)
			rc = take_string(message, &field, err);
		if (field.number == FIELD_STRING ||
		    field.number == FIELD_SAMPLE)
			continue;
		PRF_AUTO(free_part)
		PrfPprof__Profile *part = unpack(message, &field, err);
		rc = part ? take_part(message, part, err) : err->code;
	}
	return rc;
}

/* --- Do they fit? */

static int
check_string(const struct prf_pprof_message *message, size_t number,
	     struct prf_error *err)
{
	return number < message->string_list.n
		       ? 0
		       : prf_error_set(err, -EBADMSG,
				       "string %zd, and there are %zu",
				       (ssize_t)number, message->string_list.n);
}

static int
check_strings(const struct prf_pprof_message *message, struct prf_error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < message->type_list.n; i++) {
		rc = check_string(message, message->types[i].type, err);
		if (!rc)
			rc = check_string(message, message->types[i].unit, err);
	}
	for (size_t i = 0; !rc && i < message->mapping_list.n; i++) {
		rc = check_string(message, message->mappings[i].filename, err);
		if (!rc)
			rc = check_string(message,
					  message->mappings[i].build_id, err);
	}
	for (size_t i = 0; !rc && i < message->function_list.n; i++)
		rc = check_string(message, message->functions[i].name, err);
	for (size_t i = 0; !rc && i < message->comment_list.n; i++)
		rc = check_string(message, message->comments[i], err);
	if (!rc && message->has_period)
		rc = check_string(message, message->period_type.type, err);
	if (!rc && message->has_period)
		rc = check_string(message, message->period_type.unit, err);
	if (!rc && message->default_type)
		rc = check_string(message, message->default_type, err);
	return rc;
}

static int
check_id(const struct prf_pprof_ids *ids, const char *what, uint64_t id,
	 struct prf_error *err)
{
	return prf_pprof_message_find(ids, id) != PRF_PPROF_NONE
		       ? 0
		       : prf_error_set(err, -EBADMSG,
				       "%s %" PRIu64 ", and there is none",
				       what, id);
}

static int
check_locations(const struct prf_pprof_message *message, struct prf_error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < message->line_list.n; i++)
		rc = check_id(&message->function_ids, "function",
			      message->lines[i], err);
	for (size_t i = 0; !rc && i < message->location_list.n; i++)
		if (message->locations[i].mapping_id)
			rc = check_id(&message->mapping_ids, "mapping",
				      message->locations[i].mapping_id, err);
	return rc;
}

static int
by_id(const void *a, const void *b)
{
	const struct prf_pprof_id *left = a, *right = b;

	return (left->id > right->id) - (left->id < right->id);
}

static int
sort_ids(struct prf_pprof_ids *ids, const char *what, struct prf_error *err)
{
	if (ids->n)
		qsort(ids->all, ids->n, sizeof *ids->all, by_id);
	for (size_t i = 1; i < ids->n; i++)
		if (ids->all[i].id == ids->all[i - 1].id)
			return prf_error_set(err, -EBADMSG, "two %ss %" PRIu64,
					     what, ids->all[i].id);
	return 0;
}

static int
check(struct prf_pprof_message *message, struct prf_error *err)
{
	int rc = sort_ids(&message->function_ids, "function", err);

	if (!rc)
		rc = sort_ids(&message->location_ids, "location", err);
	if (!rc)
		rc = sort_ids(&message->mapping_ids, "mapping", err);
	if (!rc && !message->type_list.n)
		rc = prf_error_set(err, -EBADMSG,
				   "does not tell what its values are: it is "
				   "no pprof file, or damaged");
	if (!rc)
		rc = check_strings(message, err);
	return rc ? rc : check_locations(message, err);
}

/* --- All of it */

bool
prf_pprof_message_is_it(const void *bytes, size_t n)
{
	const struct prf_pprof_message message = {.message = bytes,
						  .n_bytes = n};
	struct prf_varint_in in = begin(&message);
	struct field field;
	bool is_one = n > 0;

	if (prf_gzip_is_it(bytes, n))
		return true;
	while (is_one && in.at < in.end)
		is_one = take_field(&in, &field) && field.number <= LAST_FIELD;
	return is_one;
}

int
prf_pprof_message_read(struct prf_pprof_message *message, const void *bytes,
		       size_t n, struct prf_error *err)
{
	struct prf_error own;
	int rc = 0;

	*message = (struct prf_pprof_message){.message = bytes, .n_bytes = n};
	err = err ? err : &own;
	if (prf_gzip_is_it(bytes, n)) {
		rc = prf_gzip_expand(bytes, n, &message->bytes,
				     &message->n_bytes, err);
		message->message = message->bytes;
	}
	if (!rc)
		rc = take_parts(message, err);
	return rc ? rc : check(message, err);
}

void
prf_pprof_message_clear(struct prf_pprof_message *message)
{
	free(message->bytes);
	free(message->strings);
	free(message->functions);
	free(message->locations);
	free(message->lines);
	free(message->mappings);
	free(message->types);
	free(message->comments);
	free(message->function_ids.all);
	free(message->location_ids.all);
	free(message->mapping_ids.all);
	*message = (struct prf_pprof_message){0};
}

size_t
prf_pprof_message_find(const struct prf_pprof_ids *ids, uint64_t id)
{
	const struct prf_pprof_id wanted = {.id = id};

	/* Mostly they are 1, 2, 3... */
	if (id && id <= ids->n && ids->all[id - 1].id == id)
		return ids->all[id - 1].index;
	const struct prf_pprof_id *found =
		ids->n ? bsearch(&wanted, ids->all, ids->n, sizeof wanted,
				 by_id)
		       : NULL;
	return found ? found->index : PRF_PPROF_NONE;
}

char *
prf_pprof_message_text(const struct prf_pprof_message *message, size_t number)
{
	const struct prf_pprof_text *text = &message->strings[number];

	return strndup(text->bytes, text->n);
}

bool
prf_pprof_message_is(const struct prf_pprof_message *message, size_t number,
		     const char *text)
{
	const struct prf_pprof_text *there = &message->strings[number];

	return there->n == strlen(text) &&
	       memcmp(there->bytes, text, there->n) == 0;
}

/* --- Samples */

struct walk {
	const struct prf_pprof_message *message;
	prf_pprof_message_visit *visit;
	void *arg;
	size_t *locations;
	size_t room;
	struct prf_pprof_label *labels;
	size_t labels_room;
};

static int
read_labels(struct walk *walk, const PrfPprof__Sample *sample,
	    struct prf_error *err)
{
	size_t n_strings = walk->message->string_list.n;

	if (sample->n_label > walk->labels_room) {
		free(walk->labels);
		walk->labels_room = 2 * sample->n_label;
		walk->labels = calloc(walk->labels_room, sizeof *walk->labels);
		if (!walk->labels)
			return no_memory(err);
	}
	for (size_t i = 0; i < sample->n_label; i++) {
		const PrfPprof__Label *label = sample->label[i];
		size_t key = string_number(label->key);
		size_t text = string_number(label->str);

		if (key >= n_strings || text >= n_strings)
			return prf_error_set(err, -EBADMSG,
					     "a label without a string");
		walk->labels[i] =
			(struct prf_pprof_label){key, text, label->num};
	}
	return 0;
}

static int
visit_sample(struct walk *walk, const PrfPprof__Sample *sample,
	     struct prf_error *err)
{
	const struct prf_pprof_message *message = walk->message;
	int rc = 0;

	if (sample->n_value != message->type_list.n)
		return prf_error_set(err, -EBADMSG,
				     "a sample with %zu values, of %zu types",
				     sample->n_value, message->type_list.n);
	if (sample->n_location_id > walk->room) {
		free(walk->locations);
		walk->room = 2 * sample->n_location_id;
		walk->locations = calloc(walk->room, sizeof *walk->locations);
		if (!walk->locations)
			return no_memory(err);
	}
	for (size_t i = 0; !rc && i < sample->n_location_id; i++) {
		walk->locations[i] = prf_pprof_message_find(
			&message->location_ids, sample->location_id[i]);
		if (walk->locations[i] == PRF_PPROF_NONE)
			rc = check_id(&message->location_ids, "location",
				      sample->location_id[i], err);
	}
	if (!rc)
		rc = read_labels(walk, sample, err);
	const struct prf_pprof_sample made = {
		.locations = walk->locations,
		.n_locations = sample->n_location_id,
		.values = sample->value,
		.labels = walk->labels,
		.n_labels = sample->n_label,
	};
	return rc ? rc : walk->visit(walk->arg, &made, err);
}

static int
walk_samples(struct walk *walk, struct prf_error *err)
{
	struct prf_varint_in in = begin(walk->message);
	struct field field;
	int rc = 0;

	while (!rc && in.at < in.end && take_field(&in, &field)) {
		if (field.number != FIELD_SAMPLE)
			continue;
		PRF_AUTO(free_part)
		PrfPprof__Profile *part = unpack(walk->message, &field, err);
		if (!part)
			return err->code;
		for (size_t i = 0; !rc && i < part->n_sample; i++)
			rc = visit_sample(walk, part->sample[i], err);
	}
	return rc;
}

int
prf_pprof_message_walk(const struct prf_pprof_message *message,
		       prf_pprof_message_visit *visit, void *arg,
		       struct prf_error *err)
{
	struct walk walk = {
		.message = message,
		.visit = visit,
		.arg = arg,
	};
	struct prf_error own;
	int rc = walk_samples(&walk, err ? err : &own);

	free(walk.locations);
	free(walk.labels);
	return rc;
}
