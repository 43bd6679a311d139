/* object.h - what addresses of one program belong to: a file, the vDSO, JIT
 * code, the kernel; with the ticks that fell there.
 *
 * While the program runs, ticks are added at an object's own addresses (vaddrs).
 * Once it has ended the object is settled: its functions and the points where
 * ticks fell are then fixed, ascending, and the same for the same ticks. */
#ifndef PRF_VIEW_OBJECT_H
#define PRF_VIEW_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/hist.h"
#include "core/sample.h"
#include "image/image.h"
#include "view/file.h"
#include "view/space.h"
#include "view/tally.h"

enum prf_object_kind {
	PRF_OBJECT_FILE,    /* addresses: vaddrs; file offsets without names */
	PRF_OBJECT_VDSO,    /* vaddrs */
	PRF_OBJECT_JIT,     /* run-time addresses until settled */
	PRF_OBJECT_KERNEL,  /* system call numbers until settled */
	PRF_OBJECT_UNKNOWN, /* whatever was in nothing that was mapped */
	PRF_N_OBJECT_KINDS,
};

struct prf_function {
	const char *name; /* as in the file, mangled; the object's */
	const struct prf_object *object;
	uint64_t lo; /* of its first piece */
	struct prf_count count;
};

/* Where ticks fell. */
struct prf_point {
	uint64_t vaddr;
	uint64_t ticks;
};

struct prf_object {
	enum prf_object_kind kind;
	struct prf_file *file; /* held; NULL: it has none */
	const char *path;      /* "" where there is none */
	const char *name; /* the path's last part, or "[kernel]" and the like */
	struct prf_count total;

	const struct prf_image *image; /* the file's; NULL: it has no names */
	struct prf_hist *hist;         /* with an image: over its texts */
	/* Without an image: by address.  With one: by text, those ticks that
	 * came as several with one look; the histogram has them too. */
	struct prf_tally tally;

	/* All of it, [lo, hi), even: the same wherever ticks fell (but for JIT
	 * code, see prf_object_settle).  Without names it is what was mapped
	 * until settled. */
	uint64_t lo, hi;
	struct prf_function *functions; /* ascending by lo */
	size_t n_functions;
	const struct prf_piece *pieces; /* ascending, within [lo, hi) */
	size_t n_pieces;

	/* Without an image; all are told by points.h. */
	struct prf_point *points;
	size_t n_points;
	struct prf_piece *made_pieces; /* pieces that are not the file's */
	char **made_names;             /* of functions, owned here */
	size_t n_made_names;
};

/* An object of KIND; FILE, which has been read, is held.  It is NULL where KIND
 * has none.  NULL: out of memory. */
struct prf_object *prf_object_new(enum prf_object_kind kind,
				  struct prf_file *file);
void prf_object_free(struct prf_object *object); /* takes NULL */

/* What is mapped at PLACE is part of OBJECT: *BIAS is its addr - vaddr.
 * -ENOENT: it is of no text of the file, so that nothing is known of code
 * there. */
int prf_object_map(struct prf_object *object, const struct prf_place *place,
		   uint64_t *bias) PRF_MUST_CHECK;

/* CERTAIN of the TICKS are (see sample.h).  Of a file without names, VADDR is in
 * what was mapped.  -ERANGE: VADDR is in none of its text; -ENOMEM; nothing was
 * counted. */
int prf_object_add(struct prf_object *object, uint64_t vaddr, uint32_t ticks,
		   uint32_t certain) PRF_MUST_CHECK;
/* Adds what was counted in OTHER, which is of the same kind and file and not
 * settled either.  -ENOMEM. */
int prf_object_merge(struct prf_object *object,
		     const struct prf_object *other) PRF_MUST_CHECK;

/* Makes the functions, pieces and points.  PERFMAP_TEXT (may be NULL) has the
 * names of JIT code, which is laid out by the names that were seen: it is of
 * another size where they are others.  Functions add up to the total, but for
 * what a full counter could not take (prf_hist_stats).  Once only.  -ENOMEM. */
int prf_object_settle(struct prf_object *object, const char *perfmap_text,
		      size_t perfmap_bytes,
		      struct prf_error *err) PRF_MUST_CHECK;

#endif
