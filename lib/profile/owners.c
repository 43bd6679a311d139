#include "profile/owners.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void
prf_owners_clear(struct prf_owners *owners)
{
	free(owners->all);
	prf_named_counts_clear(&owners->paths);
	prf_pairs_clear(&owners->programs);
	prf_pairs_clear(&owners->ids);
	prf_pairs_clear(&owners->threads);
	prf_pairs_clear(&owners->keys);
	*owners = (struct prf_owners){0};
}

/* *PATH, *PROGRAM: the numbers of LIKE's. */
static int
intern_program(struct prf_owners *owners, const struct prf_owner *like,
	       size_t *path, size_t *program)
{
	int rc = prf_named_counts_intern(&owners->paths, like->program, path);

	return rc ? rc
		  : prf_pairs_intern(&owners->programs, *path,
				     (size_t)(like->rank + (int64_t)1),
				     program);
}

static int
reserve(struct prf_owners *owners)
{
	size_t room = 2 * owners->room + 8;

	if (owners->n < owners->room)
		return 0;
	struct prf_owner *grown =
		reallocarray(owners->all, room, sizeof *grown);
	if (!grown)
		return -ENOMEM;
	owners->all = grown;
	owners->room = room;
	return 0;
}

/* *THREAD, *NUMBER: those that LIKE, of PROGRAM, has or will have. */
static int
intern_key(struct prf_owners *owners, const struct prf_owner *like,
	   size_t program, size_t *thread, size_t *number)
{
	size_t id;
	int rc = prf_pairs_intern(&owners->ids, (size_t)like->pid,
				  (size_t)like->tid, &id);

	if (!rc)
		rc = prf_pairs_intern(&owners->threads, id, program, thread);
	if (!rc)
		rc = reserve(owners);
	return rc ? rc
		  : prf_pairs_intern(&owners->keys, *thread, like->state,
				     number);
}

/* *THREAD: the number of LIKE's, of PROGRAM. */
static bool
find_thread(const struct prf_owners *owners, const struct prf_owner *like,
	    size_t program, size_t *thread)
{
	size_t id;

	return prf_pairs_find(&owners->ids, (size_t)like->pid,
			      (size_t)like->tid, &id) &&
	       prf_pairs_find(&owners->threads, id, program, thread);
}

int
prf_owners_intern(struct prf_owners *owners, const struct prf_owner *like,
		  uint32_t *number)
{
	struct prf_owner owner = *like;
	size_t path, program, thread, at, n_threads = owners->threads.n;
	int rc = intern_program(owners, like, &path, &program);

	if (rc)
		return rc;
	if (owners->is_full && !find_thread(owners, like, program, &thread))
		owner = (struct prf_owner){
			.state = like->state,
			.rank = like->rank,
		};
	rc = intern_key(owners, &owner, program, &thread, &at);
	if (rc)
		return rc;
	owners->n_threads += thread == n_threads && owner.tid != 0;
	*number = (uint32_t)at + 1;
	if (at == owners->n) {
		owner.thread = (uint32_t)thread;
		owner.program = owners->paths.all[path].text;
		owners->all[owners->n++] = owner;
	}
	return 0;
}

void
prf_owners_name(struct prf_owners *owners, const struct prf_owner *like)
{
	size_t path, program, thread, at;

	if (intern_program(owners, like, &path, &program) ||
	    !find_thread(owners, like, program, &thread))
		return;
	for (size_t state = 0; state < PRF_N_SAMPLE_STATES; state++)
		if (prf_pairs_find(&owners->keys, thread, state, &at))
			memcpy(owners->all[at].name, like->name,
			       sizeof like->name);
}
