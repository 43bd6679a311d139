#include "profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hist/hist_waiting.h"
#include "core/scope.h"
#include "image/syscalls.h"

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
	free(profile->binaries);
	free(profile->hists);
	free(profile->by_file);
	free(profile->waiting);
	free(profile);
}

/* --- Binaries as they come up */

struct prf_binary *
prf_profile_find(const struct prf_profile *profile,
		 const struct prf_binary *like)
{
	for (size_t i = 0; i < profile->n_binaries; i++)
		if (prf_binary_is_same(profile->binaries[i], like))
			return profile->binaries[i];
	return NULL;
}

/* BINARY, taken over (NULL: out of memory), which is not there. */
static struct prf_binary *
append(struct prf_profile *profile, struct prf_binary *binary)
{
	struct prf_binary **grown =
		binary ? reallocarray(profile->binaries,
				      profile->n_binaries + 1, sizeof(*grown))
		       : NULL;

	if (!grown) {
		prf_binary_free(binary);
		return NULL;
	}
	profile->binaries = grown;
	if (binary->hist)
		prf_hist_wait_in(binary->hist, profile->waiting);
	return grown[profile->n_binaries++] = binary;
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

static struct prf_binary *
jit_of(struct prf_profile *profile, pid_t pid)
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

/* --- Counting */

static int
count_unknown(struct prf_profile *profile, const struct prf_count *count)
{
	struct prf_binary *binary =
		prf_profile_binary(profile, PRF_BINARY_UNKNOWN);

	return binary ? prf_binary_count_name(binary, binary->name, count)
		      : -ENOMEM;
}

/* The binary at LOCATION of process PID.  NULL: out of memory. */
static struct prf_binary *
binary_at(struct prf_profile *profile, const struct prf_location *location,
	  pid_t pid)
{
	struct prf_file *file = location->file;

	if (!file)
		return jit_of(profile, pid);
	return file->index < profile->n_by_file && profile->by_file[file->index]
		       ? profile->by_file[file->index]
		       : prf_profile_binary_of(profile, file);
}

int
prf_profile_count(struct prf_profile *profile,
		  const struct prf_location *location,
		  const struct prf_sample *sample)
{
	struct prf_count count = {0};
	int rc = -ERANGE;

	prf_count_add(&count, sample->ticks, sample->certain);
	if (location->kind != PRF_MAPPING_NONE) {
		struct prf_binary *binary =
			binary_at(profile, location, sample->pid);

		rc = binary ? prf_binary_count(binary, location->vaddr,
					       sample->ticks, sample->certain)
			    : -ENOMEM;
	}
	if (rc == -ERANGE)
		rc = count_unknown(profile, &count);
	if (!rc)
		prf_count_merge(&profile->total, &count);
	return rc;
}

static const char *
call_name(uint16_t machine, int32_t number, char *made, size_t n_bytes)
{
	const char *known = prf_syscall_name(machine, number);

	if (known)
		return known;
	if (number == PRF_NO_PROCESSOR)
		return "waiting_for_a_processor";
	/* As a signed number: a program can ask for any. */
	snprintf(made, n_bytes, "syscall_%" PRId32, number);
	return made;
}

int
prf_profile_count_call(struct prf_profile *profile, uint16_t machine,
		       const struct prf_sample *sample)
{
	struct prf_binary *kernel =
		prf_profile_binary(profile, PRF_BINARY_KERNEL);
	struct prf_count count = {0};
	char made[32];

	prf_count_add(&count, sample->ticks, sample->certain);
	int rc = kernel ? prf_binary_count_name(kernel,
						call_name(machine,
							  sample->syscall, made,
							  sizeof made),
						&count)
			: -ENOMEM;
	if (!rc)
		prf_count_merge(&profile->total, &count);
	return rc;
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

static void
remove_binary(struct prf_profile *profile, struct prf_binary *binary)
{
	size_t at = 0;

	while (profile->binaries[at] != binary)
		at++;
	memmove(&profile->binaries[at], &profile->binaries[at + 1],
		(--profile->n_binaries - at) * sizeof *profile->binaries);
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
	struct prf_binary *named = prf_profile_binary(profile, PRF_BINARY_JIT);
	int rc = named ? name_addresses(named, binary, map) : -ENOMEM;
	if (!rc)
		remove_binary(profile, binary);
	return rc;
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
