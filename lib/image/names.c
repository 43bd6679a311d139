#include "image/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 16384 };

struct prf_names_block {
	struct prf_names_block *next;
	size_t used, size;
	char bytes[];
};

void
prf_names_free(struct prf_names *names)
{
	while (names->blocks) {
		struct prf_names_block *next = names->blocks->next;

		free(names->blocks);
		names->blocks = next;
	}
}

static struct prf_names_block *
add_block(struct prf_names *names, size_t size)
{
	struct prf_names_block *block;

	if (size > SIZE_MAX - sizeof *block)
		return NULL;
	block = malloc(sizeof *block + size);
	if (!block)
		return NULL;
	block->used = 0;
	block->size = size;
	block->next = names->blocks;
	names->blocks = block;
	return block;
}

char *
prf_names_alloc(struct prf_names *names, size_t size)
{
	struct prf_names_block *block = names->blocks;

	if (!block || size > block->size - block->used)
		block = add_block(names,
				  size < BLOCK_BYTES ? BLOCK_BYTES : size);
	if (!block)
		return NULL;

	char *bytes = block->bytes + block->used;
	block->used += size;
	return bytes;
}

const char *
prf_names_join(struct prf_names *names, const char *prefix, const char *name,
	       const char *suffix)
{
	size_t n_prefix = strlen(prefix), n_name = strlen(name);
	size_t n_suffix = strlen(suffix);
	char *joined = prf_names_alloc(names, n_prefix + n_name + n_suffix + 1);

	if (!joined)
		return NULL;
	memcpy(joined, prefix, n_prefix);
	memcpy(joined + n_prefix, name, n_name);
	memcpy(joined + n_prefix + n_name, suffix, n_suffix + 1);
	return joined;
}
