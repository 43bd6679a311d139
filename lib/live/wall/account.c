#include "live/wall/account.h"

#include <math.h>

#include "live/random.h"

/* Threads that move are sampled once a tick, but not more often than this. */
enum { LEAST_GRAIN_NS = 1000000 };
/* Threads that do not move are sampled at least so often, in the mean. */
enum { MOST_GAP_NS = 1000000000 };
/* While a thread stays at a position, that is charged with so much at once. */
enum { LEAST_CHARGE_NS = 1000000000 };
/* The next sample of a thread that has not moved comes after this part of
 * the time for which it has not: so the error at the end of a long wait is a
 * small part of it. */
enum { PART_OF_KNOWN = 4 };
/* The CPU time that is read of a thread that runs is some milliseconds old, and more
 * where a host has stopped the processor: so much is believed at once, and of more
 * as much again as there is time. */
enum { MOST_LAG_NS = 1000000000 };
/* Of the time that no position was charged with, the next position gets this
 * part. */
enum { PART_OF_UNASSIGNED = 8 };

void
prf_accounts_begin(struct prf_accounts *accounts, uint64_t period_ns,
		   uint64_t seed)
{
	*accounts = (struct prf_accounts){
		.period_ns = period_ns,
		.grain_ns =
			period_ns < LEAST_GRAIN_NS ? LEAST_GRAIN_NS : period_ns,
		.random = seed,
		.waited_ns = (int64_t)(period_ns / 2),
	};
}

static uint32_t
whole_ticks(const struct prf_accounts *accounts, int64_t ns)
{
	uint64_t ticks = ns < 0 ? 0 : (uint64_t)ns / accounts->period_ns;

	return ticks > UINT32_MAX ? UINT32_MAX : (uint32_t)ticks;
}

static int64_t
ns_of(const struct prf_accounts *accounts, uint32_t ticks)
{
	return (int64_t)(ticks * accounts->period_ns);
}

static int64_t
gap_ns(const struct prf_accounts *accounts, const struct prf_account *account)
{
	return (int64_t)(account->n_grains * accounts->grain_ns);
}

uint32_t
prf_accounts_take_waited(struct prf_accounts *accounts)
{
	uint32_t ticks = whole_ticks(accounts, accounts->waited_ns);

	accounts->waited_ns -= ns_of(accounts, ticks);
	return ticks;
}

void
prf_account_begin(struct prf_account *account, uint64_t now_ns,
		  const struct prf_schedstat *times)
{
	*account = (struct prf_account){
		.seen_ns = now_ns,
		.times = *times,
		.n_grains = 1,
	};
}

bool
prf_account_can_have(const struct prf_account *account, uint64_t now_ns,
		     const struct prf_schedstat *times)
{
	const struct prf_schedstat *last = &account->times;

	if (times->n_slices < last->n_slices || times->cpu_ns < last->cpu_ns ||
	    times->waited_ns < last->waited_ns)
		return false;
	uint64_t cpu_ns = times->cpu_ns - last->cpu_ns;
	uint64_t waited_ns = times->waited_ns - last->waited_ns;
	uint64_t most_ns = 2 * (now_ns - account->seen_ns) + MOST_LAG_NS;
	return cpu_ns <= most_ns && waited_ns <= most_ns - cpu_ns;
}

bool
prf_account_is_unmoved(const struct prf_account *account,
		       const struct prf_schedstat *times)
{
	return account->blocked && account->times.n_slices == times->n_slices &&
	       account->times.cpu_ns == times->cpu_ns;
}

/* Accounts for the time up to NOW_NS.  The CPU time of a thread that runs is
 * some milliseconds old: what is too much in open_ns now will be subtracted
 * at the next sample. */
static void
advance(struct prf_accounts *accounts, struct prf_account *account,
	uint64_t now_ns, const struct prf_schedstat *times)
{
	int64_t waited_ns =
		(int64_t)(times->waited_ns - account->times.waited_ns);

	account->open_ns += (int64_t)(now_ns - account->seen_ns) -
			    (int64_t)(times->cpu_ns - account->times.cpu_ns) -
			    waited_ns;
	accounts->waited_ns += waited_ns;
	account->seen_ns = now_ns;
	account->times = *times;
}

/* Charges NS to the position where the thread was found last. */
static void
give(struct prf_accounts *accounts, struct prf_account *account, int64_t ns)
{
	if (account->located)
		account->owed_ns += ns;
	else
		accounts->unassigned_ns += ns;
}

/* All that the position is owed, rounded at random to whole ticks. */
static struct prf_account_charge
leave(struct prf_accounts *accounts, struct prf_account *account)
{
	struct prf_account_charge charge = {.position = account->position};
	double u = prf_random_unit(&accounts->random);
	int64_t up_ns = (int64_t)(u * (double)accounts->period_ns);
	uint32_t guessed = whole_ticks(accounts, gap_ns(accounts, account));

	charge.ticks = whole_ticks(accounts, account->owed_ns + up_ns);
	charge.certain = charge.ticks > guessed ? charge.ticks - guessed : 0;
	accounts->unassigned_ns +=
		account->owed_ns - ns_of(accounts, charge.ticks);
	account->owed_ns = 0;
	return charge;
}

/* If the thread moves before the next sample, the next position will get the
 * mean time up to that, and this one the difference to what it really was:
 * so much is not charged yet. */
struct prf_account_charge
prf_account_stay(struct prf_accounts *accounts, struct prf_account *account,
		 uint64_t now_ns, const struct prf_schedstat *times)
{
	struct prf_account_charge charge = {.position = account->position};
	uint64_t most = MOST_GAP_NS / accounts->grain_ns;

	advance(accounts, account, now_ns, times);
	account->known_ns += account->open_ns;
	account->owed_ns += account->open_ns;
	account->open_ns = 0;
	uint64_t n_grains = account->known_ns < 0
				    ? 0
				    : (uint64_t)account->known_ns /
					      PART_OF_KNOWN /
					      accounts->grain_ns;
	account->n_grains = n_grains > most ? most : n_grains;
	account->n_grains += account->n_grains == 0;
	int64_t due_ns = account->owed_ns - gap_ns(accounts, account);
	if (due_ns < LEAST_CHARGE_NS)
		return charge;
	charge.ticks = charge.certain = whole_ticks(accounts, due_ns);
	account->owed_ns -= ns_of(accounts, charge.ticks);
	return charge;
}

/* A part of what no position was charged with, at most half of CLAIM_NS. */
static int64_t
take_unassigned(struct prf_accounts *accounts, int64_t claim_ns)
{
	int64_t ns = accounts->unassigned_ns / PART_OF_UNASSIGNED;

	if (ns > claim_ns / 2)
		ns = claim_ns / 2;
	if (ns < -claim_ns / 2)
		ns = -claim_ns / 2;
	accounts->unassigned_ns -= ns;
	return ns;
}

struct prf_account_charge
prf_account_move(struct prf_accounts *accounts, struct prf_account *account,
		 uint64_t now_ns, uint64_t late_ns,
		 const struct prf_schedstat *times,
		 const struct prf_position *position)
{
	struct prf_account_charge charge = {0};

	advance(accounts, account, now_ns, times);
	if (position) {
		int64_t claim_ns = gap_ns(accounts, account) + (int64_t)late_ns;

		give(accounts, account, account->open_ns - claim_ns);
		charge = leave(accounts, account);
		account->open_ns = 0;
		account->owed_ns =
			claim_ns + take_unassigned(accounts, claim_ns);
		account->position = *position;
		account->located = true;
	}
	account->blocked = position != NULL;
	account->known_ns = 0;
	account->n_grains = 1;
	return charge;
}

/* Without TIMES, a thread that slept is taken to have slept on; of one that
 * ran nothing is known. */
struct prf_account_charge
prf_account_end(struct prf_accounts *accounts, struct prf_account *account,
		uint64_t now_ns, const struct prf_schedstat *times)
{
	const struct prf_schedstat last = account->times;

	if (times || account->blocked)
		advance(accounts, account, now_ns, times ? times : &last);
	give(accounts, account, account->open_ns);
	account->open_ns = 0;
	return leave(accounts, account);
}

uint64_t
prf_account_delay(struct prf_accounts *accounts,
		  const struct prf_account *account)
{
	double chance = 1 / (double)account->n_grains;

	if (account->n_grains == 1)
		return 1;
	/* A geometric distribution: how often something fails that succeeds
	 * with this chance. */
	double u = 1 - prf_random_unit(&accounts->random);
	return 1 + (uint64_t)(log(u) / log1p(-chance));
}
