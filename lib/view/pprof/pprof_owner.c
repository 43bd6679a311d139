#include "view/pprof/pprof_owner.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

/* An owner as labels tell of it. */
struct told {
	struct prf_owner owner;
	char *program; /* or NULL */
};

typedef int take_label(struct told *told, const char *text, int64_t number);

static int
as_id(const char *text, int64_t number)
{
	if (text)
		number = strtoll(text, NULL, 10);
	return number > 0 && number <= INT_MAX ? (int)number : 0;
}

static int
take_pid(struct told *told, const char *text, int64_t number)
{
	told->owner.pid = as_id(text, number);
	return 0;
}

static int
take_tid(struct told *told, const char *text, int64_t number)
{
	told->owner.tid = as_id(text, number);
	return 0;
}

static int
take_rank(struct told *told, const char *text, int64_t number)
{
	told->owner.rank = as_id(text, number);
	return 0;
}

const char *
prf_pprof_owner_state(enum prf_sample_state state)
{
	static const char *const words[PRF_N_SAMPLE_STATES] = {
		[PRF_SAMPLE_RUNNABLE] = "runnable",
		[PRF_SAMPLE_BLOCKED] = "blocked",
	};

	return words[state];
}

static int
take_state(struct told *told, const char *text, int64_t number)
{
	(void)number;
	for (int i = 0; text && i < PRF_N_SAMPLE_STATES; i++) {
		enum prf_sample_state state = (enum prf_sample_state)i;
		const char *word = prf_pprof_owner_state(state);

		if (word && strcmp(word, text) == 0)
			told->owner.state = state;
	}
	return 0;
}

static int
take_thread(struct told *told, const char *text, int64_t number)
{
	(void)number;
	snprintf(told->owner.name, sizeof told->owner.name, "%s",
		 text ? text : "");
	return 0;
}

static int
take_program(struct told *told, const char *text, int64_t number)
{
	(void)number;
	free(told->program);
	told->program = strdup(text ? text : "");
	return told->program ? 0 : -ENOMEM;
}

/* Ours, and those of perf's converter. */
static const struct {
	const char *key;
	take_label *take;
} keys[] = {
	{PRF_PPROF_PROGRAM, take_program},
	{PRF_PPROF_PID, take_pid},
	{PRF_PPROF_TID, take_tid},
	{PRF_PPROF_THREAD, take_thread},
	{PRF_PPROF_RANK, take_rank},
	{PRF_PPROF_STATE, take_state},
	{"comm", take_program},
	{"thread_comm", take_thread},
};

static int
take(const struct prf_pprof_message *message,
     const struct prf_pprof_label *label, struct told *told)
{
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (!prf_pprof_message_is(message, label->key, keys[i].key))
			continue;
		PRF_AUTO(prf_auto_free)
		char *text = label->text ? prf_pprof_message_text(message,
								  label->text)
					 : NULL;
		return label->text && !text
			       ? -ENOMEM
			       : keys[i].take(told, text, label->number);
	}
	return 0;
}

int
prf_pprof_owner_of(const struct prf_pprof_message *message,
		   const struct prf_pprof_sample *sample,
		   struct prf_owners *owners, uint32_t *number)
{
	struct told told = {.owner.rank = -1};
	struct prf_owner *owner = &told.owner;
	int rc = 0;

	*number = PRF_OWNERS_NOBODY;
	for (size_t i = 0; !rc && i < sample->n_labels; i++)
		rc = take(message, &sample->labels[i], &told);
	owner->program = told.program ? told.program : "";
	/* By a name alone threads cannot be told apart. */
	if (!owner->tid)
		*owner->name = '\0';
	if (!rc &&
	    (told.program || owner->pid || owner->tid || owner->rank >= 0))
		rc = prf_owners_intern(owners, owner, number);
	if (!rc && *owner->name)
		prf_owners_name(owners, owner);
	free(told.program);
	return rc;
}
