#include "inproc/profil.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "core/dialect.h"
#include "core/scope.h"
#include "core/table.h"
#include "inproc/counting.h"
#include "inproc/lock.h"
#include "inproc/safemem.h"
#include "inproc/ticker.h"

#define NS_PER_US 1000
#define US_PER_S 1000000

PRF_DEFINE_AUTO(prf_table, prf_table_free);

/* 0, or -1 and errno, of 0 or a negative errno value. */
static int
result_of(int rc)
{
	if (rc >= 0)
		return 0;
	errno = -rc;
	return -1;
}

/* Where a call continues: there its ticks belong that are due at its end. */
#define CALLER_PC                                                              \
	((uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0)))

/* Takes the lock.  What is counted is changed next: it gets what it has still
 * to get, if profiling goes off.  Returns the signal mask to restore. */
static uint64_t
begin_change(bool is_on, uintptr_t pc)
{
	uint64_t mask = prf_lock_enter();

	if (!is_on)
		prf_ticker_tell_due(mask, pc);
	return mask;
}

static int
set(const struct prf_counting *counting, bool is_on, uintptr_t pc)
{
	uint64_t mask = begin_change(is_on, pc);
	int rc = prf_counting_set(counting, is_on);

	prf_lock_leave(mask);
	return rc;
}

/* --- profil. */

int
prf_profil(const struct prf_dialect *dialect, void *buf, size_t bufsiz_bytes,
	   size_t offset, unsigned scale)
{
	struct prf_counting counting = {
		.kind = PRF_PROFIL_PROFIL,
		.width_bytes = sizeof(uint16_t),
		.dialect = *dialect,
		.region = {buf, bufsiz_bytes, offset, scale},
	};
	enum prf_hit_kind kind =
		prf_region_kind(counting.region, counting.width_bytes, dialect);
	int saved_errno = errno;

	if (kind == PRF_INVALID)
		return result_of(-EINVAL);
	if (dialect->buffer_is_checked && kind != PRF_OFF && bufsiz_bytes > 0 &&
	    !prf_safemem_is_buffer((uintptr_t)buf, bufsiz_bytes))
		return result_of(-EFAULT);

	int rc = set(&counting, kind != PRF_OFF, CALLER_PC);
	errno = saved_errno;
	return result_of(rc);
}

/* --- sprofil. */

static void
free_lists(struct prf_counting_list *list)
{
	while (list) {
		struct prf_counting_list *next = list->next;

		prf_table_free(list->table);
		free(list);
		list = next;
	}
}

/* The caller's list, which may not be there, made into a table. */
static int
compile(const struct prf_region *list, int n, unsigned flags,
	struct prf_counting *counting, struct prf_table **table)
{
	if (n < 0 || n > PRF_TABLE_MAX)
		return -E2BIG;
	int width = prf_table_width(flags, &counting->dialect);
	if (width < 0)
		return width;
	counting->width_bytes = (unsigned)width;

	size_t size_bytes = (size_t)n * sizeof *list;
	PRF_AUTO(prf_auto_free)
	struct prf_region *copy = malloc(size_bytes + 1);
	if (!copy)
		return -ENOMEM;
	if (prf_safemem_read(copy, (uintptr_t)list, size_bytes) < 0)
		return -EFAULT;
	return prf_table_new(copy, n, counting->width_bytes, &counting->dialect,
			     table, NULL);
}

static struct timeval
tick(void)
{
	int64_t us = prf_ticker_tick_ns() / NS_PER_US;

	return (struct timeval){
		.tv_sec = us / US_PER_S,
		.tv_usec = us % US_PER_S,
	};
}

static bool
is_timeval(const struct timeval *tv)
{
	return !tv || (prf_safemem_is_writable((uintptr_t)tv) &&
		       prf_safemem_is_writable((uintptr_t)(tv + 1) - 1));
}

/* Removes what was replaced, and frees it. */
static int
replace(const struct prf_counting *counting, bool is_on, uintptr_t pc)
{
	uint64_t mask = begin_change(is_on, pc);
	int rc = prf_counting_set(counting, is_on);
	struct prf_counting_list *retired = prf_counting_retired();

	prf_lock_leave(mask);
	free_lists(retired);
	return rc;
}

static int
start_list(const struct prf_region *list, int n, const struct timeval *tv,
	   unsigned flags, uintptr_t pc)
{
	bool is_lenient = flags & PRF_SPROFIL_LENIENT;
	struct prf_counting counting = {
		.kind = PRF_PROFIL_SPROFIL,
		.dialect = is_lenient ? *prf_dialect_lenient()
				      : *prf_dialect_hpux(),
	};
	PRF_AUTO(prf_table_auto)
	struct prf_table *table = NULL;

	int rc = compile(list, n, flags & ~PRF_SPROFIL_LENIENT, &counting,
			 &table);
	if (rc < 0)
		return rc;
	if (!is_timeval(tv))
		return -EFAULT;

	PRF_AUTO(prf_auto_free)
	struct prf_counting_list *owner = calloc(1, sizeof *owner);
	if (!owner)
		return -ENOMEM;
	owner->table = table;
	counting.list = owner;
	rc = replace(&counting, prf_table_n_regions(table) > 0, pc);
	if (rc < 0)
		return rc;
	(void)PRF_TAKE(owner);
	(void)PRF_TAKE(table);
	return 0;
}

static int
count_regions(const struct prf_region *list, int n, struct timeval *tv,
	      unsigned flags, uintptr_t pc)
{
	int rc = start_list(list, n, tv, flags, pc);

	if (rc == 0 && tv) {
		struct timeval one = tick();

		prf_safemem_write((uintptr_t)tv, &one, sizeof one);
	}
	return rc;
}

int
prf_sprofil(const struct prf_region *list, int n, struct timeval *tv,
	    unsigned flags)
{
	int saved_errno = errno;
	int rc = count_regions(list, n, tv, flags, CALLER_PC);

	errno = saved_errno;
	return result_of(rc);
}

/* A copy of HP-UX's list, which may not be there; NULL if there are no entries,
 * or too many. */
static int
copy_of_hpux(const struct prf_hpux_region *list, int n,
	     struct prf_region **regions)
{
	if (n <= 0 || n > PRF_TABLE_MAX)
		return 0;

	PRF_AUTO(prf_auto_free)
	struct prf_hpux_region *copy = calloc((size_t)n, sizeof *copy);
	*regions = calloc((size_t)n, sizeof **regions);
	if (!copy || !*regions)
		return -ENOMEM;
	if (prf_safemem_read(copy, (uintptr_t)list, (size_t)n * sizeof *copy) <
	    0)
		return -EFAULT;
	for (int i = 0; i < n; i++)
		(*regions)[i] = (struct prf_region){
			.base = copy[i].base,
			.size_bytes = copy[i].size_bytes,
			.offset = (uintptr_t)copy[i].offset,
			.scale = copy[i].scale,
		};
	return 0;
}

int
prf_sprofil_hpux(const struct prf_hpux_region *list, int n, struct timeval *tv,
		 unsigned flags)
{
	PRF_AUTO(prf_auto_free) struct prf_region *regions = NULL;
	int saved_errno = errno;
	int rc = flags & PRF_SPROFIL_LENIENT ? -EINVAL
					     : copy_of_hpux(list, n, &regions);

	if (rc == 0)
		rc = count_regions(regions, n, tv, flags, CALLER_PC);
	errno = saved_errno;
	return result_of(rc);
}

long
prf_sprofil_max(void)
{
	return PRF_TABLE_MAX;
}

/* --- pcsample. */

long
prf_pcsample(uintptr_t *samples, long n)
{
	struct prf_counting counting = {
		.kind = PRF_PROFIL_PCSAMPLE,
		.samples = samples,
	};
	int saved_errno = errno;
	uint64_t mask = begin_change(n != 0, CALLER_PC);
	const struct prf_counting *before = prf_counting_now();

	if (before->kind == PRF_PROFIL_PCSAMPLE)
		counting.positions = before->positions;
	int64_t n_stored = prf_pcsample_call(&counting.positions, n);
	int rc = n_stored < 0 ? (int)n_stored
			      : prf_counting_set(&counting, n > 0);
	prf_lock_leave(mask);

	errno = saved_errno;
	return rc < 0 ? result_of(rc) : (long)n_stored;
}

/* --- What is asked. */

void
prf_profil_state(struct prf_profil_state *state)
{
	uint64_t mask = prf_lock_enter();

	prf_counting_state(state);
	prf_lock_leave(mask);
}

int
prf_profil_signal(int signo)
{
	uint64_t mask = prf_lock_enter();
	int before = prf_ticker_signal();
	int rc = 0;

	if (signo != 0 && prf_ticker_is_on())
		rc = -EBUSY;
	else if (signo != 0)
		rc = prf_ticker_set_signal(signo);
	prf_lock_leave(mask);
	return rc < 0 ? result_of(rc) : before;
}

int
prf_profil_stack(int alternate)
{
	uint64_t mask = prf_lock_enter();
	bool before = prf_ticker_on_stack();

	if (alternate == 0 || alternate == 1)
		prf_ticker_set_on_stack(alternate);
	prf_lock_leave(mask);
	return before;
}
