#include "core/sink/chunk.h"

#include <errno.h>
#include <stdlib.h>

#include "core/event_log.h"
#include "support/suite.h"

enum { CHUNK_BYTES = 1024, MOST_SPARE = 2 };

static struct prf_chunks chunks;
static const struct prf_frame pc = {0x401000, PRF_FRAME_PC};

static struct prf_sample
sample_of(uint32_t ticks)
{
	return (struct prf_sample){
		.pid = 1,
		.tid = 1,
		.ticks = ticks,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 1,
		.frames = &pc,
	};
}

static void
put(struct prf_chunk *chunk, uint32_t ticks)
{
	const struct prf_sample sample = sample_of(ticks);
	size_t n_bytes = prf_event_bytes(PRF_EVENT_SAMPLE, &sample);

	ck_assert(prf_chunk_has_space(chunk, n_bytes));
	prf_chunk_put(chunk, n_bytes, PRF_EVENT_SAMPLE, &sample);
}

static void
set_up(void)
{
	chunks = (struct prf_chunks){.chunk_bytes = CHUNK_BYTES,
				     .most_spare = MOST_SPARE};
}

static void
tear_down(void)
{
	prf_chunks_clear(&chunks);
}

START_TEST(events_come_out_in_order)
{
	struct prf_chunk *chunk = prf_chunks_take(&chunks, 1);
	struct event_log given, taken;
	struct prf_losses losses = {0};

	event_log_begin(&given);
	event_log_begin(&taken);
	for (uint32_t ticks = 1; ticks <= 5; ticks++) {
		const struct prf_sample sample = sample_of(ticks);

		put(chunk, ticks);
		given.base.ops->sample(&given.base, &sample);
	}
	prf_chunk_give(chunk, &taken.base, &losses);
	event_log_check_same(&given, &taken);
	ck_assert_uint_eq(losses.ticks, 0);
	event_log_end(&given);
	event_log_end(&taken);
	free(chunk);
}
END_TEST

START_TEST(what_a_sink_refuses_is_counted)
{
	struct prf_chunk *chunk = prf_chunks_take(&chunks, 1);
	struct prf_losses losses = {0};
	struct event_log log;

	event_log_begin(&log);
	log.answer = -ERANGE;
	put(chunk, 3);
	put(chunk, 4);
	prf_chunk_give(chunk, &log.base, &losses);
	ck_assert_uint_eq(losses.ticks, 7);
	ck_assert_int_eq(losses.code, -ERANGE);
	event_log_end(&log);
	free(chunk);
}
END_TEST

START_TEST(a_full_one_has_no_space)
{
	struct prf_chunk *chunk = prf_chunks_take(&chunks, 1);

	ck_assert(!prf_chunk_has_space(NULL, 1));
	ck_assert_uint_eq(chunk->n_bytes, CHUNK_BYTES);
	ck_assert(prf_chunk_has_space(chunk, CHUNK_BYTES));
	ck_assert(!prf_chunk_has_space(chunk, CHUNK_BYTES + 1));
	put(chunk, 1);
	ck_assert(prf_chunk_has_space(chunk, CHUNK_BYTES - chunk->used));
	ck_assert(!prf_chunk_has_space(chunk, CHUNK_BYTES - chunk->used + 1));
	free(chunk);
}
END_TEST

START_TEST(one_is_as_large_as_its_event)
{
	struct prf_chunk *chunk = prf_chunks_take(&chunks, 5 * CHUNK_BYTES);

	ck_assert(prf_chunk_has_space(chunk, 5 * CHUNK_BYTES));
	ck_assert(!prf_chunks_keep(&chunks, chunk));
	free(chunk);
}
END_TEST

START_TEST(a_few_are_used_again_and_empty_then)
{
	struct prf_chunk *taken[MOST_SPARE + 1];

	for (int i = 0; i <= MOST_SPARE; i++) {
		taken[i] = prf_chunks_take(&chunks, 1);
		put(taken[i], 1);
		taken[i]->counted_bytes = 1;
	}
	for (int i = 0; i < MOST_SPARE; i++)
		ck_assert(prf_chunks_keep(&chunks, taken[i]));
	ck_assert(!prf_chunks_keep(&chunks, taken[MOST_SPARE]));
	free(taken[MOST_SPARE]);

	struct prf_chunk *again = prf_chunks_take(&chunks, 1);
	ck_assert_ptr_eq(again, taken[MOST_SPARE - 1]);
	ck_assert_uint_eq(again->used, 0);
	ck_assert_uint_eq(again->counted_bytes, 0);
	free(again);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("chunk");
	TCase *tcase = tcase_create("chunk");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, events_come_out_in_order);
	tcase_add_test(tcase, what_a_sink_refuses_is_counted);
	tcase_add_test(tcase, a_full_one_has_no_space);
	tcase_add_test(tcase, one_is_as_large_as_its_event);
	tcase_add_test(tcase, a_few_are_used_again_and_empty_then);
	suite_add_tcase(suite, tcase);
	return suite;
}
