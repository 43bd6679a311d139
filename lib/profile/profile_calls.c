/* Ticks that came without stacks, in a call tree: as paths of one frame. */
#include <errno.h>
#include <stdlib.h>

#include "core/scope.h"
#include "profile/profile.h"

PRF_DEFINE_AUTO(prf_calls, prf_calls_free);

/* On the way from the counters of a profile into a tree. */
struct flat {
	struct prf_calls *calls;
	prf_calls_translate *translate;
	void *arg;
	bool is_taken; /* out of the tree */
	const struct prf_binary *binary;
	struct prf_count sum; /* so far */
};

static int
move(struct flat *flat, struct prf_count *own, const struct prf_count *count)
{
	if (!flat->is_taken)
		prf_count_merge(own, count);
	else if (own->ticks < count->ticks)
		return -ERANGE;
	else
		prf_count_subtract(own, count);
	prf_count_merge(&flat->sum, count);
	return 0;
}

static int
put(struct flat *flat, uint64_t vaddr, const struct prf_count *count)
{
	const struct prf_arc_end end = {(struct prf_binary *)flat->binary,
					vaddr};
	struct prf_arc_end own;
	int rc = flat->translate(flat->arg, &end, &own);

	if (rc)
		return rc;
	struct prf_call *call = prf_calls_enter(
		flat->calls, prf_calls_root(flat->calls), &own, false);
	return call ? move(flat, &call->self, count) : -ENOMEM;
}

static int
put_range(void *arg, const struct prf_tick_range *range)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < range->n; i++) {
		uint64_t ticks = prf_tick_range_at(range, i);
		const struct prf_count count = {ticks, (double)ticks};

		if (ticks)
			rc = put(arg, range->vaddr + i * PRF_HIST_BIN_BYTES,
				 &count);
	}
	return rc;
}

/* What several ticks with one sample have besides. */
static int
put_lumps(struct flat *flat)
{
	const struct prf_binary *binary = flat->binary;
	size_t n;
	PRF_AUTO(prf_auto_free)
	struct prf_tally_entry *lumps = prf_tally_sorted(&binary->lumps, &n);
	int rc = n && !lumps ? -ENOMEM : 0;

	for (size_t i = 0; !rc && i < n; i++) {
		const struct prf_count more = {
			0,
			lumps[i].count.squares - (double)lumps[i].count.ticks};

		rc = put(flat,
			 binary->form == PRF_BINARY_BY_TEXT
				 ? binary->file->pieces[lumps[i].key].lo
				 : lumps[i].key,
			 &more);
	}
	return rc;
}

static int
put_names(struct flat *flat)
{
	const struct prf_binary *binary = flat->binary;
	size_t n;
	PRF_AUTO(prf_auto_free)
	struct prf_tally_entry *addrs = prf_tally_sorted(&binary->addrs, &n);
	int rc = n && !addrs ? -ENOMEM : 0;

	for (size_t i = 0; !rc && i < n; i++)
		rc = put(flat, addrs[i].key, &addrs[i].count);
	for (size_t i = 0; !rc && i < binary->names.n; i++)
		if (binary->names.all[i].count.ticks)
			rc = put(flat, i, &binary->names.all[i].count);
	return rc;
}

static int
put_binary(struct flat *flat)
{
	int rc = prf_binary_walk(flat->binary, put_range, flat);

	if (!rc)
		rc = put_lumps(flat);
	return !rc && flat->binary->form == PRF_BINARY_BY_NAME ? put_names(flat)
							       : rc;
}

/* What no counter could hold is nowhere but in the total, and is the root's own.
 * So are ticks of files whose arcs tell who called what. */
static int
put_all(struct flat *flat, const struct prf_profile *from)
{
	struct prf_count rest = from->total;
	size_t n = from->arcs.n ? 0 : from->n_binaries;
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		flat->binary = from->binaries[i];
		rc = put_binary(flat);
	}
	if (rc)
		return rc;
	prf_count_subtract(&rest, &flat->sum);
	uint64_t *ended = &flat->calls->ended[PRF_STACK_NONE];
	*ended += flat->is_taken ? -from->total.ticks : from->total.ticks;
	return move(flat, &prf_calls_root(flat->calls)->self, &rest);
}

int
prf_profile_add_flat_calls(struct prf_calls *calls,
			   const struct prf_profile *from,
			   prf_calls_translate *translate, void *arg)
{
	struct flat flat = {.calls = calls, .translate = translate, .arg = arg};

	return put_all(&flat, from);
}

int
prf_profile_take_flat_calls(struct prf_calls *calls,
			    const struct prf_profile *from,
			    prf_calls_translate *translate, void *arg)
{
	struct flat flat = {.calls = calls,
			    .translate = translate,
			    .arg = arg,
			    .is_taken = true};

	return put_all(&flat, from);
}

static int
as_it_is(void *arg, const struct prf_arc_end *end, struct prf_arc_end *own)
{
	(void)arg;
	*own = *end;
	return 0;
}

int
prf_profile_begin_calls(struct prf_profile *profile)
{
	PRF_AUTO(prf_calls_auto) struct prf_calls *calls = NULL;
	int rc = -ENOMEM;

	if (profile->calls)
		return 0;
	calls = prf_calls_new();
	if (calls)
		rc = prf_profile_add_flat_calls(calls, profile, as_it_is, NULL);
	if (!rc)
		profile->calls = PRF_TAKE(calls);
	return rc;
}
