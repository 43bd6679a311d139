#include "image/code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/scope.h"
#include "image/layout.h"
#include "image/starts.h"

enum { BLOCK_BYTES = 4096, N_BLOCKS = 16 };

/* A part of the file; N_BYTES 0: none. */
struct block {
	uint64_t off;
	size_t n_bytes;
	uint8_t bytes[BLOCK_BYTES];
};

struct prf_code {
	struct prf_cfi *cfi;
	struct prf_cfi_cache *cache; /* CFI's, or NULL */
	uint32_t made_rows;          /* the file in it that has the rows that
				      * were made of instructions; 0: none
				      * was yet */
	struct block *blocks;        /* N_BLOCKS, by their places; NULL: none */
	struct prf_object *object;   /* CFI's */
	struct prf_layout layout;    /* of segments alone */
	bool starts_are_read;
	struct prf_starts starts;
};

PRF_DEFINE_AUTO(prf_code, prf_code_close);

/* Takes over CFI, of the file at PATH. */
static int
make_code(struct prf_cfi *cfi, const char *path, struct prf_cfi_cache *cache,
	  struct prf_code **out, struct prf_error *err)
{
	PRF_AUTO(prf_code_auto)
	struct prf_code *code = calloc(1, sizeof *code);

	if (!code) {
		prf_cfi_close(cfi);
		return prf_error_set(err, -ENOMEM, "%s: %m", path);
	}
	code->cfi = cfi;
	code->cache = cache;
	code->object = prf_cfi_object(cfi);
	int rc = prf_layout_read_segments(&code->layout, code->object, err);
	if (rc == 0)
		*out = PRF_TAKE(code);
	return rc;
}

int
prf_code_open_fd(int fd, const char *path, const struct prf_debug_way *way,
		 struct prf_cfi_cache *cache, struct prf_code **out,
		 struct prf_error *err)
{
	struct prf_cfi *cfi;
	int rc = prf_cfi_open_fd(fd, path, way, cache, &cfi, err);

	return rc != 0 ? rc : make_code(cfi, path, cache, out, err);
}

int
prf_code_open_memory(const void *bytes, size_t size, const char *name,
		     struct prf_cfi_cache *cache, struct prf_code **out,
		     struct prf_error *err)
{
	struct prf_cfi *cfi;
	int rc = prf_cfi_open_memory(bytes, size, name, cache, &cfi, err);

	return rc != 0 ? rc : make_code(cfi, name, cache, out, err);
}

void
prf_code_close(struct prf_code *code)
{
	if (!code)
		return;
	prf_starts_free(&code->starts);
	prf_layout_free(&code->layout);
	prf_cfi_close(code->cfi);
	free(code->blocks);
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

/* --- Text */

/* The block that has the byte at OFF, if that can be read. */
static const struct block *
block_at(struct prf_code *code, uint64_t off)
{
	uint64_t number = off / BLOCK_BYTES;
	struct block *block = &code->blocks[number % N_BLOCKS];

	if (block->n_bytes == 0 || block->off != number * BLOCK_BYTES) {
		block->off = number * BLOCK_BYTES;
		block->n_bytes = prf_object_read(code->object, block->off,
						 block->bytes, BLOCK_BYTES);
	}
	return block;
}

static size_t
read_by_blocks(struct prf_code *code, uint64_t off, char *to, size_t n)
{
	size_t n_read = 0;

	while (n_read < n) {
		const struct block *block = block_at(code, off + n_read);
		size_t into = (off + n_read) % BLOCK_BYTES;
		size_t part = n - n_read;

		if (into >= block->n_bytes)
			break;
		if (part > block->n_bytes - into)
			part = block->n_bytes - into;
		memcpy(to + n_read, block->bytes + into, part);
		n_read += part;
	}
	return n_read;
}

/* What is longer than a block is read as it is. */
static size_t
read_file(struct prf_code *code, uint64_t off, void *to, size_t n)
{
	bool is_memory = code->object->fd < 0;

	if (!code->blocks && !is_memory)
		code->blocks = calloc(N_BLOCKS, sizeof *code->blocks);
	return code->blocks && n <= BLOCK_BYTES
		       ? read_by_blocks(code, off, to, n)
		       : prf_object_read(code->object, off, to, n);
}

size_t
prf_code_text(struct prf_code *code, uint64_t vaddr, void *to, size_t n)
{
	for (size_t i = 0; i < code->layout.n_segments; i++) {
		const struct prf_segment *segment = &code->layout.segments[i];
		uint64_t into = vaddr - segment->vaddr;

		if (into >= segment->size)
			continue;
		if (n > segment->size - into)
			n = (size_t)(segment->size - into);
		return read_file(code, segment->off + into, to, n);
	}
	return 0;
}

/* --- Rows made of it */

bool
prf_code_kept_row(const struct prf_code *code, uint64_t vaddr,
		  const struct prf_cfi_row **row)
{
	const struct prf_cfi_answer *kept =
		code->made_rows ? prf_cfi_cache_find(code->cache,
						     code->made_rows, vaddr)
				: NULL;

	if (kept)
		*row = kept->row;
	return kept;
}

void
prf_code_keep_row(struct prf_code *code, uint64_t vaddr,
		  const struct prf_cfi_row *row)
{
	if (!code->cache)
		return;
	if (!code->made_rows)
		code->made_rows = prf_cfi_cache_add_file(code->cache);
	(void)prf_cfi_cache_add(code->cache, code->made_rows, vaddr, row);
}

/* --- Functions */

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
