/* merge_objects.h - which objects of a list are the same as those before.
 *
 * The program is told by its build-id, or without one by its path and its
 * place; all others by path and build-id. */
#ifndef PRF_VIEW_MERGE_OBJECTS_H
#define PRF_VIEW_MERGE_OBJECTS_H

#include <stdbool.h>

#include "core/attr.h"
#include "core/error.h"
#include "view/merge_list.h"

/* Finds each object of LIST among those of MERGE, or adds it to them.  All
 * files have a program, or none has: what is without cannot be told to be of
 * the same.  -EINVAL: of another program, or with one unlike those before;
 * -ENOMEM. */
int prf_merge_objects_take(struct prf_merge *merge, struct prf_merge_list *list,
			   struct prf_error *err) PRF_MUST_CHECK;

/* In an object that goes by name: system calls with a name keep their places,
 * all else follows them. */
bool prf_merge_objects_has_fixed_place(const char *object_path,
				       const char *name);

#endif
