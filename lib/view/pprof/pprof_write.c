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
#include "image/demangle.h"
#include "view/gmon/gmon_layout.h"
#include "view/export/utf8.h"
#include "view/pprof/gzip.h"
#include "view/pprof/pprof_comment.h"
#include "view/pprof/pprof_places.h"
#include "view/pprof/profile.pb-c.h"

/* A message is its fields one after the other, and those of one kind may be
 * anywhere: what is known is written, as messages of one field each, and kept no
 * longer.  Only the locations, functions and strings that have a number are
 * remembered. */
struct writing {
	const struct prf_profile *profile;
	const struct prf_export_way *way;
	uint64_t rate_hz;
	struct prf_gzip *gzip;
	struct prf_named_counts strings; /* by their number */
	struct prf_pairs locations;      /* binary and vaddr */
	struct prf_call_functions functions;
	struct prf_pprof_place *places; /* by binary */
	uint64_t *ids;                  /* of the mappings; 0: not used */
	uint64_t n_mappings;
	/* The stack at hand, as numbers of locations, the outermost first; and
	 * the reverse. */
	uint64_t *frames, *reverse;
	size_t room;
	uint64_t pruned_ticks;
	bool in_pruned; /* the frame at hand is one that was pruned */
};

static void
clear(struct writing *writing)
{
	prf_named_counts_clear(&writing->strings);
	prf_pairs_clear(&writing->locations);
	prf_call_functions_clear(&writing->functions);
	free(writing->places);
	free(writing->ids);
	free(writing->frames);
	free(writing->reverse);
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
	return writing->way->is_wall ? "wall" : "cpu";
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
	part.time_nanos = (int64_t)writing->way->begin_ns;
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
put_comments(struct writing *writing)
{
	const struct prf_calls *calls = writing->profile->calls;
	uint64_t lost = writing->way->lost_ticks;
	int rc = put_comment(writing, PRF_PPROF_MARK PACKAGE_VERSION);

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

static int
put_location(struct writing *writing, const struct prf_arc_end *end,
	     size_t function)
{
	PrfPprof__Line line = PRF_PPROF__LINE__INIT;
	PrfPprof__Line *lines[] = {&line};
	PrfPprof__Location location = PRF_PPROF__LOCATION__INIT;
	PrfPprof__Location *locations[] = {&location};
	PrfPprof__Profile part = PRF_PPROF__PROFILE__INIT;
	int rc = 0;

	if (end->binary && !writing->ids[end->binary->number])
		rc = put_mapping(writing, end->binary);
	if (rc)
		return rc;
	line.function_id = function + 1;
	location.id = writing->locations.n;
	if (end->binary) {
		location.mapping_id = writing->ids[end->binary->number];
		location.address = prf_pprof_places_addr(writing->places, end);
	}
	location.n_line = 1;
	location.line = lines;
	part.n_location = 1;
	part.location = locations;
	put(writing, &part);
	return 0;
}

/* *ID: the location of END. */
static int
locate(struct writing *writing, const struct prf_arc_end *end, uint64_t *id)
{
	static const struct prf_count nothing;
	size_t n = writing->locations.n, number, function;
	int rc = prf_pairs_intern(&writing->locations,
				  end->binary ? end->binary->number
					      : writing->profile->n_binaries,
				  end->binary ? end->vaddr : 0, &number);

	*id = number + 1;
	if (rc || number < n)
		return rc;
	rc = prf_call_functions_count(&writing->functions, end, &nothing,
				      &function);
	return rc ? rc : put_location(writing, end, function);
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
	part.n_sample = 1;
	part.sample = samples;
	put(writing, &part);
	return 0;
}

/* --- Names */

/* What FUNCTION is called by who reads it; to be free()d.  NULL: out of
 * memory. */
static char *
name_of(const struct prf_call_function *function)
{
	char *name;

	if (!function->binary || function->binary->kind != PRF_BINARY_KERNEL)
		return prf_demangle(function->name);
	return asprintf(&name, "[kernel]:%s", function->name) < 0 ? NULL : name;
}

static int
put_function(struct writing *writing, size_t number)
{
	const struct prf_call_function *named = &writing->functions.all[number];
	PRF_AUTO(prf_auto_free) char *name = name_of(named);
	PrfPprof__Function function = PRF_PPROF__FUNCTION__INIT;
	PrfPprof__Function *functions[] = {&function};
	PrfPprof__Profile part = PRF_PPROF__PROFILE__INIT;
	int rc = name ? intern(writing, name, &function.name) : -ENOMEM;

	if (!rc)
		rc = intern(writing, named->name, &function.system_name);
	function.id = number + 1;
	part.n_function = 1;
	part.function = functions;
	if (!rc)
		put(writing, &part);
	return rc;
}

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

/* --- All of it */

static int
prepare(struct writing *writing)
{
	const struct prf_profile *profile = writing->profile;
	int64_t empty;

	writing->places = prf_pprof_places_of(profile);
	writing->ids = calloc(profile->n_binaries + 1, sizeof *writing->ids);
	if (!writing->places || !writing->ids ||
	    prf_call_functions_init(&writing->functions, profile, false))
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
	for (size_t i = 0; !rc && i < writing->functions.n; i++)
		rc = put_function(writing, i);
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
