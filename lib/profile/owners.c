#include "profile/owners.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void
prf_owners_clear(struct prf_owners *owners)
{
	for (size_t i = 0; i < owners->n_programs; i++)
		free(owners->programs[i].path);
	free(owners->programs);
	free(owners->all);
	prf_pairs_clear(&owners->threads);
	prf_pairs_clear(&owners->keys);
	*owners = (struct prf_owners){0};
}

/* A run has few programs.  *NUMBER: that of LIKE's. */
static bool
find_program(const struct prf_owners *owners, const struct prf_owner *like,
	     size_t *number)
{
	for (size_t i = 0; i < owners->n_programs; i++) {
		*number = i;
		if (owners->programs[i].rank == like->rank &&
		    strcmp(owners->programs[i].path, like->program) == 0)
			return true;
	}
	return false;
}

static int
intern_program(struct prf_owners *owners, const struct prf_owner *like,
	       size_t *number)
{
	struct prf_owners_program *grown;

	if (find_program(owners, like, number))
		return 0;
	grown = reallocarray(owners->programs, owners->n_programs + 1,
			     sizeof *grown);
	if (!grown)
		return -ENOMEM;
	owners->programs = grown;
	*number = owners->n_programs;
	grown[*number] =
		(struct prf_owners_program){strdup(like->program), like->rank};
	owners->n_programs += grown[*number].path != NULL;
	return grown[*number].path ? 0 : -ENOMEM;
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

static int
intern_key(struct prf_owners *owners, const struct prf_owner *like,
	   size_t program, size_t *number)
{
	size_t thread;
	int rc = prf_pairs_intern(&owners->threads, (size_t)like->pid,
				  (size_t)like->tid, &thread);

	if (!rc)
		rc = reserve(owners);
	return rc ? rc
		  : prf_pairs_intern(&owners->keys, thread, program, number);
}

/* *AT: which of all it is. */
static bool
find(const struct prf_owners *owners, const struct prf_owner *like,
     size_t program, size_t *at)
{
	size_t thread;

	return prf_pairs_find(&owners->threads, (size_t)like->pid,
			      (size_t)like->tid, &thread) &&
	       prf_pairs_find(&owners->keys, thread, program, at);
}

int
prf_owners_intern(struct prf_owners *owners, const struct prf_owner *like,
		  uint32_t *number)
{
	struct prf_owner owner = *like;
	size_t program, at;
	int rc = intern_program(owners, like, &program);

	if (rc)
		return rc;
	if (owners->is_full && !find(owners, like, program, &at))
		owner = (struct prf_owner){.rank = like->rank};
	rc = intern_key(owners, &owner, program, &at);
	if (rc)
		return rc;
	*number = (uint32_t)at + 1;
	if (at == owners->n) {
		owner.program = owners->programs[program].path;
		owners->all[owners->n++] = owner;
		owners->n_threads += owner.tid != 0;
	}
	return 0;
}

void
prf_owners_name(struct prf_owners *owners, const struct prf_owner *like)
{
	size_t program, at;

	if (find_program(owners, like, &program) &&
	    find(owners, like, program, &at))
		memcpy(owners->all[at].name, like->name, sizeof like->name);
}
