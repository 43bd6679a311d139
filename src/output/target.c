#include "src/output/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

void
prf_target_close(struct prf_target *target)
{
	prf_outfile_free(target->file);
	free(target->buffer);
	prf_insist_end(&target->insist);
	prf_outdir_close(target->dir);
}

static int
keep_old(struct prf_outfile *file, const char *name, bool is_before,
	 struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *old = NULL;

	if (asprintf(&old, "%s%s%s", is_before ? "old." : "", name,
		     is_before ? "" : ".old") < 0) {
		old = NULL;
		return prf_error_set(err, -ENOMEM, "out of memory");
	}
	return prf_outfile_keep_old(file, old, err);
}

/* The kernel takes few large pieces sooner than many small ones. */
static void
enlarge_buffer(struct prf_target *target)
{
	const size_t size_bytes = 256 << 10;

	target->buffer = malloc(size_bytes);
	if (target->buffer)
		setvbuf(target->stream, target->buffer, _IOFBF, size_bytes);
}

int
prf_target_open(struct prf_target *target, const char *path, bool old_is_before,
		struct prf_error *err)
{
	const char *name;

	if (!path || strcmp(path, "-") == 0) {
		target->stream = stdout;
		return 0;
	}
	int rc = prf_outdir_open_of(path, &target->dir, &name, err);
	if (rc)
		return rc;
	prf_insist_begin_alone(&target->insist, target->dir);
	rc = prf_outdir_check(target->dir, name, err);
	if (rc == 0)
		rc = prf_outfile_create(target->dir, name, &target->file, err);
	if (rc == 0)
		rc = keep_old(target->file, name, old_is_before, err);
	if (rc)
		return rc;
	target->stream = prf_outfile_stream(target->file);
	enlarge_buffer(target);
	return 0;
}

int
prf_target_commit(struct prf_target *target, struct prf_error *err)
{
	if (target->file)
		return prf_outfile_commit(target->file, err);
	return fflush(stdout) || ferror(stdout)
		       ? prf_error_set(err, -EIO, "standard output: %m")
		       : 0;
}
