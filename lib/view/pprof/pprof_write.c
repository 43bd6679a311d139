#include "view/pprof/pprof_write.h"

#include <config.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/call_functions.h"
#include "profile/calls.h"
#include "profile/named_counts.h"
#include "profile/pairs.h"
#include "profile/stack_walk.h"
#include "space/file.h"
#include "image/demangle.h"
#include "view/gmon/gmon_layout.h"
#include "view/export/utf8.h"
#include "view/pprof/gzip.h"
#include "view/pprof/pprof_comment.h"
#include "view/pprof/pprof_owner.h"
#include "view/pprof/pprof_places.h"
#include "view/pprof/profile.pb-c.h"

/* A message is its fields one after the other, and those of one kind may be
 * anywhere: what is known is written, as messages of one field each, and kept no
 * longer.  Only the locations, functions and strings that have a number are
 * remembered. */
enum { MAX_LABELS = 6 };

struct writing {
	const struct prf_profile *profile;
	const struct prf_export_way *way;
	uint64_t rate_hz;
	struct prf_gzip *gzip;
	struct prf_named_counts strings; /* by their number */
	struct prf_pairs locations;      /* binary and vaddr */
	struct prf_call_functions named; /* by the number of a symbol */
	struct prf_pairs names;          /* as they are shown; mangled */
	struct prf_pairs functions;      /* names and file */
	struct prf_pprof_place *places;  /* by binary */
	uint64_t *ids;                   /* of the mappings; 0: not used */
	uint64_t n_mappings;
	/* The stack at hand, as numbers of locations, the outermost first; and
	 * the reverse. */
	uint64_t *frames, *reverse;
	size_t room;
	/* The lines of the location at hand. */
	PrfPprof__Line *lines, **line_list;
	size_t lines_room;
	uint64_t pruned_ticks;
	bool in_pruned; /* the frame at hand is one that was pruned */
	/* Whose the stack is. */
	PrfPprof__Label labels[MAX_LABELS];
	PrfPprof__Label *label_list[MAX_LABELS];
	size_t n_labels;
};

static void
clear(struct writing *writing)
{
	prf_named_counts_clear(&writing->strings);
	prf_pairs_clear(&writing->locations);
	prf_call_functions_clear(&writing->named);
	prf_pairs_clear(&writing->names);
	prf_pairs_clear(&writing->functions);
	free(writing->places);
	free(writing->ids);
	free(writing->frames);
	free(writing->reverse);
	free(writing->lines);
	free(writing->line_list);
}

/* --- Bytes */

struct append {
	ProtobufCBuffer base; /* the first member */
	struct prf_gzip *gzip;
};

static void
append(ProtobufCBuffer *buffer, size_t n, const uint8_t *bytes)
{
	prf_gzip_write(((struct append *)buffer)->gzip, bytes, n);
}

static void
put(const struct writing *writing, const PrfPprof__Profile *part)
{
	struct append out = {{append}, writing->gzip};

	prf_pprof__profile__pack_to_buffer(part, &out.base);
}

/* *NUMBER: the one of TEXT. */
static int
intern(struct writing *writing, const char *text, int64_t *number)
{
	PRF_AUTO(prf_auto_free) char *mended = prf_utf8_mended(text);
	size_t at = 0;
	int rc =
		mended ? prf_named_counts_intern(&writing->strings, mended, &at)
		       : -ENOMEM;

	*number = (int64_t)at;
	return rc;
}

/* --- What the file is about */

static int
make_type(struct writing *writing, PrfPprof__ValueType *made, const char *type,
	  const char *unit)
{
	int rc = intern(writing, type, &made->type);

	return rc ? rc : intern(writing, unit, &made->unit);
}

/* Seconds of CPU, unless a profile of others has other things. */
static const char *
clock_of(const struct writing *writing)
{
	return prf_export_is_wall(writing->way) ? "wall" : "cpu";
}

/* Of a profile that was read again, to the second. */
static uint64_t
begin_ns(const struct writing *writing)
{
	return writing->way->begin_ns
		       ? writing->way->begin_ns
		       : writing->profile->origin.begun_s * 1000000000;
}

static int
put_types(struct writing *writing)
{
	PrfPprof__ValueType samples = PRF_PPROF__VALUE_TYPE__INIT;
	PrfPprof__ValueType time = PRF_PPROF__VALUE_TYPE__INIT;
	PrfPprof__ValueType *types[] = {&samples, &time};
	PrfPprof__Profile part = PRF_PPROF__PROFILE__INIT;
	int rc = make_type(writing, &samples, "samples", "count");

	if (!rc)
		rc = make_type(writing, &time, clock_of(writing),
			       "nanoseconds");
	if (rc)
		return rc;
	part.n_sample_type = 2;
	part.sample_type = types;
	part.period_type = &time;
	part.period = (int64_t)((1000000000 + writing->rate_hz / 2) /
				writing->rate_hz);
	part.default_sample_type = time.type;
	part.time_nanos = (int64_t)begin_ns(writing);
	part.duration_nanos = (int64_t)writing->way->duration_ns;
	put(writing, &part);
	return 0;
}

static int
put_comment(struct writing *writing, const char *text)
{
	PrfPprof__Profile part = PRF_PPROF__PROFILE__INIT;
	int64_t number;
	int rc = intern(writing, text, &number);

	part.n_comment = 1;
	part.comment = &number;
	if (!rc)
		put(writing, &part);
	return rc;
}

static int PRF_PRINTF(3, 4)
	put_ticks(struct writing *writing, uint64_t ticks, const char *fmt, ...)
{
	char text[PRF_PPROF_COMMENT_BYTES];
	va_list args;

	if (!ticks)
		return 0;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	return put_comment(writing, text);
}

static int
put_command(struct writing *writing)
{
	PRF_AUTO(prf_auto_free) char *text = NULL;
	const char *command = writing->profile->origin.command;

	if (!command)
		return 0;
	return asprintf(&text, PRF_PPROF_COMMAND "%s", command) < 0
		       ? -ENOMEM
		       : put_comment(writing, text);
}

static bool
is_by_function(const struct writing *writing)
{
	const struct prf_calls *calls = writing->profile->calls;

	return calls && calls->by_function;
}

static int
put_comments(struct writing *writing)
{
	const struct prf_calls *calls = writing->profile->calls;
	uint64_t lost = writing->way->lost_ticks;
	int rc = put_comment(writing, PRF_PPROF_MARK PACKAGE_VERSION);

	if (!rc)
		rc = put_command(writing);
	for (int end = 0; !rc && calls && end < PRF_N_STACK_ENDS; end++) {
		char text[PRF_PPROF_COMMENT_BYTES];

		prf_pprof_comment_end((enum prf_stack_end)end,
				      calls->ended[end], text);
		if (calls->ended[end])
			rc = put_comment(writing, text);
	}
	if (!rc && calls)
		rc = put_ticks(writing, calls->guessed_ticks,
			       "stacks with a guessed frame: %" PRIu64 " ticks",
			       calls->guessed_ticks);
	if (!rc && is_by_function(writing))
		rc = put_comment(writing, PRF_PPROF_BY_FUNCTION);
	if (!rc)
		rc = put_ticks(writing, lost, "lost: %" PRIu64 " ticks", lost);
	return rc;
}

/* --- Where frames are */

static void
print_build_id(const struct prf_binary *binary, char *digits)
{
	*digits = '\0';
	for (size_t i = 0; i < binary->build_id_bytes; i++)
		sprintf(digits + 2 * i, "%02x", binary->build_id[i]);
}

/* Readers that find the file know where its text is linked; others can be
 * told. */
static int
put_link(struct writing *writing, const struct prf_pprof_place *place)
{
	char text[PRF_PPROF_COMMENT_BYTES];

	prf_pprof_comment_link(place->lo, place->lo - place->shift, text);
	return place->lo - place->shift == place->file_off
		       ? 0
		       : put_comment(writing, text);
}

/* NULL: none are known. */
static struct prf_lines *
lines_of(const struct writing *writing, const struct prf_binary *binary)
{
	struct prf_lines *lines =
		binary && writing->way->lines && !binary->is_offsets &&
				binary->form != PRF_BINARY_BY_NAME
			? prf_binary_lines_of(writing->way->lines, binary)
			: NULL;

	return lines && prf_lines_are_known(lines) ? lines : NULL;
}

static int
put_mapping(struct writing *writing, const struct prf_binary *binary)
{
	const struct prf_pprof_place *place = &writing->places[binary->number];
	PrfPprof__Mapping mapping = PRF_PPROF__MAPPING__INIT;
	PrfPprof__Mapping *mappings[] = {&mapping};
	PrfPprof__Profile part = PRF_PPROF__PROFILE__INIT;
	char digits[2 * PRF_BUILD_ID_MAX + 1];
	bool has_path = *binary->path;

	mapping.id = writing->ids[binary->number] = ++writing->n_mappings;
	mapping.memory_start = place->lo;
	mapping.memory_limit = place->hi;
	mapping.file_offset = place->file_off;
	mapping.has_functions = true;
	/* Readers look up what is not known: at the beginning of a function
	 * that would be wrong. */
	mapping.has_filenames = mapping.has_line_numbers =
		mapping.has_inline_frames = is_by_function(writing) ||
					    lines_of(writing, binary) != NULL;
	print_build_id(binary, digits);
	int rc = intern(writing, has_path ? binary->path : binary->name,
			&mapping.filename);
	if (!rc)
		rc = intern(writing, digits, &mapping.build_id);
	part.n_mapping = 1;
	part.mapping = mappings;
	if (rc)
		return rc;
	put(writing, &part);
	return binary->form == PRF_BINARY_BY_NAME ? 0
						  : put_link(writing, place);
}

/* --- Functions */

/* What FUNCTION is called by who reads it; to be free()d.  NULL: out of
 * memory. */
static char *
name_of(const struct prf_binary *binary, const char *function)
{
	char *name;

	if (!binary || binary->kind != PRF_BINARY_KERNEL)
		return prf_demangle(function);
	return asprintf(&name, "[kernel]:%s", function) < 0 ? NULL : name;
}

static int
put_function(struct writing *writing, const PrfPprof__Function *function)
{
	PrfPprof__Function copy = *function;
	PrfPprof__Function *functions[] = {&copy};
	PrfPprof__Profile part = PRF_PPROF__PROFILE__INIT;

	part.n_function = 1;
	part.function = functions;
	put(writing, &part);
	return 0;
}

/* Its file's path; to be free()d.  NULL: out of memory. */
static char *
path_of(const struct prf_line *line)
{
	char *path;

	if (!line->file)
		return strdup("");
	if (!line->directory || *line->file == '/')
		return strdup(line->file);
	return asprintf(&path, "%s/%s", line->directory, line->file) < 0 ? NULL
									 : path;
}

/* *MADE: that LINE, whose function is at hand, is of BINARY. */
static int
make_line(struct writing *writing, const struct prf_binary *binary,
	  const struct prf_line *line, PrfPprof__Line *made)
{
	PRF_AUTO(prf_auto_free) char *name = name_of(binary, line->function);
	PRF_AUTO(prf_auto_free) char *path = path_of(line);
	PrfPprof__Function function = PRF_PPROF__FUNCTION__INIT;
	size_t n = writing->functions.n, names, number;
	int rc = name && path ? intern(writing, name, &function.name) : -ENOMEM;

	if (!rc)
		rc = intern(writing, line->function, &function.system_name);
	if (!rc)
		rc = intern(writing, path, &function.filename);
	if (!rc)
		rc = prf_pairs_intern(&writing->names, (size_t)function.name,
				      (size_t)function.system_name, &names);
	if (!rc)
		rc = prf_pairs_intern(&writing->functions, names,
				      (size_t)function.filename, &number);
	if (rc)
		return rc;
	made->function_id = function.id = number + 1;
	made->line = line->line;
	return number == n ? put_function(writing, &function) : 0;
}

/* --- Locations */

/* Where END is from, as in lines.h: at least one line, whose function is known,
 * even if nothing else is. */
static int
lines_at(struct writing *writing, const struct prf_arc_end *end,
	 struct prf_line *unknown, const struct prf_line **lines, size_t *n)
{
	static const struct prf_count nothing;
	bool is_known = lines_of(writing, end->binary);
	size_t function;
	int rc = prf_call_functions_count(&writing->named, end, &nothing,
					  &function);

	if (rc)
		return rc;
	*n = is_known ? prf_binary_lines_at(
				writing->way->lines, end->binary, end->vaddr,
				!prf_calls_are_exact(writing->profile->calls),
				lines)
		      : 0;
	*unknown = (struct prf_line){.function =
					     writing->named.all[function].name};
	if (*n && is_by_function(writing)) {
		unknown->directory = (*lines)[*n - 1].directory;
		unknown->file = (*lines)[*n - 1].file;
		*n = 0;
	}
	if (*n == 0) {
		*n = 1;
		*lines = unknown;
	}
	return 0;
}

static int
reserve_lines(struct writing *writing, size_t n)
{
	if (n <= writing->lines_room)
		return 0;
	free(writing->lines);
	free(writing->line_list);
	writing->lines_room = 0;
	writing->lines = calloc(2 * n, sizeof *writing->lines);
	writing->line_list = calloc(2 * n, sizeof(*writing->line_list));
	if (!writing->lines || !writing->line_list)
		return -ENOMEM;
	writing->lines_room = 2 * n;
	for (size_t i = 0; i < 2 * n; i++)
		writing->line_list[i] = &writing->lines[i];
	return 0;
}

/* The lines of END into LOCATION.  What has not been inlined is called what it
 * is without debug information. */
static int
make_lines(struct writing *writing, const struct prf_arc_end *end,
	   PrfPprof__Location *location)
{
	const struct prf_line *lines;
	struct prf_line symbol;
	size_t n;
	int rc = lines_at(writing, end, &symbol, &lines, &n);

	if (rc || reserve_lines(writing, n))
		return -ENOMEM;
	for (size_t i = 0; !rc && i < n; i++) {
		struct prf_line line = lines[i];

		if (i == n - 1 || !line.function)
			line.function =
				i == n - 1 ? symbol.function : "[unknown]";
		writing->lines[i] = (PrfPprof__Line)PRF_PPROF__LINE__INIT;
		rc = make_line(writing, end->binary, &line, &writing->lines[i]);
	}
	location->n_line = n;
	location->line = writing->line_list;
	return rc;
}

static int
put_location(struct writing *writing, const struct prf_arc_end *end,
	     uint64_t id)
{
	PrfPprof__Location location = PRF_PPROF__LOCATION__INIT;
	PrfPprof__Location *locations[] = {&location};
	PrfPprof__Profile part = PRF_PPROF__PROFILE__INIT;
	int rc = 0;

	if (end->binary && !writing->ids[end->binary->number])
		rc = put_mapping(writing, end->binary);
	if (!rc)
		rc = make_lines(writing, end, &location);
	if (rc)
		return rc;
	location.id = id;
	if (end->binary) {
		location.mapping_id = writing->ids[end->binary->number];
		location.address = prf_pprof_places_addr(writing->places, end);
	}
	part.n_location = 1;
	part.location = locations;
	put(writing, &part);
	return 0;
}

/* *ID: the location of END. */
static int
locate(struct writing *writing, const struct prf_arc_end *end, uint64_t *id)
{
	size_t n = writing->locations.n, number;
	int rc = prf_pairs_intern(&writing->locations,
				  end->binary ? end->binary->number
					      : writing->profile->n_binaries,
				  end->binary ? end->vaddr : 0, &number);

	*id = number + 1;
	return rc || number < n ? rc : put_location(writing, end, *id);
}

/* --- Stacks */

static int
reserve(struct writing *writing, size_t n)
{
	size_t room = 2 * n + 64;

	if (n < writing->room)
		return 0;
	uint64_t *frames = reallocarray(writing->frames, room, sizeof *frames);
	if (!frames)
		return -ENOMEM;
	writing->frames = frames;
	uint64_t *reverse =
		reallocarray(writing->reverse, room, sizeof *reverse);
	if (!reverse)
		return -ENOMEM;
	writing->reverse = reverse;
	writing->room = room;
	return 0;
}

static int
put_frame(void *arg, size_t depth, const struct prf_arc_end *end, bool guessed)
{
	struct writing *writing = arg;
	int rc = reserve(writing, depth);

	(void)guessed; /* a comment says how many there are */
	writing->in_pruned = !end->binary;
	return rc ? rc : locate(writing, end, &writing->frames[depth]);
}

static int64_t
time_ns(const struct writing *writing, uint64_t ticks)
{
	unsigned __int128 ns =
		(unsigned __int128)ticks * 1000000000 / writing->rate_hz;

	return ns < INT64_MAX ? (int64_t)ns : INT64_MAX;
}

/* KEY of the stacks to come: TEXT, or, if that is NULL, NUMBER. */
static int
add_label(struct writing *writing, const char *key, const char *text,
	  int64_t number)
{
	PrfPprof__Label *label = &writing->labels[writing->n_labels];
	int rc;

	*label = (PrfPprof__Label)PRF_PPROF__LABEL__INIT;
	writing->label_list[writing->n_labels++] = label;
	rc = intern(writing, key, &label->key);
	if (!rc && text)
		rc = intern(writing, text, &label->str);
	if (!text)
		label->num = number;
	return rc;
}

/* From now on stacks are OWNER's. */
static int
put_owner(void *arg, const struct prf_owner *owner)
{
	struct writing *writing = arg;
	char rank[16];
	int rc = 0;

	writing->n_labels = 0;
	if (!owner)
		return 0;
	const char *program = prf_file_last_part(owner->program);
	if (*program)
		rc = add_label(writing, PRF_PPROF_PROGRAM, program, 0);
	if (!rc && owner->pid)
		rc = add_label(writing, PRF_PPROF_PID, NULL, owner->pid);
	if (!rc && owner->tid)
		rc = add_label(writing, PRF_PPROF_TID, NULL, owner->tid);
	if (!rc && owner->tid && *owner->name)
		rc = add_label(writing, PRF_PPROF_THREAD, owner->name, 0);
	snprintf(rank, sizeof rank, "%" PRId32, owner->rank);
	if (!rc && owner->rank >= 0)
		rc = add_label(writing, PRF_PPROF_RANK, rank, 0);
	const char *state = prf_pprof_owner_state(owner->state);
	if (!rc && state)
		rc = add_label(writing, PRF_PPROF_STATE, state, 0);
	return rc;
}

static int
put_stack(void *arg, size_t n, const struct prf_count *count)
{
	struct writing *writing = arg;
	int64_t values[] = {(int64_t)count->ticks,
			    time_ns(writing, count->ticks)};
	PrfPprof__Sample sample = PRF_PPROF__SAMPLE__INIT;
	PrfPprof__Sample *samples[] = {&sample};
	PrfPprof__Profile part = PRF_PPROF__PROFILE__INIT;

	for (size_t i = 0; i < n; i++)
		writing->reverse[i] = writing->frames[n - 1 - i];
	if (n && writing->in_pruned)
		writing->pruned_ticks += count->ticks;
	sample.n_location_id = n;
	sample.location_id = writing->reverse;
	sample.n_value = 2;
	sample.value = values;
	sample.n_label = writing->n_labels;
	sample.label = writing->label_list;
	part.n_sample = 1;
	part.sample = samples;
	put(writing, &part);
	return 0;
}

/* --- All of it */

static void
put_strings(const struct writing *writing)
{
	for (size_t i = 0; i < writing->strings.n; i++) {
		PrfPprof__Profile part = PRF_PPROF__PROFILE__INIT;

		part.n_string_table = 1;
		part.string_table = &writing->strings.all[i].text;
		put(writing, &part);
	}
}

static int
prepare(struct writing *writing)
{
	const struct prf_profile *profile = writing->profile;
	int64_t empty;

	writing->places = prf_pprof_places_of(profile);
	writing->ids = calloc(profile->n_binaries + 1, sizeof *writing->ids);
	if (!writing->places || !writing->ids ||
	    prf_call_functions_init(&writing->named, profile, false))
		return -ENOMEM;
	return intern(writing, "", &empty);
}

/* Others take the first mapping for the program. */
static int
put_program(struct writing *writing)
{
	const struct prf_binary *program =
		prf_gmon_layout_program(writing->profile);

	return program ? put_mapping(writing, program) : 0;
}

static int
put_all(struct writing *writing)
{
	static const struct prf_stack_visit ops = {
		.frame = put_frame,
		.stack = put_stack,
		.owner = put_owner,
	};
	int rc = prepare(writing);

	if (!rc)
		rc = put_types(writing);
	if (!rc)
		rc = put_comments(writing);
	if (!rc)
		rc = put_program(writing);
	if (!rc)
		rc = prf_stack_walk(writing->profile, &ops, writing);
	if (!rc)
		rc = put_ticks(writing, writing->pruned_ticks,
			       "[pruned] frames were among the rarest: %" PRIu64
			       " ticks",
			       writing->pruned_ticks);
	if (!rc)
		put_strings(writing);
	return rc;
}

int
prf_pprof_write(const struct prf_profile *profile,
		const struct prf_export_way *way, FILE *out,
		struct prf_error *err)
{
	PRF_AUTO(clear)
	struct writing writing = {
		.profile = profile,
		.way = way,
		.rate_hz = profile->unit.rate_hz ? profile->unit.rate_hz : 100,
		.gzip = prf_gzip_new(out),
	};
	struct prf_error why;

	if (!writing.gzip)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = put_all(&writing);
	int finished = prf_gzip_finish(writing.gzip, &why);
	if (rc)
		return prf_error_set(err, rc, "out of memory");
	return finished ? prf_error_set(err, finished, "%s", why.text) : 0;
}
