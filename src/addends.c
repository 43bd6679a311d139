#include "addends.h"

#include <errno.h>
#include <stdlib.h>

#include "core/gmon_read.h"
#include "core/scope.h"
#include "infile.h"
#include "outname.h"
#include "recording.h"
#include "trace_addends.h"

PRF_DEFINE_AUTO(prf_gmon, prf_gmon_free);

/* What is read into, and used again for each file. */
struct input {
	struct prf_infile gmon, syms;
};

static void
input_clear(struct input *input)
{
	prf_infile_clear(&input->gmon);
	prf_infile_clear(&input->syms);
}

/* The list beside PATH; *TEXT is NULL where there is none. */
static int
read_list(const char *path, struct prf_infile *syms, const char **text,
	  struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *name = prf_outname_symbols(path);

	*text = NULL;
	if (!name)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = prf_infile_read(syms, name, err);
	if (rc == -ENOENT)
		return 0;
	*text = rc ? NULL : syms->bytes;
	return rc;
}

static int
add_gmon(struct prf_merge *merge, struct input *input, const char *path,
	 struct prf_error *err)
{
	PRF_AUTO(prf_gmon_auto) struct prf_gmon *gmon = NULL;
	struct prf_error why;
	const char *list;
	int rc = prf_infile_read(&input->gmon, path, err);

	if (rc)
		return rc;
	rc = prf_gmon_parse(input->gmon.bytes, input->gmon.n_bytes, NULL, &gmon,
			    &why);
	if (rc)
		return prf_error_set(err, rc, "%s: %s", path, why.text);
	rc = read_list(path, &input->syms, &list, err);
	if (rc)
		return rc;
	rc = prf_merge_add(merge, path, gmon, list, input->syms.n_bytes, &why);
	return rc ? prf_error_set(err, rc, "%s: %s", path, why.text) : 0;
}

int
prf_addends_add(struct prf_merge *merge, char *const *paths,
		const struct prf_reading *reading, struct prf_error *err)
{
	PRF_AUTO(input_clear) struct input input = {0};
	int rc = 0;

	for (; !rc && *paths; paths++)
		rc = prf_recording_is_trace(*paths)
			     ? prf_trace_addends_add(merge, *paths, reading,
						     err)
			     : add_gmon(merge, &input, *paths, err);
	return rc;
}
