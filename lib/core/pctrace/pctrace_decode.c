#include "core/pctrace/pctrace_decode.h"

#include <string.h>

/* What became of a record. */
enum outcome {
	OUTCOME_EVENT,
	OUTCOME_UNKNOWN, /* an event, of a kind that is not known */
	OUTCOME_PART,    /* of the event that follows; counted as one */
	OUTCOME_NONE,    /* no event */
	OUTCOME_END,
	OUTCOME_BAD,
};

uint8_t
prf_pctrace_decode_head(struct prf_varint_in *in, struct prf_varint_in *body)
{
	uint8_t type = prf_varint_take_byte(in);

	if (type & PRF_PCTRACE_SAMPLE || in->bad)
		return type;
	size_t n_bytes =
		(size_t)prf_varint_take_max(in, PRF_PCTRACE_MAX_PAYLOAD_BYTES);
	if (n_bytes > (size_t)(in->end - in->at)) {
		in->bad = true;
		return type;
	}
	*body = (struct prf_varint_in){in->at, in->at + n_bytes, false};
	in->at += n_bytes;
	return type;
}

/* Bytes that stay where they are; their number in *N. */
static const uint8_t *
take_bytes(struct prf_varint_in *in, size_t max, size_t *n)
{
	const uint8_t *bytes;

	*n = (size_t)prf_varint_take_max(in, max);
	if (*n > (size_t)(in->end - in->at)) {
		in->bad = true;
		*n = 0;
	}
	bytes = in->at;
	in->at += *n;
	return bytes;
}

/* Of at most MAX bytes. */
static const char *
take_string(struct prf_varint_in *in, size_t max, char *room)
{
	size_t n;
	const uint8_t *bytes = take_bytes(in, max, &n);

	if (memchr(bytes, 0, n))
		in->bad = true;
	memcpy(room, bytes, n);
	room[n] = '\0';
	return room;
}

const char *
prf_pctrace_decode_string(struct prf_varint_in *in, char *room)
{
	return take_string(in, PRF_PCTRACE_MAX_STRING_BYTES, room);
}

static pid_t
take_pid(struct prf_varint_in *in)
{
	return (pid_t)(uint32_t)prf_varint_take_max(in, UINT32_MAX);
}

static uint64_t
take_time(struct prf_varint_in *in, struct prf_pctrace_state *state)
{
	state->time_ns += prf_varint_unfold(prf_varint_take(in));
	return state->time_ns;
}

/* --- One function for each type; the fields stand as pctrace(5) has them. */

struct play {
	struct prf_pctrace_decoder *decoder;
	struct prf_sink *sink;
	struct prf_pctrace_report *report;
};

static enum outcome
give(const struct play *play, int answer)
{
	prf_losses_count(&play->report->refused, 0, answer);
	return OUTCOME_EVENT;
}

static enum outcome
play_exec(const struct play *play, struct prf_varint_in *in)
{
	struct prf_pctrace_decoder *decoder = play->decoder;
	struct prf_exec exec = {.rank = -1, .uid = PRF_NO_USER};

	exec.pid = take_pid(in);
	exec.time_ns = take_time(in, &decoder->state);
	exec.cpu_ns = prf_varint_take(in);
	exec.dev = prf_varint_take(in);
	exec.inode = prf_varint_take(in);
	exec.addr_bytes = (uint8_t)prf_varint_take_max(in, 8);
	exec.path = prf_pctrace_decode_string(in, decoder->strings[0]);
	exec.command = prf_pctrace_decode_string(in, decoder->strings[1]);
	if (in->at < in->end) /* not in version 1 */
		exec.machine = (uint16_t)prf_varint_take_max(in, UINT16_MAX);
	if (in->at < in->end) /* nor in version 2 */
		exec.rank = (int32_t)prf_varint_take_max(in, INT32_MAX) - 1;
	if (in->bad || (exec.addr_bytes != 4 && exec.addr_bytes != 8))
		return OUTCOME_BAD;
	return give(play, play->sink->ops->exec(play->sink, &exec));
}

static enum outcome
play_mapping(const struct play *play, struct prf_varint_in *in)
{
	struct prf_pctrace_decoder *decoder = play->decoder;
	struct prf_mapping map = {0};
	uint64_t kind = prf_varint_take(in);
	size_t n;

	map.kind = (enum prf_mapping_kind)kind;
	map.pid = take_pid(in);
	map.time_ns = take_time(in, &decoder->state);
	map.addr = prf_varint_take(in);
	map.size = prf_varint_take(in);
	map.file_off = prf_varint_take(in);
	map.dev = prf_varint_take(in);
	map.inode = prf_varint_take(in);
	map.deleted = (uint8_t)prf_varint_take_max(in, UINT8_MAX);
	map.path = prf_pctrace_decode_string(in, decoder->strings[0]);
	map.build_id = take_bytes(in, PRF_PCTRACE_MAX_BUILD_ID_BYTES, &n);
	map.build_id_bytes = (uint8_t)n;
	if (in->bad || map.size == 0 || map.addr > UINT64_MAX - (map.size - 1))
		return OUTCOME_BAD;
	if (kind > PRF_MAPPING_NONE)
		return OUTCOME_UNKNOWN;
	return give(play, play->sink->ops->mapping(play->sink, &map));
}

static enum outcome
play_life(const struct play *play, struct prf_varint_in *in)
{
	struct prf_pctrace_decoder *decoder = play->decoder;
	struct prf_life life = {0};
	uint64_t kind = prf_varint_take(in);

	life.kind = (enum prf_life_kind)kind;
	life.pid = take_pid(in);
	life.tid = take_pid(in);
	life.parent = take_pid(in);
	life.time_ns = take_time(in, &decoder->state);
	life.cpu_ns = prf_varint_take(in);
	life.wait_status = (int)(uint32_t)prf_varint_take_max(in, UINT32_MAX);
	life.name = prf_pctrace_decode_string(in, decoder->strings[0]);
	if (in->bad)
		return OUTCOME_BAD;
	if (kind >= PRF_N_LIFE_KINDS)
		return OUTCOME_UNKNOWN;
	return give(play, prf_sink_life(play->sink, &life));
}

static enum outcome
play_figure(const struct play *play, struct prf_varint_in *in)
{
	struct prf_figure figure = {0};

	figure.name = prf_pctrace_decode_string(in, play->decoder->strings[0]);
	figure.value = prf_varint_take(in);
	if (in->bad)
		return OUTCOME_BAD;
	return give(play, prf_sink_figure(play->sink, &figure));
}

/* What belongs to the next sample. */
static enum outcome
play_kernel(const struct play *play, struct prf_varint_in *in)
{
	struct prf_pctrace_decoder *decoder = play->decoder;
	struct prf_pctrace_kernel *kept = &decoder->state.kernel;
	uint32_t n = (uint32_t)prf_varint_take_max(in, PRF_PCTRACE_MAX_KERNEL);
	uint32_t n_shared = (uint32_t)prf_varint_take_max(in, n);

	if (in->bad || n == 0 || n_shared > kept->n)
		return OUTCOME_BAD;
	for (uint32_t i = n_shared; i < n; i++)
		take_string(in, PRF_PCTRACE_MAX_KERNEL_NAME_BYTES,
			    kept->names[i]);
	if (in->bad)
		return OUTCOME_BAD;
	kept->n = n;
	for (uint32_t i = 0; i < n; i++)
		decoder->kernel_names[i] = kept->names[n - 1 - i];
	decoder->kernel = (struct prf_kernel_functions){
		.n = n,
		.names = decoder->kernel_names,
	};
	decoder->has_kernel = true;
	return OUTCOME_PART;
}

static enum outcome play_record(const struct play *play, uint8_t type,
				struct prf_varint_in *body);

/* Events of the block before: given only if that was lost.  The block's own
 * times begin after them. */
static enum outcome
play_again(const struct play *play, struct prf_varint_in *in)
{
	struct prf_pctrace_decoder *decoder = play->decoder;
	uint64_t time_ns = decoder->state.time_ns;

	while (in->at < in->end && decoder->n_lost > 0) {
		struct prf_varint_in body = {0};
		uint8_t type = prf_pctrace_decode_head(in, &body);

		if (in->bad || type & PRF_PCTRACE_SAMPLE ||
		    type == PRF_PCTRACE_AGAIN)
			return OUTCOME_BAD;
		enum outcome outcome = play_record(play, type, &body);
		if (outcome >= OUTCOME_END)
			return OUTCOME_BAD;
		if (outcome != OUTCOME_EVENT)
			continue;
		decoder->n_lost--;
		play->report->lost_events--;
		play->report->told_again++;
	}
	decoder->state.time_ns = time_ns;
	return OUTCOME_NONE;
}

static enum outcome
play_record(const struct play *play, uint8_t type, struct prf_varint_in *body)
{
	switch (type) {
	case PRF_PCTRACE_INFO:
		return OUTCOME_NONE;
	case PRF_PCTRACE_EXEC:
		return play_exec(play, body);
	case PRF_PCTRACE_MAPPING:
		return play_mapping(play, body);
	case PRF_PCTRACE_LIFE:
		return play_life(play, body);
	case PRF_PCTRACE_FIGURE:
		return play_figure(play, body);
	case PRF_PCTRACE_END:
		return OUTCOME_END;
	case PRF_PCTRACE_AGAIN:
		return play_again(play, body);
	case PRF_PCTRACE_KERNEL:
		return play_kernel(play, body);
	default:
		return OUTCOME_UNKNOWN;
	}
}

static enum outcome
play_sample(const struct play *play, uint8_t type, struct prf_varint_in *in)
{
	struct prf_pctrace_report *report = play->report;
	struct prf_sample sample;
	struct prf_frame pc;

	if (!prf_pctrace_decode_sample(&play->decoder->state, type, in, &sample,
				       &pc))
		return OUTCOME_BAD;
	if (play->decoder->has_kernel)
		sample.kernel = &play->decoder->kernel;
	play->decoder->has_kernel = false;
	report->samples++;
	report->ticks += sample.ticks;
	prf_losses_count(&report->refused, sample.ticks,
			 play->sink->ops->sample(play->sink, &sample));
	return OUTCOME_EVENT;
}

static enum outcome
play_next(const struct play *play, struct prf_varint_in *in)
{
	struct prf_varint_in body = {0};
	uint8_t type = prf_pctrace_decode_head(in, &body);

	if (in->bad)
		return OUTCOME_BAD;
	if (type & PRF_PCTRACE_SAMPLE)
		return play_sample(play, type, in);
	return play_record(play, type, &body);
}

/* A block has ended with OUTCOME, of the record at OFF. */
static void
settle(struct prf_pctrace_report *report, const struct prf_pctrace_block *block,
       enum outcome outcome, uint64_t off)
{
	if (outcome == OUTCOME_BAD && !block->is_cut)
		prf_pctrace_input_damage(report, off,
					 "this record makes no sense");
	/* It was the last, so it is not what follows it that is missing. */
	if (outcome == OUTCOME_END && block->is_cut)
		prf_pctrace_input_damage(report, off,
					 "bytes are missing from this block");
	report->has_end |= outcome == OUTCOME_END && !block->is_cut;
}

uint64_t
prf_pctrace_decode(struct prf_pctrace_decoder *decoder,
		   const struct prf_pctrace_block *block, uint64_t n_lost,
		   struct prf_sink *sink, struct prf_pctrace_report *report,
		   uint64_t *ticks)
{
	const struct play play = {decoder, sink, report};
	struct prf_varint_in in = {block->payload,
				   block->payload + block->n_bytes, false};
	const struct prf_pctrace_report before = *report;
	const uint8_t *begin = in.at;
	enum outcome outcome = OUTCOME_NONE;
	uint64_t n_parts = 0;

	prf_pctrace_state_begin(&decoder->state, block->time_ns);
	decoder->has_kernel = false;
	decoder->n_lost = n_lost;
	while (in.at < in.end && outcome < OUTCOME_END) {
		begin = in.at;
		outcome = play_next(&play, &in);
		report->events += outcome == OUTCOME_EVENT;
		report->unknown += outcome == OUTCOME_UNKNOWN;
		n_parts += outcome == OUTCOME_PART;
	}
	settle(report, block, outcome,
	       block->off + (uint64_t)(begin - block->payload));
	*ticks = report->ticks - before.ticks;
	uint64_t n_events = report->events - before.events;
	report->events += report->told_again - before.told_again;
	if (block->is_cut)
		report->unchecked += n_events;
	return n_events + n_parts + report->unknown - before.unknown;
}
