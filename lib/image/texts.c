#include "image/texts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A symbol that has begun and not ended where the sweep is. */
struct open_symbol {
	struct prf_text text; /* lo and hi are not used */
	uint64_t end;         /* even */
	bool sized;
};

/* One pass over a range.  Open symbols nest: the last one that began has the
 * text; when it ends, the one below it goes on. */
struct sweep {
	struct prf_texts *texts;
	const struct prf_range *range;
	uint64_t at; /* all text below is given away */
	struct open_symbol *open;
	size_t n_open, capacity;
	const struct prf_fdes *fdes;
	size_t next_fde; /* those before it are of no more use */
};

static int
add_piece(struct prf_texts *texts, const struct prf_text *text)
{
	struct prf_text *last = texts->n ? &texts->all[texts->n - 1] : NULL;

	if (last && last->hi == text->lo && last->name == text->name &&
	    last->kind == text->kind && text->kind != PRF_TEXT_GAP &&
	    last->vaddr == text->vaddr) {
		last->hi = text->hi;
		return 0;
	}
	if (texts->n == texts->capacity) {
		size_t capacity = texts->capacity * 2 + 16;
		struct prf_text *all =
			reallocarray(texts->all, capacity, sizeof *all);
		if (!all)
			return -ENOMEM;
		texts->all = all;
		texts->capacity = capacity;
	}
	texts->all[texts->n++] = *text;
	return 0;
}

static void
close_ended(struct sweep *sweep, uint64_t at)
{
	while (sweep->n_open > 0 && sweep->open[sweep->n_open - 1].end <= at)
		sweep->n_open--;
}

/* The first FDE that ends behind VADDR and does not begin before the range, or
 * NULL.  VADDR never goes back. */
static const struct prf_fde *
fde_behind(struct sweep *sweep, uint64_t vaddr)
{
	const struct prf_fdes *fdes = sweep->fdes;

	while (sweep->next_fde < fdes->n &&
	       (fdes->all[sweep->next_fde].hi <= vaddr ||
		fdes->all[sweep->next_fde].lo < sweep->range->lo))
		sweep->next_fde++;
	return sweep->range->code && sweep->next_fde < fdes->n
		       ? &fdes->all[sweep->next_fde]
		       : NULL;
}

/* Where the first FDE that begins behind VADDR does; the end of the range if
 * there is none. */
static uint64_t
next_fde_start(struct sweep *sweep, uint64_t vaddr)
{
	const struct prf_fde *fde = fde_behind(sweep, vaddr);

	if (fde && fde->lo <= vaddr &&
	    ++fde == sweep->fdes->all + sweep->fdes->n)
		fde = NULL;
	return fde && fde->lo < sweep->range->hi ? fde->lo : sweep->range->hi;
}

/* Makes TEXT what no symbol claims, from its vaddr on and no further than END:
 * what an FDE claims, or a gap up to the next one.  Returns where it ends. */
static uint64_t
take_unclaimed(struct sweep *sweep, struct prf_text *text, uint64_t end)
{
	const struct prf_fde *fde = fde_behind(sweep, text->vaddr);

	if (!fde)
		return end;
	if (fde->lo > text->vaddr)
		return fde->lo < end ? fde->lo : end;
	text->kind = PRF_TEXT_UNNAMED;
	return fde->hi < end ? fde->hi : end;
}

/* Compilers begin functions at multiples of this, and pad those before. */
enum { ALIGNMENT_BYTES = 16 };

/* Gives TEXT to the piece before it if it is the padding behind that.  All text
 * of the range below is given away: there is a piece, and no gap, as two of
 * them do not touch. */
static bool
take_padding(struct sweep *sweep, const struct prf_text *text)
{
	struct prf_texts *texts = sweep->texts;

	if (text->kind != PRF_TEXT_GAP || text->lo == sweep->range->lo ||
	    text->hi - text->lo >= ALIGNMENT_BYTES)
		return false;
	texts->all[texts->n - 1].hi = text->hi;
	return true;
}

/* Gives away the text up to UPTO. */
static int
sweep_to(struct sweep *sweep, uint64_t upto)
{
	while (sweep->at < upto) {
		struct prf_text text = {
			.kind = PRF_TEXT_GAP,
			.name = sweep->range->name,
			.vaddr = sweep->at,
		};
		uint64_t end = upto;

		close_ended(sweep, sweep->at);
		if (sweep->n_open > 0) {
			const struct open_symbol *top =
				&sweep->open[sweep->n_open - 1];

			text = top->text;
			if (top->end < end)
				end = top->end;
		} else {
			end = take_unclaimed(sweep, &text, end);
		}
		text.lo = sweep->at;
		text.hi = end;
		sweep->at = end;
		if (take_padding(sweep, &text))
			continue;
		int rc = add_piece(sweep->texts, &text);
		if (rc != 0)
			return rc;
	}
	return 0;
}

/* Where SIZE bytes from VADDR on end in the range, rounded up to even. */
static uint64_t
end_in_range(const struct prf_range *range, uint64_t vaddr, uint64_t size)
{
	if (size > range->hi - vaddr)
		return range->hi;

	uint64_t end = vaddr + size;
	return end + (end & 1);
}

static int
push(struct sweep *sweep, const struct open_symbol *symbol)
{
	if (sweep->n_open == sweep->capacity) {
		size_t capacity = sweep->capacity * 2 + 16;
		struct open_symbol *open =
			reallocarray(sweep->open, capacity, sizeof *open);
		if (!open)
			return -ENOMEM;
		sweep->open = open;
		sweep->capacity = capacity;
	}
	sweep->open[sweep->n_open++] = *symbol;
	return 0;
}

/* Does the label NAME name nothing while SYMBOL is open?  NASM tells no sizes of
 * functions, but their labels are called FUNCTION.LABEL. */
static bool
is_inner_label(const struct open_symbol *symbol, const char *name)
{
	size_t n = strlen(symbol->text.name);

	return symbol->sized ||
	       (strncmp(name, symbol->text.name, n) == 0 && name[n] == '.');
}

/* TEXT begins at its vaddr, with SIZE bytes or, if 0, an unknown number.  A
 * LABEL is not a function: within one whose size is known, or which it has its
 * name from, it names nothing. */
static int
begin(struct sweep *sweep, const struct prf_text *text, uint64_t size,
      bool label)
{
	uint64_t lo = text->vaddr & ~(uint64_t)1;
	int rc = sweep_to(sweep, lo);

	if (rc != 0)
		return rc;
	close_ended(sweep, lo);
	if (label && sweep->n_open > 0 &&
	    is_inner_label(&sweep->open[sweep->n_open - 1], text->name))
		return 0;
	/* What has no size ends where something else begins. */
	if (sweep->n_open > 0 && !sweep->open[sweep->n_open - 1].sized)
		sweep->n_open--;

	uint64_t end = end_in_range(sweep->range, text->vaddr, size);
	if (size == 0)
		end = sweep->n_open > 0 ? sweep->open[sweep->n_open - 1].end
					: next_fde_start(sweep, lo);
	return push(sweep, &(struct open_symbol){.text = *text,
						 .end = end,
						 .sized = size > 0});
}

/* Begins SYMBOLS[0], of which the N - 1 that follow are other names. */
static int
begin_group(struct sweep *sweep, const struct prf_symbol *symbols, size_t n)
{
	const struct prf_symbol *best = &symbols[0];
	uint64_t size = best->size;
	struct prf_text text = {
		.kind = best->rank & PRF_RANK_STUB ? PRF_TEXT_PLT
						   : PRF_TEXT_FUNCTION,
		.name = best->name,
		.vaddr = best->vaddr,
	};

	/* Where the best does not know its size, another may. */
	if (size == 0)
		for (size_t i = 1; i < n; i++)
			if (symbols[i].size > size)
				size = symbols[i].size;
	return begin(sweep, &text, size,
		     size == 0 && best->rank & PRF_RANK_UNTYPED);
}

static size_t
group_size(const struct prf_symbols *symbols, size_t first)
{
	size_t i = first + 1;

	while (i < symbols->n &&
	       symbols->all[i].vaddr == symbols->all[first].vaddr)
		i++;
	return i - first;
}

/* The pieces of RANGE; *NEXT is the first symbol not yet taken. */
static int
sweep_range(struct sweep *sweep, const struct prf_range *range,
	    const struct prf_symbols *symbols, size_t *next)
{
	sweep->range = range;
	sweep->at = range->lo;
	sweep->n_open = 0;
	while (*next < symbols->n && symbols->all[*next].vaddr < range->hi) {
		const struct prf_symbol *first = &symbols->all[*next];
		size_t n = group_size(symbols, *next);
		int rc = 0;

		*next += n;
		if (range->code && first->vaddr >= range->lo)
			rc = begin_group(sweep, first, n);
		if (rc != 0)
			return rc;
	}
	return sweep_to(sweep, range->hi);
}

/* An image lives long: it keeps no memory that it did not fill. */
static void
give_back(struct prf_texts *texts)
{
	struct prf_text *all =
		reallocarray(texts->all, texts->n + 1, sizeof *all);

	if (all)
		texts->all = all;
	texts->capacity = texts->n;
}

int
prf_texts_make(struct prf_texts *texts, const struct prf_layout *layout,
	       struct prf_symbols *symbols, const struct prf_fdes *fdes)
{
	struct sweep sweep = {.texts = texts, .fdes = fdes};
	size_t next = 0;
	int rc = 0;

	*texts = (struct prf_texts){0};
	prf_symbols_sort(symbols);
	for (size_t i = 0; i < layout->n_ranges && rc == 0; i++)
		rc = sweep_range(&sweep, &layout->ranges[i], symbols, &next);
	free(sweep.open);
	if (rc != 0)
		prf_texts_free(texts);
	else
		give_back(texts);
	return rc;
}

void
prf_texts_free(struct prf_texts *texts)
{
	free(texts->all);
	*texts = (struct prf_texts){0};
}

size_t
prf_texts_at(const struct prf_texts *texts, uint64_t vaddr)
{
	size_t lo = 0, hi = texts->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (vaddr < texts->all[mid].lo)
			hi = mid;
		else if (vaddr >= texts->all[mid].hi)
			lo = mid + 1;
		else
			return mid;
	}
	return (size_t)-1;
}
