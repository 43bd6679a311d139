#include "src/output/teller.h"

#include <string.h>

#include "core/worker.h"

/* What waits, taken out at once, so that the lock is not held meanwhile. */
struct taken {
	char text[PRF_TELLER_BYTES];
	size_t used;
	unsigned n_lost;
};

/* Waits until there is something.  False: nothing comes any more. */
static bool
take(struct prf_teller *teller, struct taken *taken)
{
	pthread_mutex_lock(&teller->lock);
	while (!teller->used && !teller->is_over)
		pthread_cond_wait(&teller->come, &teller->lock);
	memcpy(taken->text, teller->text, teller->used);
	taken->used = teller->used;
	taken->n_lost = teller->n_lost;
	teller->used = 0;
	teller->n_lost = 0;
	pthread_mutex_unlock(&teller->lock);
	return taken->used > 0;
}

static void *
say_all(void *arg)
{
	struct prf_teller *teller = arg;
	const struct prf_messages *messages = &teller->messages;
	struct taken taken;

	while (take(teller, &taken)) {
		for (size_t at = 0; at < taken.used;
		     at += strlen(taken.text + at) + 1)
			prf_message_note(messages, "%s", taken.text + at);
		if (taken.n_lost)
			prf_message_warn(messages,
					 "%u line%s more could not be said "
					 "in time",
					 taken.n_lost,
					 prf_message_s(taken.n_lost));
	}
	return NULL;
}

int
prf_teller_begin(struct prf_teller *teller, const struct prf_messages *messages,
		 struct prf_error *err)
{
	teller->messages = *messages;
	pthread_mutex_init(&teller->lock, NULL);
	pthread_cond_init(&teller->come, NULL);
	teller->is_over = false;
	teller->used = 0;
	teller->n_lost = 0;
	int rc = prf_worker_begin(&teller->thread, say_all, teller);

	teller->runs = !rc;
	return rc ? prf_error_set(err, rc, "no thread: %s", strerror(-rc)) : 0;
}

void
prf_teller_say(struct prf_teller *teller, const char *line)
{
	size_t size = line ? strlen(line) + 1 : 0;

	if (!teller->runs || !size)
		return;
	pthread_mutex_lock(&teller->lock);
	if (size > sizeof teller->text - teller->used) {
		teller->n_lost++;
	} else {
		memcpy(teller->text + teller->used, line, size);
		teller->used += size;
	}
	pthread_mutex_unlock(&teller->lock);
	pthread_cond_signal(&teller->come);
}

void
prf_teller_end(struct prf_teller *teller)
{
	if (!teller->runs)
		return;
	pthread_mutex_lock(&teller->lock);
	teller->is_over = true;
	pthread_mutex_unlock(&teller->lock);
	pthread_cond_signal(&teller->come);
	pthread_join(teller->thread, NULL);
	pthread_cond_destroy(&teller->come);
	pthread_mutex_destroy(&teller->lock);
	teller->runs = false;
}
