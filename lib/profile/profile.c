#include "profile/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/hist/hist_waiting.h"
#include "core/scope.h"

PRF_DEFINE_AUTO(prf_calls, prf_calls_free);

struct prf_profile *
prf_profile_new(void)
{
	PRF_AUTO(prf_auto_free)
	struct prf_profile *profile = calloc(1, sizeof *profile);

	if (!profile)
		return NULL;
	profile->waiting = calloc(1, sizeof *profile->waiting);
	if (!profile->waiting)
		return NULL;
	prf_tree_init(&profile->tree);
	return PRF_TAKE(profile);
}

void
prf_profile_free(struct prf_profile *profile)
{
	if (!profile)
		return;
	for (size_t i = 0; i < profile->n_binaries; i++)
		prf_binary_free(profile->binaries[i]);
	for (size_t i = 0; i < profile->n_hists; i++)
		free((void *)profile->hists[i].counts);
	prf_tree_clear(&profile->tree);
	prf_programs_clear(&profile->programs);
	prf_thread_rows_clear(&profile->threads);
	prf_arcs_clear(&profile->arcs);
	prf_origin_clear(&profile->origin);
	prf_calls_free(profile->calls);
	prf_hash_index_free(&profile->index);
	free(profile->binaries);
	free(profile->hists);
	free(profile->by_file);
	free(profile->waiting);
	free(profile);
}

/* --- Binaries as they come up */

/* Of what two binaries that are the same have in common, and which stays. */
static uint32_t
hash_of(const struct prf_binary *binary)
{
	size_t n = binary->build_id_bytes;
	const void *bytes = n ? (const void *)binary->build_id : binary->path;
	const uint8_t *at = bytes;
	uint32_t hash = (uint32_t)binary->kind;

	for (n = n ? n : strlen(binary->path); n > 0; n--)
		hash = prf_hash_index_hash(hash, *at++);
	return hash;
}

struct prf_binary *
prf_profile_find(const struct prf_profile *profile,
		 const struct prf_binary *like)
{
	uint32_t hash = hash_of(like), number = profile->n_binaries > 0;

	for (size_t at = hash; number; at++) {
		number = prf_hash_index_next(&profile->index, hash, &at);
		if (number &&
		    prf_binary_is_same(profile->binaries[number - 1], like))
			return profile->binaries[number - 1];
	}
	return NULL;
}

/* INDEX, which is empty, finds all of them. */
static void
fill_index(struct prf_hash_index *index, const struct prf_profile *profile)
{
	for (size_t i = 0; i < profile->n_binaries; i++)
		prf_hash_index_add(index, hash_of(profile->binaries[i]),
				   (uint32_t)i + 1);
}

static int
grow_index(struct prf_profile *profile)
{
	struct prf_hash_index grown = {0};

	if (prf_hash_index_clear(&grown, profile->n_binaries + 1))
		return -ENOMEM;
	fill_index(&grown, profile);
	prf_hash_index_free(&profile->index);
	profile->index = grown;
	return 0;
}

/* Room for one more.  -ENOMEM. */
static int
reserve_binary(struct prf_profile *profile)
{
	size_t n = profile->n_binaries + 1;
	struct prf_binary **grown =
		reallocarray(profile->binaries, n, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	profile->binaries = grown;
	return prf_hash_index_is_full(&profile->index, n) ? grow_index(profile)
							  : 0;
}

/* BINARY, taken over (NULL: out of memory), which is not there. */
static struct prf_binary *
append(struct prf_profile *profile, struct prf_binary *binary)
{
	if (!binary || reserve_binary(profile)) {
		prf_binary_free(binary);
		return NULL;
	}
	binary->number = profile->n_binaries;
	if (binary->hist)
		prf_hist_wait_in(binary->hist, profile->waiting);
	binary->blocks.n_all = &profile->n_blocks;
	profile->n_blocks += binary->blocks.n;
	profile->binaries[profile->n_binaries++] = binary;
	prf_hash_index_add(&profile->index, hash_of(binary),
			   (uint32_t)profile->n_binaries);
	return binary;
}

struct prf_binary *
prf_profile_take(struct prf_profile *profile, struct prf_binary *binary)
{
	struct prf_binary *there =
		binary ? prf_profile_find(profile, binary) : NULL;
	int rc = there ? prf_binary_merge(there, binary) : 0;

	if (!there)
		return append(profile, binary);
	prf_binary_free(binary);
	return rc ? NULL : there;
}

struct prf_binary *
prf_profile_jit_of(struct prf_profile *profile, pid_t pid)
{
	const struct prf_binary like = {
		.kind = PRF_BINARY_JIT, .path = (char *)"", .pid = pid};
	struct prf_binary *binary = profile->latest_jit;

	if (!binary || binary->pid != pid)
		binary = prf_profile_find(profile, &like);
	if (!binary) {
		binary = append(profile, prf_binary_new(PRF_BINARY_JIT, ""));
		if (binary)
			binary->pid = pid;
	}
	return profile->latest_jit = binary;
}

struct prf_binary *
prf_profile_binary(struct prf_profile *profile, enum prf_binary_kind kind)
{
	const struct prf_binary like = {.kind = kind, .path = (char *)""};
	struct prf_binary *binary = prf_profile_find(profile, &like);

	return binary ? binary : append(profile, prf_binary_new(kind, ""));
}

/* Room for FILE's number. */
static int
reserve_number(struct prf_profile *profile, const struct prf_file *file)
{
	size_t n = file->index + 16;

	if (file->index < profile->n_by_file)
		return 0;
	struct prf_binary **grown =
		reallocarray(profile->by_file, n, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	memset(grown + profile->n_by_file, 0,
	       (n - profile->n_by_file) * sizeof(*grown));
	profile->by_file = grown;
	profile->n_by_file = n;
	return 0;
}

struct prf_binary *
prf_profile_binary_of(struct prf_profile *profile, struct prf_file *file)
{
	if (reserve_number(profile, file))
		return NULL;
	struct prf_binary **binary = &profile->by_file[file->index];
	if (!*binary) {
		struct prf_binary *made = prf_binary_new_file(file);

		if (!made)
			return NULL;
		/* The same file may have been copied, or be linked. */
		*binary = prf_profile_find(profile, made);
		if (*binary)
			prf_binary_free(made);
		else
			*binary = append(profile, made);
	}
	return *binary;
}

/* --- JIT code */

static struct prf_binary *
find_jit(const struct prf_profile *profile, pid_t pid)
{
	const struct prf_binary like = {
		.kind = PRF_BINARY_JIT, .path = (char *)"", .pid = pid};

	return prf_profile_find(profile, &like);
}

bool
prf_profile_has_jit(const struct prf_profile *profile, pid_t pid)
{
	return find_jit(profile, pid);
}

/* END, in JIT code of a process that has ended, by its name in ARG, the binary
 * of all that has names; another is as it was. */
static int
name_end(void *arg, const struct prf_arc_end *end, struct prf_arc_end *own)
{
	struct prf_binary *named = arg;
	const struct prf_perfmap *map = end->binary->map;
	const struct prf_perfmap_entry *entry;
	size_t number;

	*own = *end;
	if (end->binary->pid >= 0)
		return 0;
	entry = map ? prf_perfmap_at(map, end->vaddr) : NULL;
	int rc = prf_named_counts_intern(
		&named->names, entry ? entry->name : named->name, &number);
	*own = (struct prf_arc_end){named, number};
	return rc;
}

static bool
has_unnamed(const struct prf_calls *calls)
{
	for (size_t i = 1; calls && i <= calls->n; i++) {
		const struct prf_binary *binary =
			prf_calls_at(calls, i)->binary;

		if (binary && binary->pid < 0)
			return true;
	}
	return false;
}

/* The call tree of PROFILE with names; frames that have one name are one then.
 * *OUT is NULL if it is as it was. */
static int
name_calls(const struct prf_profile *profile, struct prf_binary *named,
	   struct prf_calls **out)
{
	PRF_AUTO(prf_calls_auto) struct prf_calls *calls = NULL;
	int rc = -ENOMEM;

	if (!has_unnamed(profile->calls))
		return 0;
	calls = prf_calls_new();
	if (calls)
		rc = prf_calls_add(calls, profile->calls, name_end, named);
	if (rc)
		return rc;
	/* It goes on as the tree that it is instead of. */
	calls->owners.is_full = profile->calls->owners.is_full;
	calls->n_whole = profile->calls->n_whole;
	*out = PRF_TAKE(calls);
	return 0;
}

/* All ticks that BINARY has by address, under their names in NAMED; if IS_COUNTED
 * these, which are all there then, have them. */
static int
name_addresses(struct prf_binary *named, struct prf_binary *binary,
	       bool is_counted)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < binary->addrs.n_slots; i++) {
		const struct prf_tally_entry *entry = &binary->addrs.slots[i];
		const struct prf_arc_end end = {binary, entry->key};
		struct prf_arc_end own;

		if (!entry->count.ticks)
			continue;
		rc = name_end(named, &end, &own);
		if (!rc && is_counted)
			prf_count_merge(&named->names.all[own.vaddr].count,
					&entry->count);
	}
	if (!rc && is_counted) {
		prf_count_merge(&named->total, &binary->total);
		named->no_cfi_ticks += binary->no_cfi_ticks;
	}
	return rc;
}

static int
name_all_addresses(struct prf_profile *profile, struct prf_binary *named,
		   bool is_counted)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < profile->n_binaries; i++)
		if (profile->binaries[i]->pid < 0)
			rc = name_addresses(named, profile->binaries[i],
					    is_counted);
	return rc;
}

static void
remove_unnamed(struct prf_profile *profile)
{
	size_t n = 0;

	for (size_t i = 0; i < profile->n_binaries; i++) {
		struct prf_binary *binary = profile->binaries[i];

		if (binary->pid < 0) {
			prf_binary_free(binary);
			continue;
		}
		binary->number = n;
		profile->binaries[n++] = binary;
	}
	profile->n_binaries = n;
	memset(profile->index.slots, 0,
	       profile->index.n_slots * sizeof *profile->index.slots);
	fill_index(&profile->index, profile);
	profile->latest_jit = NULL;
	profile->n_unnamed = profile->unnamed_bytes = 0;
}

int
prf_profile_name_jit(struct prf_profile *profile)
{
	PRF_AUTO(prf_calls_auto) struct prf_calls *calls = NULL;

	if (!profile->n_unnamed)
		return 0;
	struct prf_binary *named = prf_profile_binary(profile, PRF_BINARY_JIT);
	int rc = named ? name_calls(profile, named, &calls) : -ENOMEM;
	if (!rc)
		rc = name_all_addresses(profile, named, false);
	if (!rc) /* all names are there before the first is counted */
		rc = name_all_addresses(profile, named, true);
	if (rc)
		return rc;
	if (calls) {
		prf_calls_free(profile->calls);
		profile->calls = PRF_TAKE(calls);
	}
	remove_unnamed(profile);
	return 0;
}

int
prf_profile_end_jit(struct prf_profile *profile, pid_t pid,
		    struct prf_perfmap *map)
{
	enum { N_MAX = 64, BYTES_MAX = 64 << 20 };
	struct prf_binary *binary = find_jit(profile, pid);

	if (!binary)
		return 0;
	binary->pid = -(pid_t)++profile->n_unnamed;
	binary->map = prf_perfmap_hold(map);
	profile->unnamed_bytes += map ? prf_perfmap_bytes(map) : 0;
	return profile->n_unnamed >= N_MAX ||
			       profile->unnamed_bytes >= BYTES_MAX
		       ? prf_profile_name_jit(profile)
		       : 0;
}

/* --- The whole */

int
prf_profile_detach(struct prf_profile *profile)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < profile->n_binaries; i++)
		rc = prf_binary_detach(profile->binaries[i]);
	profile->n_by_file = 0;
	return rc;
}

uint64_t
prf_profile_saturated(const struct prf_profile *profile)
{
	uint64_t saturated = 0;

	for (size_t i = 0; i < profile->n_binaries; i++)
		saturated += prf_binary_saturated(profile->binaries[i]);
	return saturated;
}

uint64_t
prf_profile_unknown(const struct prf_profile *profile)
{
	for (size_t i = 0; i < profile->n_binaries; i++)
		if (profile->binaries[i]->kind == PRF_BINARY_UNKNOWN)
			return profile->binaries[i]->total.ticks;
	return 0;
}
