#include "core/pctrace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/pctrace/pctrace_decode.h"
#include "core/pctrace/pctrace_info.h"
#include "core/scope.h"

struct prf_pctrace {
	struct prf_pctrace_info info; /* its texts are ours */
	struct prf_pctrace_report report;
	/* The first block is read by open(), for what it says of the trace. */
	struct prf_pctrace_block block;
	bool has_block;
	/* What the next block's header should say of the blocks before. */
	uint64_t events, ticks;
	struct prf_pctrace_input input;
	struct prf_pctrace_decoder decoder;
};

PRF_DEFINE_AUTO(prf_pctrace, prf_pctrace_close);

/* --- What is true of the whole trace */

/* A number in decimal digits; 0 for any other text. */
static uint64_t
parse_number(const char *text)
{
	uint64_t number = 0;

	for (; *text; text++) {
		unsigned digit = (unsigned)(*text - '0');

		if (digit > 9 || number > (UINT64_MAX - digit) / 10)
			return 0;
		number = number * 10 + digit;
	}
	return number;
}

/* Of several records of a fact the first is believed. */
static int
add_fact(struct prf_pctrace_info *info, const char *name, const char *text)
{
	for (size_t i = 0; i < PRF_PCTRACE_N_FACTS; i++) {
		const struct prf_pctrace_fact *fact = &prf_pctrace_facts[i];

		if (strcmp(fact->name, name) != 0)
			continue;
		if (fact->is_number) {
			*prf_pctrace_fact_number(info, fact) =
				parse_number(text);
			return 0;
		}
		const char **own = prf_pctrace_fact_text(info, fact);
		if (!*own)
			*own = strdup(text);
		return *own ? 0 : -ENOMEM;
	}
	return 0;
}

static int
read_facts(struct prf_pctrace *trace)
{
	struct prf_pctrace_decoder *decoder = &trace->decoder;
	struct prf_varint_in in = {trace->block.payload,
				   trace->block.payload + trace->block.n_bytes,
				   false};
	int rc = 0;

	while (!rc && !in.bad && in.at < in.end) {
		struct prf_varint_in body = {0};
		uint8_t type = prf_pctrace_decode_head(&in, &body);

		if (in.bad || type != PRF_PCTRACE_INFO)
			break;
		const char *name =
			prf_pctrace_decode_string(&body, decoder->strings[0]);
		const char *text =
			prf_pctrace_decode_string(&body, decoder->strings[1]);
		if (!body.bad)
			rc = add_fact(&trace->info, name, text);
	}
	return rc;
}

static int
fill_in_facts(struct prf_pctrace_info *info)
{
	for (size_t i = 0; i < PRF_PCTRACE_N_FACTS; i++) {
		const struct prf_pctrace_fact *fact = &prf_pctrace_facts[i];

		if (fact->is_number)
			continue;
		const char **text = prf_pctrace_fact_text(info, fact);
		if (!*text)
			*text = strdup("");
		if (!*text)
			return -ENOMEM;
	}
	return 0;
}

int
prf_pctrace_open(FILE *in, struct prf_pctrace **out, struct prf_error *err)
{
	/* Pages that are not used are not touched. */
	PRF_AUTO(prf_pctrace_auto)
	struct prf_pctrace *trace = calloc(1, sizeof *trace);

	if (!trace)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = prf_pctrace_input_begin(&trace->input, in, err);
	if (rc)
		return rc;
	trace->has_block = prf_pctrace_input_next(&trace->input, &trace->block,
						  &trace->report);
	if (trace->has_block)
		rc = read_facts(trace);
	if (!rc)
		rc = fill_in_facts(&trace->info);
	if (rc)
		return prf_error_set(err, rc, "out of memory");
	*out = PRF_TAKE(trace);
	return 0;
}

void
prf_pctrace_close(struct prf_pctrace *trace)
{
	if (!trace)
		return;
	for (size_t i = 0; i < PRF_PCTRACE_N_FACTS; i++) {
		const struct prf_pctrace_fact *fact = &prf_pctrace_facts[i];

		if (!fact->is_number)
			free((char *)*prf_pctrace_fact_text(&trace->info,
							    fact));
	}
	free(trace);
}

const struct prf_pctrace_info *
prf_pctrace_info(const struct prf_pctrace *trace)
{
	return &trace->info;
}

/* --- The events */

static bool
next_block(struct prf_pctrace *trace)
{
	if (!trace->has_block)
		return prf_pctrace_input_next(&trace->input, &trace->block,
					      &trace->report);
	trace->has_block = false;
	return true;
}

static void
play_block(struct prf_pctrace *trace, struct prf_sink *sink)
{
	const struct prf_pctrace_block *block = &trace->block;
	struct prf_pctrace_report *report = &trace->report;
	uint64_t ticks;

	if (block->events_before < trace->events) {
		prf_pctrace_input_damage(report, block->off,
					 "this block is one of those before");
		return;
	}
	if (block->events_before > trace->events) {
		if (!report->n_damaged)
			prf_pctrace_input_damage(
				report, block->off,
				"blocks are missing before this one");
		report->lost_events += block->events_before - trace->events;
		if (block->ticks_before > trace->ticks)
			report->lost_ticks +=
				block->ticks_before - trace->ticks;
	}
	uint64_t n_lost = block->events_before - trace->events;
	trace->ticks = block->ticks_before;
	trace->events = block->events_before +
			prf_pctrace_decode(&trace->decoder, block, n_lost, sink,
					   report, &ticks);
	trace->ticks += ticks;
}

int
prf_pctrace_play(struct prf_pctrace *trace, struct prf_sink *sink,
		 struct prf_pctrace_report *report, struct prf_error *err)
{
	while (!trace->report.has_end && next_block(trace))
		play_block(trace, sink);
	if (trace->report.has_end && prf_pctrace_input_more(&trace->input))
		prf_pctrace_input_damage(&trace->report, trace->input.off,
					 "the trace has ended; more follows");
	*report = trace->report;
	if (trace->input.failed)
		return prf_error_set(err, trace->input.failed,
				     "cannot read the trace: %s",
				     strerror(-trace->input.failed));
	return 0;
}
