#include "view/pprof/pprof_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/calls.h"
#include "space/files.h"
#include "view/pprof/pprof_binaries.h"
#include "view/pprof/pprof_comment.h"
#include "view/pprof/pprof_message.h"
#include "view/pprof/pprof_owner.h"
#include "view/pprof/pprof_unit.h"

/* Of hostile bytes a call tree of any size could be made. */
#define MAX_CALLS (4 * (size_t)PRF_CALLS_MAX)

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

struct reading {
	const struct prf_pprof_message *message;
	struct prf_profile *profile;
	struct prf_pprof_unit unit;
	struct prf_pprof_binaries binaries;
};

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

/* --- Samples */

/* Counts COUNT at END, as the collector would have. */
static int
count_at(const struct prf_arc_end *end, const struct prf_count *count)
{
	struct prf_binary *binary = end->binary;

	if (binary->form == PRF_BINARY_BY_NAME)
		return prf_binary_count_name(
			binary, binary->names.all[end->vaddr].text, count);
	struct prf_block *block = prf_blocks_at(&binary->blocks, end->vaddr);
	if (!block)
		return -ENOMEM;
	block->counts[(end->vaddr - block->vaddr) / PRF_HIST_BIN_BYTES] +=
		count->ticks;
	prf_count_merge(&binary->total, count);
	return count->squares > (double)count->ticks
		       ? prf_tally_add_count(&binary->lumps, end->vaddr, count)
		       : 0;
}

/* *CALL, and below it the functions of LOCATION, the outermost first; *LAST is
 * the innermost. */
static int
enter(const struct reading *reading, size_t location, uint32_t owner,
      struct prf_call **call, const struct prf_arc_end **last)
{
	struct prf_calls *calls = reading->profile->calls;
	size_t n;
	const struct prf_arc_end *ends =
		prf_pprof_binaries_ends(&reading->binaries, location, &n);

	while (n-- && *call) {
		*last = &ends[n];
		*call = (*call)->number
				? prf_calls_enter(calls, *call, *last, false)
				: prf_calls_begin(calls, owner, *last, false);
	}
	return *call ? 0 : -ENOMEM;
}

static int
count_stack(struct reading *reading, const struct prf_pprof_sample *sample,
	    const struct prf_count *count)
{
	struct prf_calls *calls = reading->profile->calls;
	struct prf_call *call = prf_calls_root(calls);
	const struct prf_arc_end *last = NULL;
	size_t nowhere = prf_pprof_binaries_nowhere(&reading->binaries);
	uint32_t owner;
	int rc = prf_pprof_owner_of(reading->message, sample, &calls->owners,
				    &owner);

	if (!rc && !sample->n_locations)
		rc = enter(reading, nowhere, owner, &call, &last);
	for (size_t i = sample->n_locations; !rc && i > 0; i--)
		rc = enter(reading, sample->locations[i - 1], owner, &call,
			   &last);
	if (!rc)
		rc = count_at(last, count);
	if (rc)
		return rc;
	prf_count_merge(&call->self, count);
	calls->ended[sample->n_locations > 1 ? PRF_STACK_COMPLETE
					     : PRF_STACK_NONE] += count->ticks;
	return 0;
}

/* That of very many threads some are folded is enough: what has no room in the
 * end is refused. */
static int
check_size(const struct reading *reading, struct prf_error *err)
{
	struct prf_profile *profile = reading->profile;
	const struct prf_owners *owners = &profile->calls->owners;

	if (owners->n > PRF_OWNERS_MAX && owners->n_threads > 1 &&
	    prf_calls_fold_owners(&profile->calls))
		return no_memory(err);
	if (profile->calls->n > MAX_CALLS)
		return prf_error_set(err, -EFBIG,
				     "more than %zu different ways to its "
				     "samples",
				     MAX_CALLS);
	return prf_blocks_check(profile->n_blocks, err);
}

static int
read_sample(void *arg, const struct prf_pprof_sample *sample,
	    struct prf_error *err)
{
	struct reading *reading = arg;
	struct prf_profile *profile = reading->profile;
	int64_t value = sample->values[reading->unit.value];
	const struct prf_count count = {
		.ticks = (uint64_t)value,
		.squares = (double)value * reading->unit.sample_ticks,
	};

	if (value < 0)
		return prf_error_set(err, -EINVAL,
				     "a value below 0: it is the difference of "
				     "two profiles");
	if (!value)
		return 0;
	if (!prf_ticks_fit(profile->total.ticks, count.ticks))
		return prf_error_set(err, -EOVERFLOW,
				     "more ticks than 63 bits hold");
	if (count_stack(reading, sample, &count))
		return no_memory(err);
	prf_count_merge(&profile->total, &count);
	return check_size(reading, err);
}

/* --- Whose they are */

/* A thread in all of its states, or what is told of others of a program. */
struct thread {
	const struct prf_owner *owner; /* one of them; NULL: there is none */
	struct prf_count count;
};

/* All of them, by their numbers; to be free()d.  NULL: out of memory. */
static struct thread *
threads_of(const struct prf_calls *calls)
{
	const struct prf_owners *owners = &calls->owners;
	struct thread *threads = calloc(owners->n + 1, sizeof *threads);

	for (size_t i = 1; threads && i <= calls->n; i++) {
		const struct prf_call *call = prf_calls_at(calls, i);
		const struct prf_owner *owner =
			prf_owners_at(owners, call->owner);

		if (!owner)
			continue;
		threads[owner->thread].owner = owner;
		prf_count_merge(&threads[owner->thread].count, &call->self);
	}
	return threads;
}

static int
add_thread(struct prf_thread_rows *threads, const struct thread *thread)
{
	const struct prf_owner *owner = thread->owner;
	struct prf_thread_row row = {
		.pid = owner->pid, .tid = owner->tid, .count = thread->count};

	memcpy(row.name, owner->name, sizeof row.name);
	if (owner->tid)
		return prf_thread_rows_add(threads, &row);
	prf_count_merge(&threads->folded, &thread->count);
	threads->n_folded++;
	return 0;
}

static int
add_program(struct prf_programs *programs, const struct thread *thread)
{
	const struct prf_owner *owner = thread->owner;
	bool is_main = owner->pid && owner->pid == owner->tid;

	return thread->count.ticks && *owner->program
		       ? prf_programs_add(programs, owner->program, is_main,
					  &thread->count)
		       : 0;
}

/* Threads, and programs, as labels tell of them. */
static int
add_owners(struct prf_profile *profile)
{
	size_t n = profile->calls->owners.n;
	PRF_AUTO(prf_auto_free)
	struct thread *threads = threads_of(profile->calls);
	int rc = threads ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < n; i++) {
		if (!threads[i].owner)
			continue;
		rc = add_thread(&profile->threads, &threads[i]);
		if (!rc)
			rc = add_program(&profile->programs, &threads[i]);
	}
	prf_thread_rows_sort(&profile->threads);
	prf_programs_sort(&profile->programs);
	return rc;
}

/* --- What its comments say */

/* Why its stacks ended, if that is said of all. */
static int
read_ends(struct reading *reading)
{
	const struct prf_pprof_message *message = reading->message;
	struct prf_calls *calls = reading->profile->calls;
	uint64_t ended[PRF_N_STACK_ENDS] = {0}, sum = 0;

	for (size_t i = 0; i < message->comment_list.n; i++) {
		PRF_AUTO(prf_auto_free)
		char *text =
			prf_pprof_message_text(message, message->comments[i]);
		enum prf_stack_end end;
		uint64_t ticks;

		if (!text)
			return -ENOMEM;
		if (!prf_pprof_comment_is_end(text, &end, &ticks))
			continue;
		sum += ticks - ended[end];
		ended[end] = ticks;
	}
	if (sum == reading->profile->total.ticks && sum)
		memcpy(calls->ended, ended, sizeof ended);
	return 0;
}

/* Of calls by function the counters are, too. */
static void
read_way(struct reading *reading)
{
	const struct prf_pprof_message *message = reading->message;
	struct prf_profile *profile = reading->profile;
	size_t n = strlen(PRF_PPROF_BY_FUNCTION);

	for (size_t i = 0; i < message->comment_list.n; i++) {
		const struct prf_pprof_text *text =
			&message->strings[message->comments[i]];

		if (text->n == n &&
		    !memcmp(text->bytes, PRF_PPROF_BY_FUNCTION, n))
			profile->calls->by_function = true;
	}
	for (size_t i = 0; i < profile->n_binaries; i++)
		profile->binaries[i]->by_function = profile->calls->by_function;
}

/* What was run, in a comment of our own, and when. */
static int
read_origin(struct reading *reading)
{
	const struct prf_pprof_message *message = reading->message;
	size_t n = strlen(PRF_PPROF_COMMAND);
	uint64_t begun_s = message->time_ns > 0
				   ? (uint64_t)message->time_ns / 1000000000
				   : 0;
	PRF_AUTO(prf_auto_free) char *command = NULL;

	for (size_t i = 0; !command && i < message->comment_list.n; i++) {
		const struct prf_pprof_text *text =
			&message->strings[message->comments[i]];

		if (text->n <= n || memcmp(text->bytes, PRF_PPROF_COMMAND, n))
			continue;
		command = strndup(text->bytes + n, text->n - n);
		if (!command)
			return -ENOMEM;
	}
	return prf_origin_tell(&reading->profile->origin, command,
			       reading->unit.clock, begun_s);
}

/* --- All of it */

/* Others put the program first, too. */
static void
choose_program(struct reading *reading)
{
	struct prf_binary *first = prf_pprof_binaries_first(&reading->binaries);

	if (!first || first->kind != PRF_BINARY_FILE)
		return;
	first->is_program = true;
	first->program_ticks = reading->profile->total.ticks;
	reading->profile->program = first;
}

static int
read_all(struct reading *reading, const struct prf_objectfile_way *way,
	 struct prf_error *err)
{
	struct prf_profile *profile = reading->profile;
	int rc = prf_pprof_unit_of(reading->message, &reading->unit, err);

	if (!rc)
		rc = prf_profile_set_unit(profile, &reading->unit.unit, err);
	if (rc)
		return rc;
	profile->calls = prf_calls_new();
	if (!profile->calls)
		return no_memory(err);
	rc = prf_pprof_binaries_init(&reading->binaries, reading->message, way,
				     profile, err);
	if (!rc) {
		read_way(reading);
		rc = prf_pprof_message_walk(reading->message, read_sample,
					    reading, err);
	}
	if (!rc &&
	    (read_ends(reading) || read_origin(reading) || add_owners(profile)))
		rc = no_memory(err);
	if (!rc)
		choose_program(reading);
	return rc;
}

bool
prf_pprof_read_is_it(const void *bytes, size_t n)
{
	return prf_pprof_message_is_it(bytes, n);
}

int
prf_pprof_read(const void *bytes, size_t n,
	       const struct prf_objectfile_way *way, struct prf_profile **out,
	       struct prf_error *err)
{
	PRF_AUTO(prf_pprof_message_clear) struct prf_pprof_message message;
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();
	struct reading reading = {.message = &message, .profile = profile};
	int rc = prf_pprof_message_read(&message, bytes, n, err);

	if (!rc && !profile)
		rc = no_memory(err);
	if (!rc)
		rc = read_all(&reading, way, err);
	prf_pprof_binaries_clear(&reading.binaries);
	if (!rc)
		*out = PRF_TAKE(profile);
	return rc;
}
