#include "live/wall/wheel.h"

#include <math.h>
#include <stddef.h>

#include "live/random.h"

void
prf_wheel_begin(struct prf_wheel *wheel, uint64_t mean_ns, uint64_t seed,
		uint64_t now_ns)
{
	*wheel = (struct prf_wheel){
		.mean_ns = mean_ns,
		.random = seed,
		.at_ns = {now_ns},
	};
	wheel->last_due = &wheel->due;
}

/* The time of MOMENT, which is less than a turn of the wheel ahead. */
static uint64_t
time_of(struct prf_wheel *wheel, uint64_t moment)
{
	for (; wheel->drawn < moment; wheel->drawn++) {
		double u = 1 - prf_random_unit(&wheel->random);
		double gap = -log(u) * (double)wheel->mean_ns;
		uint64_t before = wheel->at_ns[wheel->drawn % PRF_WHEEL_SLOTS];

		wheel->at_ns[(wheel->drawn + 1) % PRF_WHEEL_SLOTS] =
			before + 1 + (uint64_t)gap;
	}
	return wheel->at_ns[moment % PRF_WHEEL_SLOTS];
}

static void
put(struct prf_wheel_item **list, struct prf_wheel_item *item)
{
	item->next = *list;
	item->link = list;
	if (item->next)
		item->next->link = &item->next;
	*list = item;
}

static void
put_last(struct prf_wheel *wheel, struct prf_wheel_item *item)
{
	put(wheel->last_due, item);
	wheel->last_due = &item->next;
}

static void
take_out(struct prf_wheel *wheel, struct prf_wheel_item *item)
{
	*item->link = item->next;
	if (item->next)
		item->next->link = item->link;
	if (wheel->last_due == &item->next)
		wheel->last_due = item->link;
	item->next = NULL;
	item->link = NULL;
}

/* A moment has come: what waits for it becomes due.  Its slot also has what
 * waits for later turns of the wheel. */
static void
pass(struct prf_wheel *wheel)
{
	uint64_t moment = ++wheel->passed;
	struct prf_wheel_item *next,
		*item = wheel->slots[moment % PRF_WHEEL_SLOTS];

	for (; item; item = next) {
		next = item->next;
		if (item->moment != moment)
			continue;
		take_out(wheel, item);
		item->due_ns = wheel->at_ns[moment % PRF_WHEEL_SLOTS];
		put_last(wheel, item);
		wheel->n_items--;
	}
}

static void
catch_up(struct prf_wheel *wheel, uint64_t now_ns)
{
	while (time_of(wheel, wheel->passed + 1) <= now_ns)
		pass(wheel);
}

void
prf_wheel_add(struct prf_wheel *wheel, struct prf_wheel_item *item,
	      uint64_t delay, uint64_t now_ns)
{
	catch_up(wheel, now_ns);
	item->moment = wheel->passed + delay;
	put(&wheel->slots[item->moment % PRF_WHEEL_SLOTS], item);
	wheel->n_items++;
}

void
prf_wheel_remove(struct prf_wheel *wheel, struct prf_wheel_item *item)
{
	if (!item->link)
		return;
	wheel->n_items -= item->moment > wheel->passed;
	take_out(wheel, item);
}

struct prf_wheel_item *
prf_wheel_take(struct prf_wheel *wheel, uint64_t now_ns)
{
	catch_up(wheel, now_ns);
	struct prf_wheel_item *item = wheel->due;

	if (item)
		take_out(wheel, item);
	return item;
}

uint64_t
prf_wheel_next_ns(struct prf_wheel *wheel)
{
	uint64_t moment = wheel->passed + 1;

	if (wheel->due)
		return wheel->at_ns[wheel->passed % PRF_WHEEL_SLOTS];
	if (!wheel->n_items)
		return UINT64_MAX;
	while (!wheel->slots[moment % PRF_WHEEL_SLOTS] &&
	       moment < wheel->passed + PRF_WHEEL_SLOTS - 1)
		moment++;
	return time_of(wheel, moment);
}
