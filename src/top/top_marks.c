#include "src/top/top_marks.h"

#include <errno.h>

#include "src/top/top_data.h"

static void
mark_clear(struct prf_top_mark *mark)
{
	prf_profile_free(mark->profile);
	*mark = (struct prf_top_mark){0};
}

/* Keeps a copy of PROFILE; where memory is short, nothing. */
static void
mark_set(struct prf_top_mark *mark, const struct prf_profile *profile,
	 uint64_t now_ns)
{
	mark_clear(mark);
	mark->profile = prf_profile_new();
	mark->at_ns = now_ns;
	if (mark->profile && (prf_profile_add(mark->profile, profile, NULL) ||
			      prf_profile_detach(mark->profile)))
		mark_clear(mark);
}

void
prf_top_marks_move(struct prf_top_marks *marks,
		   const struct prf_profile *so_far, uint64_t now_ns,
		   bool resets)
{
	if (resets || marks->is_to_reset) {
		prf_top_marks_clear(marks);
		mark_set(&marks->reset, so_far, now_ns);
	}
	if (marks->newer.profile &&
	    now_ns - marks->newer.at_ns < PRF_TOP_RECENT_NS)
		return;
	mark_clear(&marks->older);
	marks->older = marks->newer;
	marks->newer = (struct prf_top_mark){0};
	mark_set(&marks->newer, so_far, now_ns);
}

/* What was to be forgotten stays so, with what was counted since. */
static void
begin_anew(struct prf_top_marks *marks)
{
	bool was_reset = marks->reset.profile;

	prf_top_marks_clear(marks);
	marks->is_to_reset = was_reset;
}

int
prf_top_marks_take(struct prf_top_marks *marks, struct prf_profile *so_far,
		   bool all, uint64_t *since_ns)
{
	const struct prf_top_mark *since =
		!all && marks->older.profile ? &marks->older : &marks->reset;

	if (!since->profile)
		return 0;
	*since_ns = since->at_ns;
	int rc = prf_top_data_recent(so_far, since->profile);
	if (rc == -ERANGE)
		begin_anew(marks);
	return rc;
}

void
prf_top_marks_clear(struct prf_top_marks *marks)
{
	mark_clear(&marks->reset);
	mark_clear(&marks->older);
	mark_clear(&marks->newer);
	marks->is_to_reset = false;
}
