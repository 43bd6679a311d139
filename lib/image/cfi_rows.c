#include "image/cfi_rows.h"

#include <stdlib.h>
#include <string.h>

static bool
is_expression(const struct prf_cfi_rule *rule)
{
	return rule->how == PRF_CFI_AT_EXPRESSION ||
	       rule->how == PRF_CFI_IS_EXPRESSION;
}

static bool
same_rule(const struct prf_cfi_rule *a, const struct prf_cfi_rule *b)
{
	if (a->how != b->how || a->of != b->of || a->other != b->other)
		return false;
	if (!is_expression(a))
		return a->offset == b->offset;
	return a->expression_bytes == b->expression_bytes &&
	       memcmp(a->expression, b->expression, a->expression_bytes) == 0;
}

static bool
same_row(const struct prf_cfi_row *a, const struct prf_cfi_row *b)
{
	if (a->return_register != b->return_register ||
	    a->signal_frame != b->signal_frame ||
	    a->return_signed != b->return_signed || a->n_rules != b->n_rules ||
	    !same_rule(&a->cfa, &b->cfa))
		return false;
	for (size_t i = 0; i < a->n_rules; i++)
		if (!same_rule(&a->rules[i], &b->rules[i]))
			return false;
	return true;
}

static uint64_t
mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* Expressions count by their size alone: they are few. */
static uint64_t
mix_rule(uint64_t hash, const struct prf_cfi_rule *rule)
{
	hash = mix(hash,
		   (uint64_t)rule->how << 16 | rule->of << 8 | rule->other);
	return mix(hash, is_expression(rule) ? rule->expression_bytes
					     : (uint64_t)rule->offset);
}

static uint64_t
hash_row(const struct prf_cfi_row *row)
{
	uint64_t hash = mix_rule(row->return_register, &row->cfa);

	for (size_t i = 0; i < row->n_rules; i++)
		hash = mix_rule(hash, &row->rules[i]);
	return hash;
}

/* The slot that has ROW, or the free one where it belongs. */
static struct prf_cfi_row **
find_slot(struct prf_cfi_row **slots, size_t n_slots,
	  const struct prf_cfi_row *row)
{
	size_t i = (size_t)hash_row(row) & (n_slots - 1);

	while (slots[i] && !same_row(slots[i], row))
		i = (i + 1) & (n_slots - 1);
	return &slots[i];
}

static bool
grow(struct prf_cfi_rows *rows)
{
	size_t n_slots = rows->n_slots ? rows->n_slots * 2 : 64;
	struct prf_cfi_row **slots = calloc(n_slots, sizeof(*slots));

	if (!slots)
		return false;
	for (size_t i = 0; i < rows->n_slots; i++)
		if (rows->slots[i])
			*find_slot(slots, n_slots, rows->slots[i]) =
				rows->slots[i];
	free(rows->slots);
	rows->slots = slots;
	rows->n_slots = n_slots;
	return true;
}

const struct prf_cfi_row *
prf_cfi_rows_add(struct prf_cfi_rows *rows, const struct prf_cfi_row *row)
{
	size_t n_bytes = sizeof *row + row->n_rules * sizeof *row->rules;

	if (rows->n >= rows->n_slots / 2 && !grow(rows))
		return NULL;
	struct prf_cfi_row **slot = find_slot(rows->slots, rows->n_slots, row);
	if (*slot)
		return *slot;
	*slot = malloc(n_bytes);
	if (!*slot)
		return NULL;
	memcpy(*slot, row, n_bytes);
	rows->n++;
	return *slot;
}

void
prf_cfi_rows_free(struct prf_cfi_rows *rows)
{
	for (size_t i = 0; i < rows->n_slots; i++)
		free(rows->slots[i]);
	free(rows->slots);
	*rows = (struct prf_cfi_rows){0};
}
