#include "image/code.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/scope.h"
#include "image/layout.h"
#include "image/starts.h"

struct prf_code {
	struct prf_cfi *cfi;
	struct prf_object *object; /* CFI's */
	struct prf_layout layout;  /* of segments alone */
	bool starts_are_read;
	struct prf_starts starts;
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
	code->object = prf_cfi_object(cfi);
	int rc = prf_layout_read_segments(&code->layout, code->object, err);
	if (rc == 0)
		*out = PRF_TAKE(code);
	return rc;
}

int
prf_code_open_fd(int fd, const char *path, struct prf_cfi_cache *cache,
		 struct prf_code **out, struct prf_error *err)
{
	struct prf_cfi *cfi;
	int rc = prf_cfi_open_fd(fd, path, cache, &cfi, err);

	return rc != 0 ? rc : make_code(cfi, path, out, err);
}

int
prf_code_open_memory(const void *bytes, size_t size, const char *name,
		     struct prf_cfi_cache *cache, struct prf_code **out,
		     struct prf_error *err)
{
	struct prf_cfi *cfi;
	int rc = prf_cfi_open_memory(bytes, size, name, cache, &cfi, err);

	return rc != 0 ? rc : make_code(cfi, name, out, err);
}

void
prf_code_close(struct prf_code *code)
{
	if (!code)
		return;
	prf_starts_free(&code->starts);
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
	return prf_layout_bias(&code->layout, addr, size, file_off, bias);
}

size_t
prf_code_text(const struct prf_code *code, uint64_t vaddr, void *to, size_t n)
{
	for (size_t i = 0; i < code->layout.n_segments; i++) {
		const struct prf_segment *segment = &code->layout.segments[i];
		uint64_t into = vaddr - segment->vaddr;

		if (into >= segment->size)
			continue;
		if (n > segment->size - into)
			n = (size_t)(segment->size - into);
		return prf_object_read(code->object, segment->off + into, to,
				       n);
	}
	return 0;
}

bool
prf_code_function(struct prf_code *code, uint64_t vaddr, uint64_t *start)
{
	if (!code->starts_are_read &&
	    prf_starts_read(&code->starts, code->object, &code->layout) != 0)
		code->starts.n = 0; /* no memory: none is known */
	code->starts_are_read = true;
	return prf_starts_at(&code->starts, vaddr, start);
}

uint64_t
prf_code_entry(const struct prf_code *code)
{
	return code->object->ehdr.e_entry;
}
