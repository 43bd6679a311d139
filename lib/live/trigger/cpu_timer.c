#include "live/trigger/cpu_timer.h"

#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>

/* As the kernel numbers the clocks of threads. */
enum { CLOCK_OF_THREAD = 4, CLOCK_ALL = 0, CLOCK_USER = 1 };

_Static_assert(sizeof(struct prf_cpu_timer_data) <= PRF_INJECT_MAX_DATA,
	       "the injected data fits");
_Static_assert(sizeof((struct prf_cpu_timer_data *)0)->event == 64,
	       "as long as the kernel's struct sigevent");

struct prf_cpu_timer_data
prf_cpu_timer_data(const struct prf_cpu_timer *timer)
{
	const uint64_t s = 1000000000;

	return (struct prf_cpu_timer_data){
		.event =
			{
				.value = (uint32_t)timer->cookie,
				.signo = timer->signal,
				.notify = SIGEV_THREAD_ID,
				.tid = timer->tid,
			},
		.spec =
			{
				.interval_s = (int64_t)(timer->period_ns / s),
				.interval_ns = (int64_t)(timer->period_ns % s),
				.value_s = (int64_t)(timer->first_ns / s),
				.value_ns = (int64_t)(timer->first_ns % s),
			},
	};
}

/* The thread's clock for a thread of the same process.  It moves with the ticks
 * of the kernel that meet the thread, by a tick at each; it is not the one that
 * the scheduler keeps, which is exact. */
static uint64_t
clock_of(const struct prf_cpu_timer *timer)
{
	int kind = timer->user_only ? CLOCK_USER : CLOCK_ALL;

	return (uint64_t)((int64_t)~timer->tid * 8 + CLOCK_OF_THREAD + kind);
}

int
prf_cpu_timer_make(struct prf_injection *injection,
		   const struct prf_cpu_timer *timer, int *id, int64_t *result)
{
	uint64_t data = injection->data_addr;
	uint64_t id_addr = data + offsetof(struct prf_cpu_timer_data, id);
	uint64_t spec_addr = data + offsetof(struct prf_cpu_timer_data, spec);
	struct prf_cpu_timer_data made;

	int rc = prf_inject_call(injection, SYS_timer_create,
				 (uint64_t[6]){clock_of(timer), data, id_addr},
				 result);
	if (rc || *result)
		return rc;
	rc = prf_inject_read(injection, &made);
	if (rc)
		return rc;
	*id = made.id;
	return prf_inject_call(
		injection, SYS_timer_settime,
		(uint64_t[6]){(uint64_t)made.id, 0, spec_addr, 0}, result);
}

int
prf_cpu_timer_delete(struct prf_injection *injection, int id)
{
	int64_t result;

	return prf_inject_call(injection, SYS_timer_delete,
			       (uint64_t[6]){(uint64_t)id}, &result);
}
