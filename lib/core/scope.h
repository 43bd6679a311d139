/* scope.h - a local that owns something says so where it is declared. */
#ifndef PRF_CORE_SCOPE_H
#define PRF_CORE_SCOPE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* PRF_AUTO(free_fn) type *name: FREE_FN(&name) runs when NAME goes out of
 * scope.  Not for the child between fork and exec. */
#define PRF_AUTO(free_fn) __attribute__((cleanup(free_fn)))

/* Hands a pointer on: its scope no longer frees it. */
#define PRF_TAKE(pointer)                                                      \
	({                                                                     \
		__typeof__(pointer) taken_ = (pointer);                        \
		(pointer) = NULL;                                              \
		taken_;                                                        \
	})

/* The usual owners.  The argument is the address of the local. */
static inline void
prf_auto_free(void *pointer)
{
	free(*(void **)pointer);
}

static inline void
prf_auto_fclose(FILE **file)
{
	if (*file)
		fclose(*file);
}

static inline void
prf_auto_close(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

/* Makes NAME_auto(struct TYPE **) out of void FREE_FN(struct TYPE *). */
#define PRF_DEFINE_AUTO(type, free_fn)                                         \
	static inline void type##_auto(struct type **object)                   \
	{                                                                      \
		free_fn(*object);                                              \
	}                                                                      \
	struct type

#endif
