#include "image/code.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/scope.h"
#include "image/layout.h"

struct prf_code {
	struct prf_cfi *cfi;
	struct prf_layout layout; /* of segments alone */
};

PRF_DEFINE_AUTO(prf_code, prf_code_close);

/* Takes over CFI, of the file at PATH. */
static int
make_code(struct prf_cfi *cfi, const char *path, struct prf_code **out,
	  struct prf_error *err)
{
	PRF_AUTO(prf_code_auto)
	struct prf_code *code = calloc(1, sizeof *code);

	if (!code) {
		prf_cfi_close(cfi);
		return prf_error_set(err, -ENOMEM, "%s: %m", path);
	}
	code->cfi = cfi;
	int rc = prf_layout_read_segments(&code->layout, prf_cfi_object(cfi),
					  err);
	if (rc == 0)
		*out = PRF_TAKE(code);
	return rc;
}

int
prf_code_open_fd(int fd, const char *path, struct prf_code **out,
		 struct prf_error *err)
{
	struct prf_cfi *cfi;
	int rc = prf_cfi_open_fd(fd, path, &cfi, err);

	return rc != 0 ? rc : make_code(cfi, path, out, err);
}

int
prf_code_open_memory(const void *bytes, size_t size, const char *name,
		     struct prf_code **out, struct prf_error *err)
{
	struct prf_cfi *cfi;
	int rc = prf_cfi_open_memory(bytes, size, name, &cfi, err);

	return rc != 0 ? rc : make_code(cfi, name, out, err);
}

void
prf_code_close(struct prf_code *code)
{
	if (!code)
		return;
	prf_layout_free(&code->layout);
	prf_cfi_close(code->cfi);
	free(code);
}

struct prf_cfi *
prf_code_cfi(const struct prf_code *code)
{
	return code->cfi;
}

int
prf_code_bias(const struct prf_code *code, uint64_t addr, uint64_t size,
	      uint64_t file_off, uint64_t *bias)
{
	return prf_layout_bias(&code->layout, (uint64_t)sysconf(_SC_PAGESIZE),
			       addr, size, file_off, bias);
}
