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

bool
prf_profile_has_jit(const struct prf_profile *profile, pid_t pid)
{
	const struct prf_binary like = {
		.kind = PRF_BINARY_JIT, .path = (char *)"", .pid = pid};

	return prf_profile_find(profile, &like);
}

/* Counts what BINARY has by address under the names that MAP (may be NULL) has
 * for them. */
static int
name_addresses(struct prf_binary *named, const struct prf_binary *binary,
	       const struct prf_perfmap *map)
{
	size_t n;
	PRF_AUTO(prf_auto_free)
	struct prf_tally_entry *entries = prf_tally_sorted(&binary->addrs, &n);
	PRF_AUTO(prf_auto_free)
	size_t *numbers = calloc(n + 1, sizeof *numbers);
	int rc = numbers && (entries || !n) ? 0 : -ENOMEM;

	/* All names are there before the first is counted. */
	for (size_t i = 0; !rc && i < n; i++) {
		const struct prf_perfmap_entry *entry =
			map ? prf_perfmap_at(map, entries[i].key) : NULL;

		rc = prf_named_counts_intern(&named->names,
					     entry ? entry->name : named->name,
					     &numbers[i]);
	}
	for (size_t i = 0; !rc && i < n; i++) {
		struct prf_count *count = &named->names.all[numbers[i]].count;

		prf_count_merge(count, &entries[i].count);
		prf_count_merge(&named->total, &entries[i].count);
	}
	return rc;
}

/* JIT code that is given names. */
struct naming {
	struct prf_binary *from, *to;
	const struct prf_perfmap *map; /* NULL: there is none */
};

static int
name_end(void *arg, const struct prf_arc_end *end, struct prf_arc_end *own)
{
	const struct naming *naming = arg;
	const struct prf_perfmap_entry *entry;
	size_t number;

	*own = *end;
	if (end->binary != naming->from)
		return 0;
	entry = naming->map ? prf_perfmap_at(naming->map, end->vaddr) : NULL;
	int rc = prf_named_counts_intern(&naming->to->names,
					 entry ? entry->name : naming->to->name,
					 &number);
	*own = (struct prf_arc_end){naming->to, number};
	return rc;
}

/* The call tree of PROFILE, if it has one, with names; frames that have one name
 * are one then. */
static int
name_calls(const struct prf_profile *profile, struct naming *naming,
	   struct prf_calls **out)
{
	PRF_AUTO(prf_calls_auto) struct prf_calls *named = NULL;
	int rc = -ENOMEM;

	if (!profile->calls)
		return 0;
	named = prf_calls_new();
	if (named)
		rc = prf_calls_add(named, profile->calls, name_end, naming);
	if (rc)
		return rc;
	/* It goes on as the tree that it is instead of. */
	named->owners.is_full = profile->calls->owners.is_full;
	named->n_whole = profile->calls->n_whole;
	*out = PRF_TAKE(named);
	return 0;
}

static void
remove_binary(struct prf_profile *profile, struct prf_binary *binary)
{
	profile->n_binaries--;
	for (size_t i = binary->number; i < profile->n_binaries; i++) {
		profile->binaries[i] = profile->binaries[i + 1];
		profile->binaries[i]->number = i;
	}
	memset(profile->index.slots, 0,
	       profile->index.n_slots * sizeof *profile->index.slots);
	fill_index(&profile->index, profile);
	if (profile->latest_jit == binary)
		profile->latest_jit = NULL;
	prf_binary_free(binary);
}

int
prf_profile_name_jit(struct prf_profile *profile, pid_t pid,
		     const struct prf_perfmap *map)
{
	const struct prf_binary like = {
		.kind = PRF_BINARY_JIT, .path = (char *)"", .pid = pid};
	struct prf_binary *binary = prf_profile_find(profile, &like);

	if (!binary)
		return 0;
	PRF_AUTO(prf_calls_auto) struct prf_calls *calls = NULL;
	struct prf_binary *named = prf_profile_binary(profile, PRF_BINARY_JIT);
	struct naming naming = {binary, named, map};
	int rc = named ? name_calls(profile, &naming, &calls) : -ENOMEM;
	if (!rc)
		rc = name_addresses(named, binary, map);
	if (rc)
		return rc;
	named->no_cfi_ticks += binary->no_cfi_ticks;
	prf_calls_free(profile->calls);
	profile->calls = PRF_TAKE(calls);
	remove_binary(profile, binary);
	return 0;
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
