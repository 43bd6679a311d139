#include "image/cfi_rows.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_MIN = 64 };

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
	    a->return_signed != b->return_signed || a->is_last != b->is_last ||
	    a->n_rules != b->n_rules || !same_rule(&a->cfa, &b->cfa))
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
	size_t n_slots = rows->n_slots ? rows->n_slots * 2 : SLOTS_MIN;
	struct prf_cfi_row **slots = calloc(n_slots, sizeof(*slots));

	if (!slots)
		return false;
	for (size_t i = 0; i < rows->n_slots; i++)
		if (rows->slots[i])
			*find_slot(slots, n_slots, rows->slots[i]) =
				rows->slots[i];
	free(rows->slots);
	rows->n_bytes += (n_slots - rows->n_slots) * sizeof *slots;
	rows->slots = slots;
	rows->n_slots = n_slots;
	return true;
}

/* What is copied of ROW: its rules, and behind them their expressions. */
static size_t
rules_bytes(const struct prf_cfi_row *row)
{
	return sizeof *row + row->n_rules * sizeof *row->rules;
}

static size_t
expression_bytes(const struct prf_cfi_rule *rule)
{
	return is_expression(rule) ? rule->expression_bytes : 0;
}

static size_t
row_bytes(const struct prf_cfi_row *row)
{
	size_t n_bytes = rules_bytes(row) + expression_bytes(&row->cfa);

	for (size_t i = 0; i < row->n_rules; i++)
		n_bytes += expression_bytes(&row->rules[i]);
	return n_bytes;
}

/* Moves the expression of RULE to *TO, and *TO behind it. */
static void
own_expression(struct prf_cfi_rule *rule, uint8_t **to)
{
	size_t n = expression_bytes(rule);

	if (n == 0)
		return;
	memcpy(*to, rule->expression, n);
	rule->expression = *to;
	*to += n;
}

static struct prf_cfi_row *
copy_row(const struct prf_cfi_row *row)
{
	struct prf_cfi_row *copy = malloc(row_bytes(row));

	if (!copy)
		return NULL;
	memcpy(copy, row, rules_bytes(row));
	uint8_t *behind = (uint8_t *)copy + rules_bytes(row);
	own_expression(&copy->cfa, &behind);
	for (size_t i = 0; i < copy->n_rules; i++)
		own_expression(&copy->rules[i], &behind);
	return copy;
}

static bool
is_full(const struct prf_cfi_rows *rows)
{
	return rows->n >= rows->n_slots / 2;
}

size_t
prf_cfi_rows_need(const struct prf_cfi_rows *rows,
		  const struct prf_cfi_row *row)
{
	size_t slots = rows->n_slots ? rows->n_slots : SLOTS_MIN;

	return row_bytes(row) + (is_full(rows) ? slots * sizeof row : 0);
}

const struct prf_cfi_row *
prf_cfi_rows_add(struct prf_cfi_rows *rows, const struct prf_cfi_row *row)
{
	if (is_full(rows) && !grow(rows))
		return NULL;
	struct prf_cfi_row **slot = find_slot(rows->slots, rows->n_slots, row);
	if (*slot)
		return *slot;
	*slot = copy_row(row);
	if (!*slot)
		return NULL;
	rows->n++;
	rows->n_bytes += row_bytes(row);
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
