/* gmon_list.h - what a list of symbols means in a profile: which binary each of
 * its objects is. */
#ifndef PRF_VIEW_GMON_GMON_LIST_H
#define PRF_VIEW_GMON_GMON_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/profile.h"
#include "view/gmon/symsfile.h"

struct prf_gmon_list {
	char *text; /* that it was read from */
	size_t n_bytes;
	struct prf_syms *syms;
	struct prf_binary **binaries; /* the profile's, by object */
	uint64_t *ticks;              /* by symbol, of the file at hand */
};

/* Reads TEXT; its binaries and their names are PROFILE's afterwards.  -EBADMSG:
 * it is no list; -EFBIG: it has more of something than any has; -ENOMEM. */
int prf_gmon_list_read(struct prf_gmon_list *list, struct prf_profile *profile,
		       const char *text, size_t n_bytes,
		       struct prf_error *err) PRF_MUST_CHECK;
void prf_gmon_list_clear(struct prf_gmon_list *list); /* takes all zero */

/* What symbol number I is called in its binary. */
const char *prf_gmon_list_name(const struct prf_gmon_list *list, size_t i);
/* Where ADDR of the file is.  -EBADMSG: the list has nothing there; -ENOMEM. */
int prf_gmon_list_end(const struct prf_gmon_list *list, uint64_t addr,
		      struct prf_arc_end *end,
		      struct prf_error *err) PRF_MUST_CHECK;

#endif
