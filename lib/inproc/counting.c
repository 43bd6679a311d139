#include "inproc/counting.h"

#include <errno.h>
#include <pthread.h>

#include "core/counter.h"
#include "inproc/lock.h"
#include "inproc/safemem.h"

/* Pcs that are stored at a time: ticks owed together. */
#define N_PCS 16

/* For a counter that other processes change all the time. */
#define MAX_TRIES 100

/* There is one for the process, as the calls' own documents have it.  It is
 * stored twice; what is counted is in one of the two, and a change is made in
 * the other: a child of fork, wherever in this file its parent was, finds a
 * consistent one. */
static struct {
	struct place {
		struct prf_counting counting;
		struct prf_profil_state state;
	} places[2];
	unsigned now;
	struct prf_counting_list *retired;
	/* Not on the stack, for that may be an alternate signal stack. */
	uintptr_t pcs[N_PCS];
} counting;

static struct prf_profil_state *
state_now(void)
{
	return &counting.places[counting.now].state;
}

static void
go_off(enum prf_profil_why why)
{
	state_now()->on = false;
	state_now()->why = why;
}

static void
fault(uintptr_t addr)
{
	state_now()->fault_addr = addr;
	go_off(PRF_PROFIL_FAULT);
}

/* --- A tick in a counter. */

/* What prf_safemem_change() says. */
static int
change_counter(const struct prf_counting *now, uintptr_t addr, uint64_t ticks,
	       struct prf_counter_result *result)
{
	uint64_t before = 0;

	if (prf_safemem_read(&before, addr, now->width_bytes) < 0)
		return -EFAULT;
	*result = prf_counter_add(before, ticks, now->width_bytes,
				  now->dialect.full);
	return result->counter == before
		       ? 0
		       : prf_safemem_change(addr, now->width_bytes, before,
					    result->counter);
}

static void
add_to_counter(const struct prf_counting *now, uintptr_t addr, uint64_t ticks)
{
	struct prf_counter_result result;
	int rc, tries = 0;

	do
		rc = change_counter(now, addr, ticks, &result);
	while (rc == -EAGAIN && ++tries < MAX_TRIES);
	if (rc < 0) {
		state_now()->dropped += ticks;
		if (rc != -EAGAIN)
			fault(addr);
		return;
	}
	state_now()->counted += ticks - result.lost;
	state_now()->dropped += result.lost;
	if (result.stop)
		go_off(PRF_PROFIL_FULL);
}

static void
count_in_region(const struct prf_counting *now, uint64_t pc, uint64_t ticks)
{
	struct prf_hit hit = prf_region_map(now->region, now->width_bytes,
					    &now->dialect, pc);

	if (hit.kind == PRF_HIT)
		add_to_counter(now, (uintptr_t)now->region.base + hit.byte,
			       ticks);
	else
		state_now()->outside += ticks;
}

static void
count_in_table(const struct prf_counting *now, uint64_t pc, uint64_t ticks)
{
	const struct prf_table *table = now->list->table;
	struct prf_table_hit hit = prf_table_find(table, pc);

	if (hit.entry == PRF_TABLE_NONE) {
		state_now()->outside += ticks;
		return;
	}
	struct prf_region region = prf_table_region(table, hit.entry);
	add_to_counter(now, (uintptr_t)region.base + hit.byte, ticks);
}

/* --- A tick in the samples. */

/* Stores N samples, and returns how many it could store. */
static int64_t
store_pcs(uintptr_t at, uint64_t pc, int64_t n)
{
	uintptr_t *pcs = counting.pcs;
	int64_t n_done = 0;

	for (int i = 0; i < N_PCS; i++)
		pcs[i] = pc;
	while (n_done < n) {
		int64_t part = n - n_done < N_PCS ? n - n_done : N_PCS;

		if (prf_safemem_write(at + (uintptr_t)n_done * sizeof *pcs, pcs,
				      (size_t)part * sizeof *pcs) < 0)
			break;
		n_done += part;
	}
	return n_done;
}

static void
store_samples(struct prf_counting *now, uint64_t pc, uint64_t ticks)
{
	struct prf_pcsample_room room =
		prf_pcsample_room(&now->positions, ticks);
	uintptr_t at = (uintptr_t)now->samples +
		       (uintptr_t)room.first * sizeof *now->samples;
	int64_t n = store_pcs(at, pc, room.n);

	prf_pcsample_stored(&now->positions, n);
	state_now()->counted += (uint64_t)n;
	state_now()->dropped += ticks - (uint64_t)n;
	if (n < room.n) {
		prf_pcsample_fault(&now->positions);
		fault(at + (uintptr_t)n * sizeof *now->samples);
	} else if (!prf_pcsample_is_on(&now->positions)) {
		go_off(PRF_PROFIL_FULL);
	}
}

/* --- What the ticker tells. */

static bool
on_tick(uint64_t pc, uint64_t ticks)
{
	struct prf_counting *now = &counting.places[counting.now].counting;

	switch (now->kind) {
	case PRF_PROFIL_PROFIL:
		count_in_region(now, pc, ticks);
		break;
	case PRF_PROFIL_SPROFIL:
		count_in_table(now, pc, ticks);
		break;
	case PRF_PROFIL_PCSAMPLE:
		store_samples(now, pc, ticks);
		break;
	case PRF_PROFIL_NONE:
		break;
	}
	return state_now()->on;
}

static void
on_unseen(uint64_t ticks)
{
	state_now()->dropped += ticks;
	state_now()->unseen += ticks;
}

static const struct prf_ticker_client client = {
	.tick = on_tick,
	.unseen = on_unseen,
};

/* --- Calls. */

static void
retire(struct prf_counting_list *list)
{
	if (!list)
		return;
	list->next = counting.retired;
	counting.retired = list;
}

int
prf_counting_set(const struct prf_counting *wanted, bool is_on)
{
	if (is_on) {
		int rc = prf_ticker_start(&client);
		if (rc < 0)
			return rc;
	} else {
		prf_ticker_stop();
	}

	/* The old list is removed only when it cannot be found any more, not
	 * even by a child of fork. */
	struct place *before = &counting.places[counting.now];
	unsigned next = !counting.now;
	counting.places[next] = (struct place){
		.counting = *wanted,
		.state = {.kind = wanted->kind, .on = is_on},
	};
	__atomic_store_n(&counting.now, next, __ATOMIC_SEQ_CST);
	retire(before->counting.list);
	before->counting.list = NULL;
	return 0;
}

const struct prf_counting *
prf_counting_now(void)
{
	return &counting.places[counting.now].counting;
}

void
prf_counting_state(struct prf_profil_state *state)
{
	prf_ticker_settle();
	if (state_now()->on && !prf_ticker_has_handler()) {
		prf_ticker_stop();
		go_off(PRF_PROFIL_HANDLER);
	}
	*state = *state_now();
	/* Not counted beside these: a child of fork, whose parent was between,
	 * would be one off for ever. */
	state->ticks = state->counted + state->outside + state->dropped;
	state->n_threads = state->on ? prf_ticker_n_threads() : 0;
	state->held = state->on ? prf_ticker_held() : 0;
}

struct prf_counting_list *
prf_counting_retired(void)
{
	struct prf_counting_list *retired = counting.retired;

	counting.retired = NULL;
	return retired;
}

/* --- Fork. */

static void
go_on_in_child(void)
{
	prf_lock_reset();
	prf_lock_take();
	/* What is counted says whether profiling is on.  The ticker cannot say
	 * it: the parent may have been about to start or to stop it. */
	prf_ticker_forget();
	int rc = state_now()->on ? prf_ticker_start(&client) : 0;
	if (rc < 0)
		go_off(rc == -EBUSY ? PRF_PROFIL_HANDLER : PRF_PROFIL_CLOCK);
	prf_lock_give();
	prf_lock_after_fork();
}

/* Here and not at the first call, which may be made in a handler. */
__attribute__((constructor)) static void
watch_forks(void)
{
	pthread_atfork(prf_lock_before_fork, prf_lock_after_fork,
		       go_on_in_child);
}
