#include "view/pprof/cpuprofile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/maps.h"

PRF_DEFINE_AUTO(prf_maps, prf_maps_free);

/* The words of a file. */
struct words {
	const uint8_t *bytes;
	size_t n; /* whole words */
	uint8_t word_bytes;
	bool big_endian;
};

/* The header: no count, how many words follow, the version, microseconds
 * between two ticks, and a word of nothing. */
enum { COUNT, N_HEADER, VERSION, PERIOD, HEADER_WORDS = 5 };
enum { MOST_HEADER = 64, MOST_PERIOD = 1000000000 };

static uint64_t
word_at(const struct words *words, size_t at)
{
	const uint8_t *bytes = words->bytes + at * words->word_bytes;
	uint64_t word = 0;

	for (size_t i = 0; i < words->word_bytes; i++) {
		size_t from = words->big_endian ? i : words->word_bytes - 1 - i;

		word = word << 8 | bytes[from];
	}
	return word;
}

static bool
begins(const struct words *words)
{
	return words->n >= HEADER_WORDS && !word_at(words, COUNT) &&
	       word_at(words, N_HEADER) >= HEADER_WORDS - 2 &&
	       word_at(words, N_HEADER) <= MOST_HEADER &&
	       !word_at(words, VERSION) && word_at(words, PERIOD) &&
	       word_at(words, PERIOD) <= MOST_PERIOD;
}

/* The words of N BYTES as the machine had them that wrote the header; none: it
 * is no header. */
static struct words
words_of(const void *bytes, size_t n)
{
	for (int i = 0; i < 4; i++) {
		const struct words words = {
			.bytes = bytes,
			.n = n / (i < 2 ? 8 : 4),
			.word_bytes = i < 2 ? 8 : 4,
			.big_endian = i % 2,
		};

		if (begins(&words))
			return words;
	}
	return (struct words){0};
}

bool
prf_cpuprofile_is_it(const void *bytes, size_t n)
{
	return words_of(bytes, n).n;
}

uint32_t
prf_cpuprofile_rate_hz(const void *bytes, size_t n)
{
	const struct words words = words_of(bytes, n);

	if (!words.n)
		return 0;
	uint64_t period_us = word_at(&words, PERIOD);
	uint64_t rate_hz = (1000000 + period_us / 2) / period_us;
	return rate_hz ? (uint32_t)rate_hz : 1;
}

/* --- Its end: what was mapped */

/* The program comes first. */
static const char *
program_of(const struct prf_mapping *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (all[i].kind == PRF_MAPPING_FILE)
			return all[i].path;
	return "";
}

static int
give_process(const struct words *words, size_t at, size_t n_bytes,
	     struct prf_sink *sink, struct prf_error *err)
{
	PRF_AUTO(prf_maps_auto) struct prf_maps *maps = NULL;
	size_t off = at * words->word_bytes, n;
	struct prf_error why = {0};
	int rc = prf_maps_parse((const char *)words->bytes + off, n_bytes - off,
				PRF_CPUPROFILE_PID, &maps, &why);

	if (rc)
		return prf_error_set(err, rc == -ENOMEM ? rc : -EBADMSG,
				     "what was mapped: %s", why.text);
	const struct prf_mapping *all = prf_maps_all(maps, &n);
	const struct prf_exec exec = {
		.pid = PRF_CPUPROFILE_PID,
		.path = program_of(all, n),
		.command = program_of(all, n),
		.addr_bytes = words->word_bytes,
		.rank = -1,
		.uid = PRF_NO_USER,
	};
	rc = sink->ops->exec(sink, &exec);
	for (size_t i = 0; !rc && i < n; i++)
		rc = sink->ops->mapping(sink, &all[i]);
	return rc ? prf_error_set(err, rc, "%s", strerror(-rc)) : 0;
}

/* --- Its stacks */

/* One record, at AT: how often it was seen, how many addresses it has, and
 * those. */
struct record {
	uint64_t count, n_addrs;
	size_t first; /* the word of the first address */
};

static int
read_record(const struct words *words, size_t at, struct record *record,
	    struct prf_error *err)
{
	if (words->n - at < 2)
		return prf_error_set(err, -EBADMSG,
				     "was cut: it has no end, nor what was "
				     "mapped");
	record->count = word_at(words, at);
	record->n_addrs = word_at(words, at + 1);
	record->first = at + 2;
	if (!record->n_addrs || record->n_addrs > words->n - record->first)
		return prf_error_set(err, -EBADMSG,
				     "word %zu: a stack of %" PRIu64
				     " addresses, more than the file has",
				     at, record->n_addrs);
	if (record->count > UINT32_MAX || record->n_addrs > UINT32_MAX)
		return prf_error_set(err, -EBADMSG,
				     "word %zu: %" PRIu64
				     " ticks of one stack, more than any "
				     "program has",
				     at, record->count);
	return 0;
}

/* No count, and one address, which is none. */
static bool
is_end(const struct words *words, const struct record *record)
{
	return !record->count && record->n_addrs == 1 &&
	       !word_at(words, record->first);
}

/* Which record ends them; *AT is behind it then. */
static int
find_end(const struct words *words, size_t *at, size_t *most,
	 struct prf_error *err)
{
	struct record record;
	int rc;

	*most = 0;
	while (!(rc = read_record(words, *at, &record, err))) {
		*at = record.first + record.n_addrs;
		if (record.n_addrs > *most)
			*most = record.n_addrs;
		if (is_end(words, &record))
			return 0;
	}
	return rc;
}

static int
give_stack(const struct words *words, const struct record *record,
	   struct prf_frame *frames, struct prf_sink *sink)
{
	const struct prf_sample sample = {
		.pid = PRF_CPUPROFILE_PID,
		.tid = PRF_CPUPROFILE_PID,
		.ticks = (uint32_t)record->count,
		.certain = (uint32_t)record->count,
		.syscall = PRF_NO_SYSCALL,
		.end = PRF_STACK_COMPLETE,
		.n_frames = (uint32_t)record->n_addrs,
		.frames = frames,
	};

	for (size_t i = 0; i < record->n_addrs; i++)
		frames[i] = (struct prf_frame){
			word_at(words, record->first + i),
			i ? PRF_FRAME_RETURN : PRF_FRAME_PC,
		};
	return record->count ? sink->ops->sample(sink, &sample) : 0;
}

static int
give_stacks(const struct words *words, size_t at, size_t most,
	    struct prf_sink *sink, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free)
	struct prf_frame *frames = calloc(most, sizeof *frames);
	struct record record;
	int rc = frames ? 0 : -ENOMEM;

	if (rc)
		return prf_error_set(err, rc, "out of memory");
	while (!rc && !(rc = read_record(words, at, &record, err)) &&
	       !is_end(words, &record)) {
		rc = give_stack(words, &record, frames, sink);
		if (rc)
			prf_error_set(err, rc, "%s", strerror(-rc));
		at = record.first + record.n_addrs;
	}
	return rc;
}

int
prf_cpuprofile_play(const void *bytes, size_t n, struct prf_sink *sink,
		    struct prf_error *err)
{
	const struct words words = words_of(bytes, n);
	size_t first, end, most;

	if (!words.n)
		return prf_error_set(err, -EBADMSG,
				     "is no CPU profile of gperftools");
	first = end = 2 + (size_t)word_at(&words, N_HEADER);
	if (first > words.n)
		return prf_error_set(err, -EBADMSG, "was cut in its header");
	int rc = find_end(&words, &end, &most, err);
	if (!rc)
		rc = give_process(&words, end, n, sink, err);
	return rc ? rc : give_stacks(&words, first, most, sink, err);
}
