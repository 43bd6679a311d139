/* Profiles added to each other, and taken out again. */
#include "profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

int
prf_profile_set_unit(struct prf_profile *profile,
		     const struct prf_profile_unit *unit, struct prf_error *err)
{
	struct prf_profile_unit *before = &profile->unit;

	if (!unit->rate_hz)
		return 0;
	if (!before->rate_hz)
		*before = *unit;
	if (unit->rate_hz != before->rate_hz)
		return prf_error_set(err, -EINVAL,
				     "rate %" PRIu32 ", %" PRIu32
				     " before: ticks of two lengths do not add",
				     unit->rate_hz, before->rate_hz);
	if (strcmp(unit->dimension, before->dimension) == 0 &&
	    unit->abbreviation == before->abbreviation)
		return 0;
	return prf_error_set(err, -EINVAL, "counts %s, before it was %s",
			     unit->dimension, before->dimension);
}

int
prf_profile_set_clock(struct prf_profile *profile, const char *clock,
		      struct prf_error *err)
{
	const char *before = profile->clock;

	if (!clock)
		return 0;
	if (before && strcmp(before, clock) != 0)
		return prf_error_set(err, -EINVAL,
				     "counts %s time, before it was %s time",
				     clock, before);
	profile->clock = clock;
	return 0;
}

int
prf_profile_set_machine(struct prf_profile *profile, uint8_t addr_bytes,
			bool big_endian, struct prf_error *err)
{
	if (!addr_bytes)
		return 0;
	if (!profile->addr_bytes) {
		profile->addr_bytes = addr_bytes;
		profile->big_endian = big_endian;
	}
	if (profile->addr_bytes == addr_bytes &&
	    profile->big_endian == big_endian)
		return 0;
	return prf_error_set(
		err, -EINVAL,
		"%u-byte %s-endian addresses, %u-byte %s-endian before: it is "
		"of another machine",
		addr_bytes, big_endian ? "big" : "little", profile->addr_bytes,
		profile->big_endian ? "big" : "little");
}

static int
reserve_hist(struct prf_profile *profile)
{
	size_t room = 2 * profile->hists_room + 4;

	if (profile->n_hists < profile->hists_room)
		return 0;
	struct prf_gmon_hist *grown =
		reallocarray(profile->hists, room, sizeof *grown);
	if (!grown)
		return -ENOMEM;
	profile->hists = grown;
	profile->hists_room = room;
	return 0;
}

static int
insert_hist(struct prf_profile *profile, size_t at,
	    const struct prf_gmon_hist *hist, struct prf_error *err)
{
	uint64_t *counts = malloc(hist->n_bins * sizeof *counts);

	if (!counts || reserve_hist(profile)) {
		free(counts);
		return no_memory(err);
	}
	struct prf_gmon_hist *all = profile->hists;
	memmove(all + at + 1, all + at, (profile->n_hists - at) * sizeof *all);
	memcpy(counts, hist->counts, hist->n_bins * sizeof *counts);
	all[at] = *hist;
	all[at].counts = counts;
	profile->n_hists++;
	return 0;
}

/* The first histogram that ends above VADDR; n_hists: none does. */
static size_t
first_hist(const struct prf_profile *profile, uint64_t vaddr)
{
	size_t lo = 0, hi = profile->n_hists;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (profile->hists[middle].hi_vaddr <= vaddr)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

int
prf_profile_add_hist(struct prf_profile *profile,
		     const struct prf_gmon_hist *hist, struct prf_error *err)
{
	struct prf_gmon_hist *all = profile->hists;
	size_t at = first_hist(profile, hist->lo_vaddr);

	if (at == profile->n_hists || hist->hi_vaddr <= all[at].lo_vaddr)
		return insert_hist(profile, at, hist, err);
	if (all[at].lo_vaddr != hist->lo_vaddr ||
	    all[at].hi_vaddr != hist->hi_vaddr ||
	    all[at].n_bins != hist->n_bins)
		return prf_error_set(
			err, -EINVAL,
			"offset %" PRIu64 ": a histogram of 0x%" PRIx64
			" to 0x%" PRIx64 " overlaps one of 0x%" PRIx64
			" to 0x%" PRIx64 " before: it is of another program, "
			"or the text was divided otherwise",
			hist->off, hist->lo_vaddr, hist->hi_vaddr,
			all[at].lo_vaddr, all[at].hi_vaddr);
	uint64_t *sums = (uint64_t *)all[at].counts;
	for (uint32_t i = 0; i < hist->n_bins; i++)
		sums[i] += hist->counts[i];
	return 0;
}

/* An empty binary that is the same as OTHER.  NULL: out of memory. */
static struct prf_binary *
new_like(const struct prf_binary *other)
{
	return other->file ? prf_binary_new_file(other->file)
			   : prf_binary_new_like(other);
}

/* What became of the binaries of another profile: theirs, and ours. */
struct taken {
	const struct prf_profile *from;
	struct prf_binary **binaries; /* by their number there */
};

static int
take_binary(struct prf_profile *profile, const struct prf_binary *other,
	    struct prf_binary **taken)
{
	struct prf_binary *binary = prf_profile_find(profile, other);

	if (!binary)
		binary = prf_profile_take(profile, new_like(other));
	*taken = binary;
	return binary ? prf_binary_merge(binary, other) : -ENOMEM;
}

/* END of another profile, as it is called in this one. */
static int
translate(void *arg, const struct prf_arc_end *end, struct prf_arc_end *own)
{
	const struct taken *taken = arg;
	size_t number;

	own->binary = taken->binaries[end->binary->number];
	own->vaddr = end->vaddr;
	/* JIT code of a process that lives has no names yet. */
	if (end->binary->form != PRF_BINARY_BY_NAME || end->binary->pid)
		return 0;
	int rc = prf_named_counts_intern(
		&own->binary->names, end->binary->names.all[end->vaddr].text,
		&number);
	own->vaddr = number;
	return rc;
}

static int
add_arcs(struct prf_profile *profile, struct taken *taken,
	 struct prf_error *err)
{
	const struct prf_arcs *arcs = &taken->from->arcs;
	int rc = 0;

	for (size_t i = 0; !rc && i < arcs->n; i++) {
		struct prf_arc arc = {.count = arcs->all[i].count};

		rc = translate(taken, &arcs->all[i].from, &arc.from);
		if (!rc)
			rc = translate(taken, &arcs->all[i].to, &arc.to);
		if (!rc)
			rc = prf_arcs_add(&profile->arcs, &arc);
	}
	return rc == -EOVERFLOW ? prf_error_set(err, rc,
						"more calls of one function "
						"than 64 bits hold")
	       : rc             ? no_memory(err)
				: 0;
}

/* Ticks whose file has arcs are the root's own in the tree, and others are not:
 * it is begun before there are both, for then nobody could tell which are which. */
static int
begin_calls(struct prf_profile *profile, const struct prf_profile *other)
{
	bool had_arcs = profile->arcs.n, has_arcs = other->arcs.n;
	bool is_mixed = had_arcs != has_arcs &&
			(had_arcs || profile->total.ticks) &&
			(has_arcs || other->total.ticks);

	return other->calls || is_mixed ? prf_profile_begin_calls(profile) : 0;
}

/* PROFILE's own ticks are in its tree, if there is to be one. */
static int
add_calls(struct prf_profile *profile, struct taken *taken)
{
	const struct prf_calls *calls = taken->from->calls;

	if (!profile->calls)
		return 0;
	int rc = calls ? prf_calls_add(profile->calls, calls, translate, taken)
		       : prf_profile_add_flat_calls(profile->calls, taken->from,
						    translate, taken);
	return rc ? rc : prf_calls_bound(&profile->calls);
}

static int
add_processes(struct prf_profile *profile, const struct prf_profile *other)
{
	int rc = prf_tree_merge(&profile->tree, &other->tree);

	for (size_t i = 0; !rc && i < other->programs.n; i++) {
		const struct prf_program_row *row = &other->programs.rows[i];

		rc = prf_programs_add(&profile->programs, row->path,
				      row->n_processes, &row->count);
	}
	for (size_t i = 0; !rc && i < other->threads.n; i++)
		rc = prf_thread_rows_add(&profile->threads,
					 &other->threads.rows[i]);
	prf_count_merge(&profile->threads.folded, &other->threads.folded);
	profile->threads.n_folded += other->threads.n_folded;
	profile->n_processes += other->n_processes;
	profile->n_idle += other->n_idle;
	return rc;
}

static int
add_binaries(struct prf_profile *profile, const struct taken *taken)
{
	const struct prf_profile *other = taken->from;
	int rc = 0;

	for (size_t i = 0; !rc && i < other->n_binaries; i++) {
		rc = take_binary(profile, other->binaries[i],
				 &taken->binaries[i]);
		if (!rc && other->binaries[i] == other->program &&
		    !profile->program)
			profile->program = taken->binaries[i];
	}
	return rc;
}

static int
check_fits(struct prf_profile *profile, const struct prf_profile *other,
	   struct prf_error *err)
{
	int rc = prf_profile_set_machine(profile, other->addr_bytes,
					 other->big_endian, err);

	if (!rc)
		rc = prf_profile_set_unit(profile, &other->unit, err);
	if (!rc)
		rc = prf_profile_set_clock(profile, other->origin.clock, err);
	if (!rc && !prf_ticks_fit(profile->total.ticks, other->total.ticks))
		rc = prf_error_set(err, -EOVERFLOW,
				   "more ticks than 63 bits hold");
	return rc;
}

int
prf_profile_add(struct prf_profile *profile, const struct prf_profile *other,
		struct prf_error *err)
{
	PRF_AUTO(prf_auto_free)
	struct prf_binary **binaries =
		calloc(other->n_binaries + 1, sizeof(*binaries));
	struct taken taken = {other, binaries};
	int rc = check_fits(profile, other, err);

	if (rc)
		return rc;
	if (!binaries || prf_origin_join(&profile->origin, &other->origin) ||
	    begin_calls(profile, other) || add_binaries(profile, &taken) ||
	    add_calls(profile, &taken) || add_processes(profile, other))
		return no_memory(err);
	rc = add_arcs(profile, &taken, err);
	for (size_t i = 0; !rc && i < other->n_hists; i++)
		rc = prf_profile_add_hist(profile, &other->hists[i], err);
	profile->n_bbs += other->n_bbs;
	profile->crowded_ticks += other->crowded_ticks;
	prf_count_merge(&profile->total, &other->total);
	return rc;
}

void
prf_profile_forget_inodes(struct prf_profile *profile)
{
	for (size_t i = 0; i < profile->n_binaries; i++) {
		struct prf_binary *binary = profile->binaries[i];

		if (!binary->build_id_bytes)
			binary->dev = binary->inode = 0;
	}
}

/* --- What came since */

static int
take_programs(struct prf_programs *programs, const struct prf_programs *earlier)
{
	for (size_t i = 0; i < earlier->n; i++) {
		struct prf_program_row *row =
			prf_programs_find(programs, earlier->rows[i].path);

		if (!row || row->count.ticks < earlier->rows[i].count.ticks)
			return -ERANGE;
		prf_count_subtract(&row->count, &earlier->rows[i].count);
	}
	return 0;
}

static int
take_arcs(struct prf_profile *profile, struct taken *taken)
{
	const struct prf_arcs *arcs = &taken->from->arcs;
	int rc = 0;

	for (size_t i = 0; !rc && i < arcs->n; i++) {
		struct prf_arc arc = {.count = arcs->all[i].count};

		rc = translate(taken, &arcs->all[i].from, &arc.from);
		if (!rc)
			rc = translate(taken, &arcs->all[i].to, &arc.to);
		if (!rc)
			rc = prf_arcs_subtract(&profile->arcs, &arc);
	}
	return rc;
}

static int
take_calls(struct prf_profile *profile, struct taken *taken)
{
	const struct prf_calls *calls = taken->from->calls;

	if (!profile->calls)
		return calls ? -ERANGE : 0;
	return calls ? prf_calls_subtract(profile->calls, calls, translate,
					  taken)
		     : prf_profile_take_flat_calls(profile->calls, taken->from,
						   translate, taken);
}

int
prf_profile_subtract(struct prf_profile *profile,
		     const struct prf_profile *earlier)
{
	PRF_AUTO(prf_auto_free)
	struct prf_binary **binaries =
		calloc(earlier->n_binaries + 1, sizeof(*binaries));
	struct taken taken = {earlier, binaries};
	int rc = binaries ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < earlier->n_binaries; i++) {
		binaries[i] = prf_profile_find(profile, earlier->binaries[i]);
		rc = binaries[i] ? prf_binary_subtract(binaries[i],
						       earlier->binaries[i])
				 : -ERANGE;
	}
	if (!rc)
		rc = take_arcs(profile, &taken);
	if (!rc)
		rc = take_calls(profile, &taken);
	if (!rc)
		rc = take_programs(&profile->programs, &earlier->programs);
	if (!rc)
		prf_count_subtract(&profile->total, &earlier->total);
	return rc;
}
